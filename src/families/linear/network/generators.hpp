// Built-in linear networks, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "orrery/model/linear_network.hpp"

namespace orrery::model {

struct LinearParameters {
  CauseLaw law = CauseLaw::gaussian;
  /// Between any two causes of a bipartite network, in (-1/(k-1), 1).
  double correlation = 0;
};

/// linear:bipartite:N,K,THETA    K causes, N variables, an edge between any two with probability
///                               THETA (the paper's random bipartite graphs), as drawn: a cause may
///                               have no child, and loadings may lack full rank
/// linear:ternary:LEVELS         a full ternary tree; the LEVELS-th level is observed (3: 1, 3, 9)
/// linear:tree:D,LEVELS          the same with D children each
/// linear:polytree:K,LEAVES      K causes, each with LEAVES observed children of its own, joined by
/// a
///                               random tree; each of its links is a coupling, either way, or one
///                               more observed child that both share: without directions the graph
///                               is a tree, and every cause has observed children
/// linear:caterpillar:K,LEAVES   a path of K causes, each with LEAVES observed children; the
///                               coupling runs along the path
/// Canonical. Sizes of loadings are uniform on [0.5, 1], between hidden levels on [0.5, 0.9], of
/// couplings on [0.4, 0.8] (of a polytree over the root of the number of the cause's parents),
/// signs even; noise variances are uniform on [0.25, 0.75] (of hidden variables: what is left to
/// variance 1). A function of `seed` and the parameters; the structure and the sizes do not depend
/// on the parameters. Empty if `spec` does not begin with "linear:" (or is "linear"); UsageError if
/// what follows is none of these, for sizes out of range, and for a correlation that is out of
/// range or given to what is not bipartite.
std::optional<LinearNetwork> generate_linear(const std::string& spec, std::uint64_t seed,
                                             const LinearParameters& parameters = {});
/// True if generate_linear would not return empty.
bool is_linear_spec(std::string_view spec);
/// The names, for messages and help.
std::string linear_generator_help();
/// Empty if it is none of "gaussian", "skewed", "heavy-tailed".
std::optional<CauseLaw> cause_law_of(std::string_view text);
/// The same; throws UsageError naming `option`.
CauseLaw parse_cause_law(const std::string& option, const std::string& text);
std::string cause_law_name(CauseLaw law);

}  // namespace orrery::model
