#include "families/noisy_or/anchored/loadings/failure_estimators.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace orrery::anchored {
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

}  // namespace orrery::anchored
