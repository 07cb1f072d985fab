#include "families/categorical/structural_ep/dirichlet.hpp"

#include <algorithm>
#include <array>
#include <cmath>  // and lgamma_r of POSIX
#include <cstdint>
#include <numeric>

#include "families/categorical/structural_ep/polygamma.hpp"

namespace orrery::structural_ep {
namespace {

using Row = std::array<double, max_length>;

Polygamma<double> polygamma(double x) noexcept {
  return polygamma_of<double, std::int64_t>(x, [](double value) { return value < 10; });
}

double sum(std::span<const double> values) noexcept {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// std::lgamma writes a global variable: threads must not share it.
double log_gamma(double x) noexcept {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

/// The closed form: means m_l and the sum of second moments; counts = m (1 - s) / (s - |m|^2).
void match_mean_variance(std::span<const double> counts, std::size_t x, double p,
                         std::span<double> result) noexcept {
  const double total = sum(counts);
  const double w0 = (1 - p) / total;
  const double w1 = p / (total + 1);
  const double v0 = w0 / (total + 1);
  const double v1 = w1 / (total + 2);
  double second = 0;
  double squares = 0;
  for (std::size_t l = 0; l < counts.size(); ++l) {
    const double c = counts[l];
    const double d = l == x ? c + 1 : c;
    const double mean = w0 * c + w1 * d;
    second += v0 * c * (c + 1) + v1 * d * (d + 1);
    squares += mean * mean;
    result[l] = mean;
  }
  const double precision = (1 - second) / (second - squares);
  for (double& value : result) value *= precision;
}

}  // namespace

void mean_logs(std::span<const double> counts, std::span<double> logs) noexcept {
  const double of_total = polygamma(sum(counts)).digamma;
  for (std::size_t l = 0; l < counts.size(); ++l) {
    logs[l] = polygamma(counts[l]).digamma - of_total;
  }
}

int fit_mean_logs(std::span<const double> logs, std::span<double> counts) noexcept {
  const std::size_t n = counts.size();
  Row gradient;  // to be filled as far as there are categories
  Row inverse_curvature;
  int steps = 0;
  for (; steps < 100; ++steps) {
    const Polygamma<double> of_total = polygamma(sum(counts));
    double weighted = 0;
    double inverse = 0;
    for (std::size_t l = 0; l < n; ++l) {
      const Polygamma<double> of_count = polygamma(counts[l]);
      gradient[l] = of_count.digamma - of_total.digamma - logs[l];
      inverse_curvature[l] = 1 / of_count.trigamma;
      weighted += gradient[l] * inverse_curvature[l];
      inverse += inverse_curvature[l];
    }
    const double z = of_total.trigamma;
    const double shared = weighted * z / (1 - z * inverse);
    double scale = 1;
    double largest = 0;
    for (std::size_t l = 0; l < n; ++l) {
      gradient[l] = (gradient[l] + shared) * inverse_curvature[l];  // Newton's step
      while (counts[l] - scale * gradient[l] <= 0) scale /= 2;
      largest = std::max(largest, std::abs(gradient[l]) / counts[l]);
    }
    for (std::size_t l = 0; l < n; ++l) counts[l] -= scale * gradient[l];
    // Newton doubles the digits: after a step of 1e-8 the rest is rounding.
    if (largest < 1e-8) return steps + 1;
  }
  return steps;
}

void project(Projection projection, std::span<const double> counts, std::size_t x, double p,
             std::span<double> result) noexcept {
  // What is left out is below 1e-12 of a count.
  if (p < 1e-12 || p > 1 - 1e-12) {
    std::ranges::copy(counts, result.begin());
    if (p > .5) result[x] += 1;
    return;
  }
  match_mean_variance(counts, x, p, result);
  if (projection == Projection::mean_variance) return;
  // E[log theta] of the mixture, by psi(c + 1) = psi(c) + 1 / c.
  Row logs;
  const auto wanted = std::span(logs).first(counts.size());
  mean_logs(counts, wanted);
  for (double& value : wanted) value -= p / sum(counts);
  wanted[x] += p / counts[x];
  fit_mean_logs(wanted, result);
}

double log_beta(std::span<const double> counts) noexcept {
  double result = -log_gamma(sum(counts));
  for (const double count : counts) result += log_gamma(count);
  return result;
}

}  // namespace orrery::structural_ep
