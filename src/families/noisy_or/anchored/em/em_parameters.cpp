#include "families/noisy_or/anchored/em/em_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "data/bits.hpp"

namespace orrery::anchored {

EmParameters::EmParameters(const model::NoisyOrNetwork& start)
    : start_(start),
      places_{start.n_causes(), start.n_observed(), start.edges().size()},
      parents_(start.n_observed()) {
  // Inside (0, 1): what is 0 or 1 would stay so, and may make rows impossible.
  const double least = 1e-6;
  for (const model::Edge& edge : start.edges()) {
    parents_[edge.observed].push_back({edge.cause, static_cast<std::uint32_t>(values_.size())});
    values_.push_back(std::clamp(edge.failure, least, 1 - least));
  }
  for (const auto& one : start.observed()) {
    values_.push_back(std::clamp(one.leak, least, 1 - least));
  }
}

model::NoisyOrNetwork EmParameters::network() const {
  auto observed = start_.observed();
  auto edges = start_.edges();
  for (std::size_t j = 0; j < observed.size(); ++j) observed[j].leak = leak(j);
  for (std::size_t e = 0; e < edges.size(); ++e) edges[e].failure = failure(e);
  return {start_.causes(), std::move(observed), std::move(edges), start_.cause_network(),
          start_.anchors()};
}

double EmParameters::maximise(std::span<const double> sums, double pseudo) {
  double change = 0;
  const auto move = [&](double& from, double to) {
    change = std::max(change, std::abs(to - from));
    from = to;
  };
  const auto& edges = start_.edges();
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double tried = sums[places_.cause_on(edges[e].cause)] - sums[places_.not_tried(e)];
    if (tried + pseudo <= 0) continue;
    move(values_[e], std::clamp(1 - sums[places_.succeeded(e)] / (tried + pseudo), 1e-9, 1.0));
  }
  for (std::size_t j = 0; j < places_.m; ++j) {
    const double leaked = sums[places_.leaked(j)] + pseudo;
    move(values_[places_.n_edges + j],
         std::clamp(leaked / (sums[places_.draws()] + 2 * pseudo), 0.0, 1 - 1e-9));
  }
  return change;
}

EmCounter::EmCounter(const EmParameters& parameters, const model::PreparedAnchored& prepared)
    : parameters_(parameters), log_quiet_(prepared.log_quiet()) {
  for (std::size_t i = 0; i < parameters.places().n; ++i) {
    log_silent_.push_back(prepared.log_silent(i));
  }
}

void EmCounter::count(std::span<const std::uint8_t> state, std::span<const std::uint64_t> values,
                      double weight, std::span<double> sums) {
  const EmPlaces& places = parameters_.places();
  sums[places.draws()] += weight;
  double fit = log_quiet_;
  for (std::size_t i = 0; i < places.n; ++i) {
    if (state[i] == 0) continue;
    sums[places.cause_on(i)] += weight;
    fit += log_silent_[i];
  }
  data::for_each_bit(values, [&](std::size_t j) { fit += count_positive(state, j, weight, sums); });
  sums[places.fit()] += weight * fit;
}

/// Eq. (24): who was the first to switch x_j on. Returns log P(x_j = 1 | y) - log P(x_j = 0 | y).
double EmCounter::count_positive(std::span<const std::uint8_t> state, std::size_t j, double weight,
                                 std::span<double> sums) {
  const EmPlaces& places = parameters_.places();
  const double leak = parameters_.leak(j);
  first_.clear();
  double any = leak, none = 1 - leak;
  for (const EmParameters::Link& link : parameters_.parents(j)) {
    if (state[link.cause] == 0) continue;
    const double failure = parameters_.failure(link.edge);
    first_.push_back(none * (1 - failure));
    any += first_.back();
    none *= failure;
  }
  sums[places.leaked(j)] += weight * leak / any;
  double before = leak;
  std::size_t at = 0;
  for (const EmParameters::Link& link : parameters_.parents(j)) {
    if (state[link.cause] == 0) continue;
    const double first = first_[at++];
    sums[places.succeeded(link.edge)] += weight * first / any;
    sums[places.not_tried(link.edge)] += weight * before / any;
    before += first;
  }
  return std::log(any) - std::log(none);
}

}  // namespace orrery::anchored
