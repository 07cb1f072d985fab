#include "families/noisy_or/anchored/loadings/variable_failures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Set = std::vector<std::uint32_t>;

constexpr std::size_t most_blanket = 5;

Set with(Set set, std::uint32_t member) {
  set.push_back(member);
  std::ranges::sort(set);
  return set;
}

std::vector<Set> neighbours_of(const model::CauseNetwork& network) {
  std::vector<Set> neighbours(network.n_causes());
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    for (const std::uint32_t parent : network.tables()[i].parents) {
      neighbours[i].push_back(parent);
      neighbours[parent].push_back(i);
    }
  }
  for (Set& set : neighbours) std::ranges::sort(set);
  return neighbours;
}

/// The table with the bits of member number `first` in front, the others in their order.
std::vector<double> in_front(std::span<const double> table, std::size_t first) {
  std::vector<double> moved(table.size());
  const std::size_t below = (std::size_t{1} << first) - 1;
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    const std::size_t bit = (cell >> first) & 1U;
    const std::size_t rest = (cell & below) | ((cell >> (first + 1)) << first);
    moved[(rest << 1U) | bit] = table[cell];
  }
  return moved;
}

/// Sets of causes of which the estimator takes the tables with a variable.
std::vector<Set> sets_needed(const FailureWork& work) {
  const LoadingsInput& input = work.input;
  std::vector<Set> sets;
  for (std::uint32_t i = 0; i < input.signs.size(); ++i) {
    if (input.options.loadings == Loadings::tree) {
      for (const std::uint32_t k : work.neighbours[i]) sets.push_back(with({i}, k));
    }
    if (input.options.loadings != Loadings::blanket) continue;
    if (work.blankets[i].size() > most_blanket) {
      throw InputError(fmt::format(
          "{}: the Markov blanket of cause '{}' has {} causes; --loadings blanket (Eq. (6)) takes "
          "up to {}, whose states rows can still show: use --loadings matched",
          input.observed.source, input.observed.causes[i], work.blankets[i].size(), most_blanket));
    }
    sets.push_back(with(work.blankets[i], i));
  }
  return sets;
}

}  // namespace

FailureWork::FailureWork(const LoadingsInput& given)
    : input(given),
      neighbours(neighbours_of(given.views.front().sums->network())),
      products(given.signs, {}) {
  const model::CauseNetwork& network = given.views.front().sums->network();
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    blankets.push_back(network.markov_blanket(i));
  }
  products = SignProducts(given.signs, sets_needed(*this));
  for (const CauseView& view : given.views) estimators.emplace_back(view, given.options);
}

std::vector<double> VariableFailures::estimate(std::size_t view,
                                               std::span<const std::uint32_t> active,
                                               std::span<const double> start) const {
  const Options& options = work_.input.options;
  const auto pairs = recovered_pairs(view);
  std::vector<double> logs = work_.estimators[view].from_pairs(pairs, active, start);
  for (const std::uint32_t i : active) {
    if (options.loadings == Loadings::tree) logs[i] = tree(view, i, pairs[i]);
    if (options.loadings == Loadings::blanket) logs[i] = blanket(view, i);
  }
  return logs;
}

std::vector<double> VariableFailures::recovered(std::size_t view, const Set& set) const {
  std::vector<std::array<double, 2>> rates;
  for (const std::uint32_t i : set) rates.push_back(work_.input.views[view].rates[i]);
  return recover_with_variable(work_.products.table(counts_, view, set, column_), rates,
                               work_.input.options.regularise_loadings);
}

std::vector<std::array<double, 4>> VariableFailures::recovered_pairs(std::size_t view) const {
  std::vector<std::array<double, 4>> pairs(work_.input.signs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    std::ranges::copy(recovered(view, {i}), pairs[i].begin());
  }
  return pairs;
}

double VariableFailures::tree(std::size_t view, std::uint32_t i,
                              std::span<const double> pair) const {
  const model::SubsetTables& moments = work_.input.views[view].moments;
  std::vector<std::vector<double>> triples;
  std::vector<std::array<double, 2>> given_on;
  for (const std::uint32_t k : work_.neighbours[i]) {
    const Set both = with({i}, k);
    triples.push_back(in_front(recovered(view, both), both[0] == i ? 0 : 1));
    const auto joint = in_front(moments.table(both), both[0] == i ? 0 : 1);
    const double on = joint[1] + joint[3];
    given_on.push_back({joint[1] / on, joint[3] / on});
  }
  return FailureEstimator::tree(log_ratio(pair), pair, triples, given_on);
}

double VariableFailures::blanket(std::size_t view, std::uint32_t i) const {
  const Set all = with(work_.blankets[i], i);
  const auto place = static_cast<std::size_t>(std::ranges::lower_bound(all, i) - all.begin());
  return FailureEstimator::blanket(in_front(recovered(view, all), place));
}

}  // namespace orrery::anchored
