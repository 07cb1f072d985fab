// Anchored networks to experiment with: hidden causes in a random tree, in a random graph of
// bounded in-degree or bounded degree, or independent, above noisy-OR loadings. What is drawn, and
// from which ranges, stands at the functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "orrery/model/learned_model.hpp"

namespace orrery::model {

struct AnchoredSpec {
  enum class Causes : std::uint8_t { independent, tree, indegree, degree } structure = Causes::tree;
  std::size_t limit = 2;        ///< D: parents of a cause of `indegree`, neighbours of `degree`
  std::size_t n_causes = 10;    ///< K
  std::size_t n_observed = 60;  ///< M, anchors among them; the first K columns are the anchors
};

/// "anchored:tree:K,M", "anchored:independent:K,M", "anchored:indegree:D,K,M" or
/// "anchored:degree:D,K,M"; nullopt for what does not begin with "anchored:" (or is "anchored").
/// Throws UsageError for the rest of it: K from 1 to 10,000, M from 2 K to 100,000, D from 1 to 8.
std::optional<AnchoredSpec> parse_anchored_spec(const std::string& text);
/// True if parse_anchored_spec would not return empty.
bool is_anchored_spec(std::string_view text);
/// The names, for messages and help.
std::string anchored_generator_help();

struct AnchoredChoices {
  /// P(A=1|Y=0), P(A=1|Y=1) of every anchor; unset: drawn, off in [0.01, 0.1], on in [0.5, 0.95].
  std::optional<std::pair<double, double>> rates;
  /// Share of the anchors that get edges from other causes too (one of them a neighbour where there
  /// is one): the assumption broken, 0 to 1.
  double violations = 0;
};

/// Causes y0 ...: a random recursive tree of them, away from a random root; or a random graph,
/// where each has 1 to D parents (as many as there are) among the 8 before it in a random order, so
/// that exact sums stay possible; or the same among those that have fewer than D neighbours so far,
/// so that a cause has at most D neighbours, and is a root where none of the 8 has room; or no
/// edges. P(cause | parents) = 0.02 + 0.93 logistic(b + sum of effects): an
/// effect is uniform on [1.5, 2.5] or on [-2.2, -1.2], signs even, and b is such that P(cause) is
/// as drawn: uniform on [0.1, 0.4], or on [0.2, 0.4] below a negative effect (rarer causes could
/// hardly exclude one another). No pair is nearly deterministic, none that is joined nearly
/// independent.
///
/// Anchors a0 ...: each a child of its cause alone, but for `violations`, whose one or two further
/// edges have failures uniform on [0.6, 0.9]: the cause itself still says most. The other columns
/// x0 ...: 1 to 3 parents each, every cause at least one child; failures uniform on [0.2, 0.8],
/// leaks on [0.01, 0.1].
///
/// A function of its arguments; graph and numbers do not depend on `choices`, which replace or add
/// what they say. Throws UsageError for choices out of range, and for violations by an only cause.
NoisyOrNetwork generate_anchored(const AnchoredSpec& spec, const AnchoredChoices& choices,
                                 std::uint64_t seed);

}  // namespace orrery::model
