#include "families/noisy_or/scores/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace orrery::noisy_or {
namespace {

constexpr double normal_95 = 1.959963984540054;

/// What weakest_edges sorts by.
std::tuple<double, double, std::size_t> evidence(const model::LearnedModel& model,
                                                 std::size_t edge) {
  const double strength = 1 - model.network.edges()[edge].failure;
  const double stability = edge < model.stability.edge.size() ? model.stability.edge[edge] : 1;
  const double error = edge < model.errors.failure.size() ? model.errors.failure[edge] : 0;
  return {stability, error > 0 ? strength / error : strength, edge};
}

std::vector<std::size_t> weakest_of(const model::LearnedModel& model, std::size_t first,
                                    std::size_t end, std::size_t n) {
  std::vector<std::size_t> edges(end - first);
  std::iota(edges.begin(), edges.end(), first);
  const auto keep = edges.begin() + static_cast<std::ptrdiff_t>(std::min(n, edges.size()));
  std::partial_sort(edges.begin(), keep, edges.end(), [&](std::size_t i, std::size_t j) {
    return evidence(model, i) < evidence(model, j);
  });
  edges.erase(keep, edges.end());
  return edges;
}

void count(Share& share, const std::optional<Interval>& interval, double truth) {
  if (interval) share.count(interval->contains(truth));
}

}  // namespace

std::optional<Interval> interval95(double estimate, const std::vector<double>& errors,
                                   std::size_t index) {
  if (index >= errors.size() || !std::isfinite(errors[index])) return std::nullopt;
  const double half = normal_95 * errors[index];
  return Interval{std::max(estimate - half, 0.0), std::min(estimate + half, 1.0)};
}

std::vector<std::size_t> weakest_edges(const model::LearnedModel& model, std::size_t n) {
  return weakest_of(model, 0, model.network.edges().size(), n);
}

std::optional<std::size_t> weakest_edge(const model::LearnedModel& model, std::size_t cause) {
  const auto children = model.network.children(cause);
  if (children.empty()) return std::nullopt;
  const auto first = static_cast<std::size_t>(children.data() - model.network.edges().data());
  return weakest_of(model, first, first + children.size(), 1).front();
}

Coverage coverage(const model::LearnedModel& model, const model::NoisyOrNetwork& truth,
                  const Evaluation& evaluation) {
  const std::vector<std::size_t> position = align_observed(model.network, truth);
  std::vector<std::int64_t> true_cause(model.network.n_causes(), -1);
  Coverage result;
  for (std::size_t t = 0; t < evaluation.causes.size(); ++t) {
    if (!evaluation.causes[t].recovered) continue;
    const auto k = static_cast<std::size_t>(evaluation.causes[t].learned);
    true_cause[k] = static_cast<std::int64_t>(t);
    count(result.priors, interval95(model.network.causes()[k].prior, model.errors.prior, k),
          truth.causes()[t].prior);
  }
  const auto& edges = model.network.edges();
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (true_cause[edges[i].cause] < 0) continue;
    const double failure = truth.failure(static_cast<std::size_t>(true_cause[edges[i].cause]),
                                         position[edges[i].observed]);
    if (failure == 1) continue;  // no such edge
    count(result.failures, interval95(edges[i].failure, model.errors.failure, i), failure);
  }
  for (std::size_t a = 0; a < position.size(); ++a) {
    count(result.leaks, interval95(model.network.observed()[a].leak, model.errors.leak, a),
          truth.observed()[position[a]].leak);
  }
  return result;
}

}  // namespace orrery::noisy_or
