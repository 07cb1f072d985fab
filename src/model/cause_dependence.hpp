// What one cause tells of another that depends on it, as a reader would say it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

struct CauseDependence {
  std::uint32_t cause = 0, parent = 0;
  /// P(cause on | parent on) and P(cause on | parent off), other parents summed out.
  double with = 0, without = 0;
};

/// Of each edge among the causes, by (cause, parent); empty where sums over the causes are out of
/// reach (CauseElimination::is_feasible). O(edges n 2^width).
std::vector<CauseDependence> dependences_of(const NoisyOrNetwork& network);

/// "a is on in 60 % of the rows with b, in 20 % of the others: 3 times as often".
std::string in_words(const CauseDependence& dependence, const NoisyOrNetwork& network);

}  // namespace orrery::model
