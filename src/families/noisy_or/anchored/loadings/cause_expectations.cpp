#include "families/noisy_or/anchored/loadings/cause_expectations.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"

namespace orrery::anchored {
namespace {

using model::CauseWeight;

std::vector<std::uint8_t> draw_states(const model::CauseNetwork& network, std::uint64_t draws,
                                      std::uint64_t seed) {
  const std::size_t n = network.n_causes();
  std::vector<std::uint8_t> states(static_cast<std::size_t>(draws) * n);
  for (std::uint64_t d = 0; d < draws; ++d) {
    RowRandom random(seed, Stream::inference, d);
    const auto state = std::span(states).subspan(static_cast<std::size_t>(d) * n, n);
    for (const std::uint32_t cause : network.order()) {
      state[cause] = random.bernoulli(network.on(cause, state)) ? 1 : 0;
    }
  }
  return states;
}

}  // namespace

CauseExpectations::CauseExpectations(model::CauseNetwork network, std::uint64_t draws,
                                     std::uint64_t seed)
    : network_(std::move(network)),
      way_(network_.is_forest() ? Way::forest : Way::elimination),
      on_(network_.n_causes()) {
  if (way_ == Way::elimination) {
    elimination_ = std::make_unique<model::CauseElimination>(network_);
    if (!elimination_->is_feasible()) {
      way_ = Way::draws;
      elimination_.reset();
      states_ = draw_states(network_, draws, seed);
    }
  }
  const std::vector<CauseWeight> none(network_.n_causes(), CauseWeight{1, 1});
  sum(none, on_);
}

double CauseExpectations::sum(std::span<const CauseWeight> weights, std::span<double> on) const {
  if (way_ == Way::forest) return sum_forest(weights, on);
  if (way_ == Way::draws) return sum_draws(weights, on);
  const double total = elimination_->expectation(weights);
  if (on.empty()) return total;
  if (total > 0) {
    std::ranges::copy(elimination_->posteriors(weights), on.begin());
  } else {
    std::ranges::fill(on, 0);
  }
  return total;
}

double CauseExpectations::sum_forest(std::span<const CauseWeight> weights,
                                     std::span<double> on) const {
  const std::size_t n = network_.n_causes();
  const auto& tables = network_.tables();
  // Of a cause's subtree: its weights, by the cause's value; and that by the parent's value.
  std::vector<CauseWeight> own(weights.begin(), weights.end());
  std::vector<CauseWeight> message(n);
  double total = 1;
  const auto& order = network_.order();
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto& [parents, table] = tables[*it];
    const CauseWeight& w = own[*it];
    if (parents.empty()) {
      total *= (1 - table[0]) * w[0] + table[0] * w[1];
      continue;
    }
    CauseWeight& up = message[*it];
    for (std::size_t v = 0; v < 2; ++v) up[v] = (1 - table[v]) * w[0] + table[v] * w[1];
    CauseWeight& parent = own[parents[0]];
    parent[0] *= up[0];
    parent[1] *= up[1];
  }
  if (on.empty()) return total;
  for (const std::uint32_t cause : order) {
    const auto& [parents, table] = tables[cause];
    const CauseWeight& w = own[cause];
    const auto posterior = [&](double p) {
      const double present = p * w[1];
      const double sum = (1 - p) * w[0] + present;
      return sum > 0 ? present / sum : 0;
    };
    if (parents.empty()) {
      on[cause] = posterior(table[0]);
    } else {
      const double up = on[parents[0]];
      on[cause] = (1 - up) * posterior(table[0]) + up * posterior(table[1]);
    }
  }
  return total;
}

double CauseExpectations::sum_draws(std::span<const CauseWeight> weights,
                                    std::span<double> on) const {
  const std::size_t n = network_.n_causes();
  const std::size_t draws = states_.size() / n;
  std::ranges::fill(on, 0);
  double total = 0;
  for (std::size_t d = 0; d < draws; ++d) {
    const auto state = std::span(states_).subspan(d * n, n);
    double weight = 1;
    for (std::size_t i = 0; i < n; ++i) weight *= weights[i][state[i]];
    total += weight;
    for (std::size_t i = 0; i < on.size(); ++i) on[i] += state[i] != 0 ? weight : 0;
  }
  if (total > 0) {
    for (double& value : on) value /= total;
  }
  return total / static_cast<double>(draws);
}

}  // namespace orrery::anchored
