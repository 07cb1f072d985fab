// Purpose: random networks of dependent causes, with marginals that are drawn.
// Method: P(cause | parents) = least_chance + chance_span logistic(b + sum of effects of the
// parents that are on).
//         b is found by bisection, so that the mean over the parents' states is the marginal drawn;
//         how frequent these states are is seen in a sample of the causes before. It is small and
//         fixed: marginals are within about 0.01 of what was drawn.
// Cost: O(K (rows + 2^D)) time; K bytes per row memory.
// Order of draws: the graph from Stream::structure, row 0; of the cause at place i of the order its
// numbers from Stream::parameters, row i, its sample from Stream::check, row i.
#include "model/anchored_causes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t n_sampled = 4096;  // of the sample
constexpr std::size_t band = 8;          // parents are among so many causes before
constexpr double least_chance = .02;     // no state of the parents leaves less of either value
constexpr double chance_span = .93;

std::vector<std::uint32_t> random_order(std::size_t n, RowRandom& random) {
  std::vector<std::uint32_t> order(n);
  for (std::uint32_t i = 0; i < n; ++i) order[i] = i;
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Places (in the order) of the parents of the cause at place `i`.
std::vector<std::size_t> random_parents(const AnchoredSpec& spec, std::size_t i,
                                        RowRandom& random) {
  const bool is_tree = spec.structure == AnchoredSpec::Causes::tree;
  const std::size_t first = is_tree || i < band ? 0 : i - band;
  const std::size_t wanted = is_tree ? 1 : 1 + random.below(spec.in_degree);
  const std::size_t n_parents = std::min(wanted, i - first);
  std::vector<std::size_t> parents;
  while (parents.size() < n_parents) {
    const std::size_t parent = first + random.below(i - first);
    if (std::ranges::find(parents, parent) == parents.end()) parents.push_back(parent);
  }
  return parents;
}

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

}  // namespace

CauseNetwork random_cause_network(const AnchoredSpec& spec, std::uint64_t seed) {
  RowRandom structure(seed, Stream::structure, 0);
  const std::vector<std::uint32_t> order = random_order(spec.n_causes, structure);
  std::vector<CauseTable> tables(spec.n_causes);
  CauseSample sample(spec.n_causes);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<std::uint32_t> parents;
    for (const std::size_t place : random_parents(spec, i, structure)) {
      parents.push_back(order[place]);
    }
    CauseTable& table = tables[order[i]];
    table = random_table(std::move(parents), sample, RowRandom(seed, Stream::parameters, i));
    sample.draw(order[i], table, RowRandom(seed, Stream::check, i));
  }
  return CauseNetwork(std::move(tables));
}

}  // namespace orrery::model
