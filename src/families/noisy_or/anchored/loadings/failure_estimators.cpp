#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double close_enough = 1e-13;
constexpr double good_enough = 1e-8;
constexpr int most_matching_steps = 200;

double log_odds(double p) { return std::log(p) - std::log1p(-p); }

}  // namespace

RatioMatcher::RatioMatcher(const CauseExpectations& sums) : sums_(sums) {
  const auto n = static_cast<Index>(sums.on().size());
  derivative_.resize(n, n);
  std::vector<model::CauseWeight> weights(sums.on().size(), {1, 1});
  std::vector<double> present(sums.on().size());
  std::vector<double> absent(sums.on().size());
  for (Index i = 0; i < n; ++i) {
    auto& weight = weights[static_cast<std::size_t>(i)];
    weight = {0, 1};
    sums.sum(weights, present);
    weight = {1, 0};
    sums.sum(weights, absent);
    weight = {1, 1};
    for (Index k = 0; k < n; ++k) {
      derivative_(i, k) =
          i == k ? 1 : present[static_cast<std::size_t>(k)] - absent[static_cast<std::size_t>(k)];
    }
  }
  of_all_ = linalg::Lu(derivative_);
  for (const double on : sums.on()) log_odds_.push_back(log_odds(on));
}

/// log r - log model r of the active causes; returns the largest, infinite where the model has
/// none.
double RatioMatcher::residuals(std::span<const double> log_ratios,
                               std::span<const std::uint32_t> active,
                               std::span<const double> log_failures, VectorXd& out) const {
  std::vector<model::CauseWeight> weights(log_failures.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = {1, std::exp(log_failures[i])};
  std::vector<double> tilted(weights.size());
  sums_.sum(weights, tilted);
  double largest = 0;
  for (std::size_t a = 0; a < active.size(); ++a) {
    const std::uint32_t i = active[a];
    double residual = log_ratios[i] - (log_odds(tilted[i]) - log_odds_[i]);
    // What pushes against an end of the range is let be, or nobody else would settle.
    if ((log_failures[i] <= least_log && residual < 0) ||
        (log_failures[i] >= most_log && residual > 0)) {
      residual = 0;
    }
    out[static_cast<Index>(a)] = residual;
    largest = std::isfinite(residual) ? std::max(largest, std::abs(residual))
                                      : std::numeric_limits<double>::infinity();
    if (std::isinf(largest)) return largest;
  }
  return largest;
}

bool RatioMatcher::solve(std::span<const double> log_ratios, std::span<const std::uint32_t> active,
                         std::span<double> log_failures) const {
  const auto n = static_cast<Index>(active.size());
  if (n == 0) return true;
  linalg::Lu factors = of_all_;
  if (active.size() != log_failures.size()) {
    MatrixXd some(n, n);
    for (Index a = 0; a < n; ++a) {
      for (Index b = 0; b < n; ++b) {
        some(a, b) =
            derivative_(active[static_cast<std::size_t>(a)], active[static_cast<std::size_t>(b)]);
      }
    }
    factors = linalg::Lu(some);
  }
  VectorXd residual(n);
  VectorXd next_residual(n);
  std::vector<double> next(log_failures.begin(), log_failures.end());
  double size = residuals(log_ratios, active, log_failures, residual);
  double damping = 1;
  for (int step = 0; step < most_matching_steps && size > close_enough && damping > 1e-4; ++step) {
    const VectorXd direction = factors.solve(residual);
    for (Index a = 0; a < n; ++a) {
      const std::uint32_t i = active[static_cast<std::size_t>(a)];
      next[i] = std::clamp(log_failures[i] + damping * direction[a], least_log, most_log);
    }
    const double next_size = residuals(log_ratios, active, next, next_residual);
    if (next_size < size) {
      std::ranges::copy(next, log_failures.begin());
      residual.swap(next_residual);
      // Rounding stops it a little above 0.
      const bool stalls = size < 1e-11 && next_size > .5 * size;
      size = next_size;
      damping = std::min(1.0, 2 * damping);
      if (stalls) break;
    } else {
      damping /= 2;
    }
  }
  if (size < good_enough) return true;
  for (const std::uint32_t i : active) log_failures[i] = std::nan("");
  return false;
}

// All estimators.

namespace {

using Set = std::vector<std::uint32_t>;

constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
constexpr double least_ratio = 1e-6;  // of what comes out as 0

}  // namespace

SignProducts::SignProducts(const std::vector<Sign>& signs, const std::vector<Set>& sets) {
  sets_.emplace_back();
  for (std::uint32_t i = 0; i < signs.size(); ++i) sets_.push_back({i});
  for (const Set& set : sets) {
    for (std::size_t kept = 1; kept < (std::size_t{1} << set.size()); ++kept) {
      Set subset;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (((kept >> i) & 1U) != 0) subset.push_back(set[i]);
      }
      if (subset.size() > 1) sets_.push_back(std::move(subset));
    }
  }
  std::ranges::sort(sets_);
  sets_.erase(std::unique(sets_.begin(), sets_.end()), sets_.end());
  for (const Set& set : sets_) {
    Product product;
    for (const std::uint32_t member : set) product.push_back(signs[member].column);
    products_.push_back(std::move(product));
  }
}

std::size_t SignProducts::number(const Set& set) const {
  const auto found = std::ranges::lower_bound(sets_, set);
  assert(found != sets_.end() && *found == set);
  return static_cast<std::size_t>(found - sets_.begin());
}

std::vector<double> SignProducts::table(const Frequencies& counts, std::size_t view,
                                        std::span<const std::uint32_t> set,
                                        std::size_t column) const {
  const std::size_t half = std::size_t{1} << set.size();
  std::vector<double> cells(2 * half);
  Set members;
  for (std::size_t cell = 0; cell < half; ++cell) {
    members.clear();
    for (std::size_t i = 0; i < set.size(); ++i) {
      if (((cell >> i) & 1U) != 0) members.push_back(set[i]);
    }
    const std::size_t product = number(members);
    cells[cell] = counts.alone(view, product);
    cells[half + cell] = counts.on(view, product, column);
  }
  for (std::size_t bit = 1; bit < cells.size(); bit *= 2) {
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if ((cell & bit) == 0) cells[cell] -= cells[cell | bit];
    }
  }
  for (double& cell : cells) cell = std::max(cell, 0.0);
  return cells;
}

std::vector<double> recover_with_variable(std::span<const double> observed,
                                          std::span<const std::array<double, 2>> rates,
                                          double regularise) {
  std::vector<std::array<double, 2>> all(rates.begin(), rates.end());
  all.push_back({0, 1});  // the variable is seen as it is
  std::vector<double> independent;
  if (regularise > 0) {
    // The margins that the signs themselves have, their rates undone.
    independent.assign(observed.size(), 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
      double shown = 0;
      for (std::size_t cell = 0; cell < observed.size(); ++cell) {
        if (((cell >> i) & 1U) != 0) shown += observed[cell];
      }
      const auto [off, on] = all[i];
      const double present = std::clamp((shown - off) / (on - off), 1e-6, 1 - 1e-6);
      for (std::size_t cell = 0; cell < observed.size(); ++cell) {
        independent[cell] *= ((cell >> i) & 1U) != 0 ? present : 1 - present;
      }
    }
  }
  return recover_table(observed, all, regularise, independent);
}

double log_ratio(std::span<const double> pair) {
  // Cells: bit 0 is the cause, bit 1 the variable.
  const double absent = pair[0] / (pair[0] + pair[2]);
  const double present = pair[1] / (pair[1] + pair[3]);
  if (!(absent > 0)) return nowhere;
  return std::log(std::max(present / absent, least_ratio));
}

FailureEstimator::FailureEstimator(const CauseView& view, const Options& options)
    : options_(options) {
  if (options.loadings == Loadings::matched) {
    matcher_ = std::make_unique<RatioMatcher>(*view.sums);
  }
}

std::vector<double> FailureEstimator::from_pairs(std::span<const std::array<double, 4>> pairs,
                                                 std::span<const std::uint32_t> active,
                                                 std::span<const double> start) const {
  std::vector<double> ratios(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) ratios[i] = log_ratio(pairs[i]);
  std::vector<double> logs(pairs.size(), 0);
  for (const std::uint32_t i : active) {
    logs[i] = options_.loadings == Loadings::matched && !start.empty() && std::isfinite(start[i])
                  ? start[i]
                  : std::clamp(ratios[i], RatioMatcher::least_log, RatioMatcher::most_log);
  }
  if (options_.loadings == Loadings::matched) matcher_->solve(ratios, active, logs);
  return logs;
}

double FailureEstimator::tree(double log_ratio, std::span<const double> pair,
                              std::span<const std::vector<double>> triples,
                              std::span<const std::array<double, 2>> neighbour_given_on) {
  const double off_given_absent = pair[0] / (pair[0] + pair[2]);  // P(x = 0 | y_i = 0)
  double value = log_ratio;
  for (std::size_t k = 0; k < triples.size(); ++k) {
    const std::vector<double>& t = triples[k];  // bits: y_i, y_k, x
    double sum = 0;
    for (std::size_t y = 0; y < 2; ++y) {
      const double off = t[2 * y];
      const double all = off + t[2 * y + 4];
      sum += neighbour_given_on[k][y] * (off / all);  // Eq. (9); NaN for 0 / 0
    }
    value -= std::log(sum / off_given_absent);
  }
  return std::isfinite(value) ? value : nowhere;
}

double FailureEstimator::blanket(std::span<const double> table) {
  const std::size_t half = table.size() / 2;  // x = 0, then x = 1
  double sum = 0;
  double weights = 0;
  for (std::size_t state = 0; state < half; state += 2) {
    const double absent = table[state] + table[half + state];
    const double present = table[state + 1] + table[half + state + 1];
    if (!(table[state] > 0) || !(present > 0)) continue;
    const double weight = absent * present / (absent + present);
    sum += weight * (table[state + 1] / present) / (table[state] / absent);
    weights += weight;
  }
  return weights > 0 ? std::log(std::max(sum / weights, least_ratio)) : nowhere;
}

double leak(double off, std::span<const double> failures, const CauseExpectations& causes) {
  std::vector<model::CauseWeight> weights;
  for (const double failure : failures) weights.push_back({1, std::min(failure, 1.0)});
  return 1 - off / causes.sum(weights, {});
}

namespace {

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
