// Expectations over the states of the causes, each cause weighted: what loadings and leaks are
// computed from. In a forest by one pass up and one down (belief propagation), O(n); otherwise by
// variable elimination; and where that is out of reach, over states drawn from the network (forward
// sampling; Halpern, Horng, Sontag 2015, Sec. 4.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/cause_elimination.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::anchored {

class CauseExpectations {
 public:
  enum class Way : std::uint8_t { forest, elimination, draws };

  /// Memory of draws: n bytes each.
  CauseExpectations(model::CauseNetwork network, std::uint64_t draws, std::uint64_t seed);
  CauseExpectations(const CauseExpectations&) = delete;
  CauseExpectations& operator=(const CauseExpectations&) = delete;
  ~CauseExpectations() = default;

  [[nodiscard]] Way way() const noexcept { return way_; }
  [[nodiscard]] const model::CauseNetwork& network() const noexcept { return network_; }
  /// P(Y_i = 1).
  [[nodiscard]] const std::vector<double>& on() const noexcept { return on_; }
  /// E[prod_i weights[i][y_i]], and with `on` not empty, P(Y_i = 1) in the distribution that the
  /// weights tilt: E[y_i prod ...] / E[prod ...]. If the sum is 0, `on` is all 0.
  double sum(std::span<const model::CauseWeight> weights, std::span<double> on) const;

 private:
  double sum_forest(std::span<const model::CauseWeight> weights, std::span<double> on) const;
  double sum_draws(std::span<const model::CauseWeight> weights, std::span<double> on) const;

  model::CauseNetwork network_;
  Way way_;
  std::unique_ptr<model::CauseElimination> elimination_;
  std::vector<std::uint8_t> states_;  // draws x n
  std::vector<double> on_;
};

}  // namespace orrery::anchored
