// Purpose: random anchored networks, by name; the causes are drawn in anchored_causes.cpp.
// Cost: O(edges log edges), and what the causes cost.
// Order of draws: of column j its parents from Stream::structure, row first_column + j, its leak
// and failures from Stream::parameters of that row; violations from rows from first_violation on.
#include "model/anchored_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "model/anchored_causes.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::string_view anchored_prefix = "anchored:";
constexpr std::string_view tree_form = "anchored:tree:K,M";
constexpr std::string_view indegree_form = "anchored:indegree:D,K,M";
constexpr std::uint32_t most_anchored_causes = 10'000;
constexpr std::uint32_t most_anchored_observed = 100'000;
constexpr std::uint32_t most_anchored_parents = 8;

// Rows of the streams: the causes have those below.
constexpr std::uint64_t first_column = std::uint64_t{1} << 32U;
constexpr std::uint64_t first_violation = std::uint64_t{1} << 33U;
constexpr std::uint64_t choice_of_violations = std::uint64_t{1} << 34U;

void parse_sizes(std::string_view form, std::string_view causes, std::string_view observed,
                 AnchoredSpec& spec) {
  spec.n_causes = parse_whole(fmt::format("{}: K", form), causes, 1, most_anchored_causes);
  spec.n_observed = parse_whole(fmt::format("{}: M", form), observed, 2, most_anchored_observed);
  if (spec.n_observed >= 2 * spec.n_causes) return;
  throw UsageError(fmt::format(
      "{}: M = {} columns for K = {} causes: each cause needs its anchor and a column besides; "
      "give M = {} or more",
      form, spec.n_observed, spec.n_causes, 2 * spec.n_causes));
}

void require_choices(const AnchoredSpec& spec, const AnchoredChoices& choices) {
  if (choices.rates) {
    const auto [off, on] = *choices.rates;
    if (!(off >= 0 && off < on && on <= 1)) {
      throw UsageError(
          fmt::format("anchor rates of {},{}: P(A=1|Y=0) and P(A=1|Y=1) are needed, the first less "
                      "than the second, both in [0, 1]",
                      off, on));
    }
  }
  if (!(choices.violations >= 0 && choices.violations <= 1)) {
    throw UsageError(fmt::format("violations of {}: a share of the anchors, 0 to 1, is needed",
                                 choices.violations));
  }
  if (choices.violations > 0 && spec.n_causes == 1) {
    throw UsageError("violations need two causes or more: another one must reach the anchor");
  }
}

class AnchoredDraws {
 public:
  AnchoredDraws(const AnchoredSpec& spec, std::uint64_t seed)
      : n_causes_(static_cast<std::uint32_t>(spec.n_causes)), seed_(seed) {}

  void add_anchor(std::uint32_t cause, const AnchoredChoices& choices) {
    RowRandom random = parameters(cause);
    // Drawn though they may be given: what else is drawn stays the same.
    double off = uniform_between(random, .01, .1);
    double on = uniform_between(random, .5, .95);
    if (choices.rates) std::tie(off, on) = *choices.rates;
    observed_.push_back({fmt::format("a{}", cause), off});
    edges_.push_back({cause, cause, (1 - on) / (1 - off)});
    anchors_.push_back({cause, cause});
  }

  void add_column(std::uint32_t column) {
    RowRandom structure(seed_, Stream::structure, first_column + column);
    RowRandom random = parameters(column);
    const std::uint32_t number = column - n_causes_;
    // The first K of them have a cause each: none is without a child.
    std::vector<std::uint32_t> parents{number < n_causes_ ? number : below(structure)};
    const std::size_t n_parents = std::min<std::size_t>(n_causes_, 1 + structure.below(3));
    while (parents.size() < n_parents) add_other(structure, parents);
    observed_.push_back({fmt::format("x{}", number), uniform_between(random, .01, .1)});
    for (const std::uint32_t parent : parents) {
      edges_.push_back({parent, column, uniform_between(random, .2, .8)});
    }
  }

  void add_violations(const CauseNetwork& causes, double share) {
    RowRandom choice(seed_, Stream::structure, choice_of_violations);
    std::vector<std::uint32_t> anchors(n_causes_);
    for (std::uint32_t i = 0; i < n_causes_; ++i) anchors[i] = i;
    for (std::uint32_t i = n_causes_; i > 1; --i)
      std::swap(anchors[i - 1], anchors[choice.below(i)]);
    const auto n = static_cast<std::size_t>(std::lround(share * n_causes_));
    for (std::size_t i = 0; i < n; ++i) violate(causes, anchors[i]);
  }

  NoisyOrNetwork finish(CauseNetwork causes) && {
    std::vector<Cause> names;
    for (std::uint32_t i = 0; i < n_causes_; ++i) names.push_back({fmt::format("y{}", i), .5});
    return {NoisyOrNetwork(std::move(names), std::move(observed_), std::move(edges_)),
            std::move(causes), std::move(anchors_)};
  }

 private:
  [[nodiscard]] RowRandom parameters(std::uint32_t column) const {
    return {seed_, Stream::parameters, first_column + column};
  }
  [[nodiscard]] std::uint32_t below(RowRandom& random) const {
    return static_cast<std::uint32_t>(random.below(n_causes_));
  }
  void add_other(RowRandom& random, std::vector<std::uint32_t>& parents) const {
    const std::uint32_t parent = below(random);
    if (std::ranges::find(parents, parent) == parents.end()) parents.push_back(parent);
  }
  void violate(const CauseNetwork& causes, std::uint32_t anchor) {
    RowRandom random(seed_, Stream::structure, first_violation + anchor);
    std::vector<std::uint32_t> near = causes.tables()[anchor].parents;
    const std::vector<std::uint32_t>& children = causes.children(anchor);
    near.insert(near.end(), children.begin(), children.end());
    std::vector<std::uint32_t> parents{anchor};
    if (!near.empty()) parents.push_back(near[random.below(near.size())]);
    const std::size_t wanted = random.bernoulli(.5) ? 3 : 2;
    while (parents.size() < std::min<std::size_t>(wanted, n_causes_)) add_other(random, parents);
    for (std::size_t i = 1; i < parents.size(); ++i) {
      edges_.push_back({parents[i], anchor, uniform_between(random, .6, .9)});
    }
  }

  std::uint32_t n_causes_;
  std::uint64_t seed_;
  std::vector<Observed> observed_;
  std::vector<Edge> edges_;
  std::vector<Anchor> anchors_;
};

}  // namespace

bool is_anchored_spec(std::string_view text) {
  return text == "anchored" || text.starts_with(anchored_prefix);
}

std::optional<AnchoredSpec> parse_anchored_spec(const std::string& text) {
  if (!is_anchored_spec(text)) return std::nullopt;
  const std::string_view rest =
      std::string_view(text).substr(std::min(text.size(), anchored_prefix.size()));
  const std::size_t colon = rest.find(':');
  const std::string_view family = rest.substr(0, colon);
  if (colon == std::string_view::npos || (family != "tree" && family != "indegree")) {
    throw UsageError(fmt::format("{}: no such anchored network; write {} or {}", text, tree_form,
                                 indegree_form));
  }
  AnchoredSpec spec;
  if (family == "tree") {
    const auto values = parse_values(tree_form, rest.substr(colon + 1), 2);
    parse_sizes(tree_form, values[0], values[1], spec);
    return spec;
  }
  spec.structure = AnchoredSpec::Causes::indegree;
  const auto values = parse_values(indegree_form, rest.substr(colon + 1), 3);
  spec.in_degree =
      parse_whole(fmt::format("{}: D", indegree_form), values[0], 1, most_anchored_parents);
  parse_sizes(indegree_form, values[1], values[2], spec);
  return spec;
}

std::string anchored_generator_help() {
  return fmt::format(
      "{}, {} (anchored networks: K causes in a random tree, or in a random graph of up to D "
      "parents each; M columns, the first K of them the anchors)",
      tree_form, indegree_form);
}

NoisyOrNetwork generate_anchored(const AnchoredSpec& spec, const AnchoredChoices& choices,
                                 std::uint64_t seed) {
  require_choices(spec, choices);
  CauseNetwork causes = random_cause_network(spec, seed);
  AnchoredDraws draws(spec, seed);
  for (std::uint32_t i = 0; i < spec.n_causes; ++i) draws.add_anchor(i, choices);
  for (auto j = static_cast<std::uint32_t>(spec.n_causes); j < spec.n_observed; ++j) {
    draws.add_column(j);
  }
  draws.add_violations(causes, choices.violations);
  return std::move(draws).finish(std::move(causes));
}

}  // namespace orrery::model
