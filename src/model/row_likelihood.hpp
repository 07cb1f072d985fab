// Purpose: log P(row) of one component of a noisy-OR network, exactly: causes that share a child,
//          directly or not, and their children. The likelihood of a row is a product over
//          components.
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

#include "model/numbers.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// A part of a network with its own numbering: cause i is causes[i] of the network, variable a is
/// variables[a] (both by rising network index).
struct Component {
  std::vector<std::uint32_t> causes;
  std::vector<std::uint32_t> variables;
  std::vector<double> prior;      // a cause
  std::vector<double> leak;       // a variable
  std::vector<double> log_quiet;  // log(1 - leak), a variable

  struct Child {
    std::uint32_t variable;
    double failure;
  };
  std::vector<Child> edges;             // by cause
  std::vector<std::size_t> first_edge;  // n + 1 offsets into edges

  [[nodiscard]] std::span<const Child> children(std::size_t cause) const noexcept {
    return {edges.data() + first_edge[cause], first_edge[cause + 1] - first_edge[cause]};
  }
};

/// Indices of the causes of each component, by smallest member; union-find over shared children.
/// O((n + edges) * inverse Ackermann).
std::vector<std::vector<std::uint32_t>> connected_causes(const NoisyOrNetwork& network);
/// The part of `network` made of these causes (rising) and all their children.
Component make_component(const NoisyOrNetwork& network, std::span<const std::uint32_t> causes);
/// Variables without a parent, rising.
std::vector<std::uint32_t> orphans(const NoisyOrNetwork& network);

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
