// Purpose: log P(row) of one component of a noisy-OR network, exactly.
// Source: Heckerman 1989 ("A tractable inference algorithm for diagnosing multiple diseases"):
//         negative findings factor over the causes; here the positive ones are summed over the
//         states of the causes that could explain them.
//
//   symbol                                                code
//   w_X = p_X prod_{a = 0} f_{X,a}                        Step::present
//   q_a = P(a = 1 | the causes decided so far)            on_[a]
//
// Cost: O(2^k * children of the cause decided last) for k causes with a positive child.
// Departure: q_a is kept rather than 1 - q_a: q_a <- (1 - f) + f q_a adds positive numbers only, so
// that a leak of 1e-18 keeps all its digits. Products are ScaledReal: nothing underflows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/components.hpp"
#include "model/scaled_real.hpp"

namespace orrery::model {

/// Holds the scratch memory of one thread. evaluate() allocates nothing.
class RowLikelihood {
 public:
  explicit RowLikelihood(const Component& component);

  /// log P(row) in nats; -infinity if the row is impossible. Layout of RowPatterns; `missing` may
  /// be empty.
  double evaluate(std::span<const std::uint64_t> values,
                  std::span<const std::uint64_t> missing) noexcept;

 private:
  // One cause to decide, with its ranges in influences_ and settled_.
  struct Step {
    std::uint32_t cause = 0;
    ScaledReal absent;           // 1 - p
    ScaledReal present;          // w_X
    std::size_t n_positive = 0;  // its positive children
    std::size_t first_influence = 0;
    std::size_t end_influence = 0;
    std::size_t first_settled = 0;
    std::size_t end_settled = 0;
  };
  // The children that the enumeration visits: positive ones.
  struct Influence {
    std::uint32_t variable = 0;
    double failure = 0;
    double success = 0;  // 1 - failure
    double saved = 0;    // q_a before this cause was switched on
  };

  void read_row(std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing) noexcept;
  void plan_steps() noexcept;
  void plan_influences() noexcept;
  void descend(std::size_t depth, const ScaledReal& weight) noexcept;
  void settle(std::size_t depth, ScaledReal weight) noexcept;

  const Component& component_;
  enum class Finding : std::uint8_t { negative, positive, missing };
  std::vector<Finding> finding_;        // a variable
  std::vector<double> on_;              // q_a, a variable
  std::vector<std::size_t> last_step_;  // a variable: the last step that can change q_a
  std::vector<Step> steps_;             // room for every cause; n_steps_ in use
  std::size_t n_steps_ = 0;
  std::vector<Influence> influences_;
  std::vector<std::uint32_t> settled_;  // variables, by the step after which q_a is final
  double log_closed_ = 0;               // what needs no enumeration
  ScaledReal total_;                    // sum over the states
};

}  // namespace orrery::model
