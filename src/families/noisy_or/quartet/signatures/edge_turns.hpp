// Edges that the passes which tidy a network add and drop by turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Counts how often each edge was dropped. Once a pass drops many edges, those that were dropped
/// twice are not added again. Memory: a byte for each cause and variable.
class EdgeTurns {
 public:
  explicit EdgeTurns(const model::NoisyOrNetwork& network)
      : m_(network.n_observed()), n_dropped_(network.n_causes() * m_, 0) {}

  /// The network `after`, which a pass made of `before` and which has the same causes, without the
  /// edges that are not to be added again.
  model::NoisyOrNetwork without_returning(const model::NoisyOrNetwork& before,
                                          const model::NoisyOrNetwork& after);
  /// Of the causes, these are left, in this order.
  void select(const std::vector<std::size_t>& causes);

 private:
  [[nodiscard]] std::size_t place(const model::Edge& edge) const {
    return edge.cause * m_ + edge.observed;
  }
  std::size_t m_;
  std::vector<std::uint8_t> n_dropped_;  // how often, of cause and variable
  bool drop_many_ = false;               // some pass has dropped many
};

}  // namespace orrery::quartet
