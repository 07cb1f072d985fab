#include "families/noisy_or/anchored/loadings/ratio_matcher.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

}  // namespace orrery::anchored
