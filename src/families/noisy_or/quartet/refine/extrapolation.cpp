#include "families/noisy_or/quartet/refine/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

std::vector<double> log_odds_of(const model::NoisyOrNetwork& network) {
  std::vector<double> all;
  const auto add = [&](double p) {
    const double q = std::clamp(p, 1e-12, 1 - 1e-12);
    all.push_back(std::log(q / (1 - q)));
  };
  for (const model::Cause& cause : network.causes()) add(cause.prior);
  for (const model::Observed& observed : network.observed()) add(observed.leak);
  for (const model::Edge& edge : network.edges()) add(edge.failure);
  return all;
}

model::NoisyOrNetwork with_log_odds(const model::NoisyOrNetwork& network,
                                    const std::vector<double>& log_odds) {
  auto causes = network.causes();
  auto observed = network.observed();
  auto edges = network.edges();
  const double* next = log_odds.data();
  const auto take = [&] { return 1 / (1 + std::exp(-std::clamp(*next++, -25.0, 25.0))); };
  for (model::Cause& cause : causes) cause.prior = take();
  for (model::Observed& one : observed) one.leak = take();
  for (model::Edge& edge : edges) edge.failure = take();
  return {std::move(causes), std::move(observed), std::move(edges)};
}

std::vector<double> extrapolate(const std::vector<double>& a, const std::vector<double>& b,
                                const std::vector<double>& c) {
  double step_square = 0;
  double turn_square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    step_square += (b[i] - a[i]) * (b[i] - a[i]);
    const double turn = c[i] - 2 * b[i] + a[i];
    turn_square += turn * turn;
  }
  const double stride = turn_square > 0 ? std::clamp(std::sqrt(step_square / turn_square), 1.0,
                                                     constants::refinement::longest_stride)
                                        : 1;
  std::vector<double> further(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    further[i] = a[i] + 2 * stride * (b[i] - a[i]) + stride * stride * (c[i] - 2 * b[i] + a[i]);
  }
  return further;
}

}  // namespace orrery::quartet
