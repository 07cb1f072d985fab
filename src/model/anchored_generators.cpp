// Purpose: random anchored networks, by name; their causes depend on one another and have marginals
//          that are drawn.
// Method: P(cause | parents) = least_chance + chance_span logistic(b + sum of effects of the
//         parents that are on). b is found by bisection, so that the mean over the parents' states
//         is the marginal drawn; how frequent these states are is seen in a sample of the causes
//         before. It is small and fixed: marginals are within about 0.01 of what was drawn.
// Cost: O(edges log edges + K (rows + 2^D)) time; K bytes per row memory, of the sample.
// Order of draws: the graph of the causes from Stream::structure, row 0; of the cause at place i of
// the order its numbers from Stream::parameters, row i, its sample from Stream::check, row i; of
// column j its parents from Stream::structure, row first_column + j, its leak and failures from
// Stream::parameters of that row; violations from rows from first_violation on.
#include "model/anchored_generators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t n_sampled = 4096;  // of the sample
constexpr std::size_t band = 8;          // parents are among so many causes before
constexpr double least_chance = .02;     // no state of the parents leaves less of either value
constexpr double chance_span = .93;

double uniform_between(RowRandom& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

std::vector<std::uint32_t> random_order(std::size_t n, RowRandom& random) {
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Parents of causes, from the first place of the order to the last.
class ParentDraws {
 public:
  explicit ParentDraws(const AnchoredSpec& spec) : spec_(spec), degree_(spec.n_causes, 0) {}

  /// Places (in the order) of the parents of the cause at place `i`.
  std::vector<std::size_t> draw(std::size_t i, RowRandom& random) {
    if (spec_.structure == AnchoredSpec::Causes::independent) return {};
    const bool is_tree = spec_.structure == AnchoredSpec::Causes::tree;
    std::vector<std::size_t> candidates;
    for (std::size_t place = is_tree || i < band ? 0 : i - band; place < i; ++place) {
      if (has_room(place)) candidates.push_back(place);
    }
    const std::size_t wanted = is_tree ? 1 : 1 + random.below(spec_.limit);
    const std::size_t n_parents = std::min(wanted, candidates.size());
    std::vector<std::size_t> parents;
    while (parents.size() < n_parents) {
      const std::size_t parent = candidates[random.below(candidates.size())];
      if (std::ranges::find(parents, parent) != parents.end()) continue;
      parents.push_back(parent);
      ++degree_[parent];
      ++degree_[i];
    }
    return parents;
  }

 private:
  [[nodiscard]] bool has_room(std::size_t place) const {
    return spec_.structure != AnchoredSpec::Causes::degree || degree_[place] < spec_.limit;
  }

  const AnchoredSpec& spec_;
  std::vector<std::size_t> degree_;  ///< neighbours so far
};

double probability(double logit) { return least_chance + chance_span / (1 + std::exp(-logit)); }

/// P(on | state) of each state of the parents, whose frequencies are given, with this mean.
std::vector<double> calibrated(std::span<const double> effects, std::span<const double> frequency,
                               double marginal) {
  std::vector<double> sums(frequency.size(), 0);
  for (std::size_t state = 0; state < sums.size(); ++state) {
    for (std::size_t i = 0; i < effects.size(); ++i) {
      if (((state >> i) & 1U) != 0) sums[state] += effects[i];
    }
  }
  double from = -50;
  double to = 50;
  for (int step = 0; step < 60; ++step) {
    const double middle = (from + to) / 2;
    double mean = 0;
    for (std::size_t state = 0; state < sums.size(); ++state) {
      mean += frequency[state] * probability(middle + sums[state]);
    }
    (mean < marginal ? from : to) = middle;
  }
  std::vector<double> on;
  on.reserve(sums.size());
  for (const double sum : sums) on.push_back(probability(from + sum));
  return on;
}

/// A sample of each cause that was drawn so far.
class CauseSample {
 public:
  explicit CauseSample(std::size_t n_causes) : values_(n_causes * n_sampled) {}

  [[nodiscard]] std::vector<double> frequency(std::span<const std::uint32_t> parents) const {
    std::vector<double> shares(std::size_t{1} << parents.size(), 0);
    for (std::size_t row = 0; row < n_sampled; ++row)
      shares[state(parents, row)] += 1.0 / n_sampled;
    return shares;
  }
  void draw(std::uint32_t cause, const CauseTable& table, RowRandom random) {
    for (std::size_t row = 0; row < n_sampled; ++row) {
      values_[cause * n_sampled + row] =
          random.bernoulli(table.on[state(table.parents, row)]) ? 1 : 0;
    }
  }

 private:
  [[nodiscard]] std::size_t state(std::span<const std::uint32_t> parents, std::size_t row) const {
    std::size_t bits = 0;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      bits |= std::size_t{values_[parents[i] * n_sampled + row]} << i;
    }
    return bits;
  }

  std::vector<std::uint8_t> values_;
};

CauseTable random_table(std::vector<std::uint32_t> parents, const CauseSample& sample,
                        RowRandom random) {
  std::ranges::sort(parents);
  std::vector<double> effects;
  bool any_negative = false;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const bool negative = random.bernoulli(.5);
    effects.push_back(negative ? uniform_between(random, -2.2, -1.2)
                               : uniform_between(random, 1.5, 2.5));
    any_negative = any_negative || negative;
  }
  const double marginal = uniform_between(random, any_negative ? .2 : .1, .4);
  if (parents.empty()) return {{}, {marginal}};
  return {parents, calibrated(effects, sample.frequency(parents), marginal)};
}

/// As generate_anchored says.
CauseNetwork random_cause_network(const AnchoredSpec& spec, std::uint64_t seed) {
  RowRandom structure(seed, Stream::structure, 0);
  const std::vector<std::uint32_t> order = random_order(spec.n_causes, structure);
  std::vector<CauseTable> tables(spec.n_causes);
  CauseSample sample(spec.n_causes);
  ParentDraws draws(spec);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<std::uint32_t> parents;
    for (const std::size_t place : draws.draw(i, structure)) {
      parents.push_back(order[place]);
    }
    CauseTable& table = tables[order[i]];
    table = random_table(std::move(parents), sample, RowRandom(seed, Stream::parameters, i));
    sample.draw(order[i], table, RowRandom(seed, Stream::check, i));
  }
  return CauseNetwork(std::move(tables));
}

constexpr std::string_view anchored_prefix = "anchored:";
/// A kind of graph among the causes.
struct CausesKind {
  std::string_view name;
  AnchoredSpec::Causes structure;
  std::string_view form;
  bool has_limit;  ///< D, before K and M
};
constexpr std::array kinds{
    CausesKind{"tree", AnchoredSpec::Causes::tree, "anchored:tree:K,M", false},
    CausesKind{"indegree", AnchoredSpec::Causes::indegree, "anchored:indegree:D,K,M", true},
    CausesKind{"degree", AnchoredSpec::Causes::degree, "anchored:degree:D,K,M", true},
    CausesKind{"independent", AnchoredSpec::Causes::independent, "anchored:independent:K,M",
               false}};
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
  const auto* const kind = std::ranges::find(kinds, rest.substr(0, colon), &CausesKind::name);
  if (colon == std::string_view::npos || kind == kinds.end()) {
    throw UsageError(fmt::format("{}: no such anchored network; write {}, {}, {} or {}", text,
                                 kinds[0].form, kinds[1].form, kinds[2].form, kinds[3].form));
  }
  AnchoredSpec spec;
  spec.structure = kind->structure;
  const std::size_t first = kind->has_limit ? 1 : 0;
  const auto values = parse_values(kind->form, rest.substr(colon + 1), first + 2);
  if (kind->has_limit) {
    spec.limit = parse_whole(fmt::format("{}: D", kind->form), values[0], 1, most_anchored_parents);
  }
  parse_sizes(kind->form, values[first], values[first + 1], spec);
  return spec;
}

std::string anchored_generator_help() {
  return fmt::format(
      "{}, {}, {}, {} (anchored networks: K causes in a random tree, in a random graph of up to D "
      "parents or of up to D neighbours each, or independent; M columns, the first K of them the "
      "anchors)",
      kinds[0].form, kinds[1].form, kinds[2].form, kinds[3].form);
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
