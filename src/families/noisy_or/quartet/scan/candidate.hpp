// A quartet that passed all tests of a round.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>

namespace orrery::quartet {

struct Candidate {
  double statistic = 0;
  std::array<std::uint32_t, 4> members{};  ///< a < b < c < d

  /// Total order: the statistic, then the indices; no two candidates tie.
  bool operator<(const Candidate& other) const {
    return std::tie(statistic, members) < std::tie(other.statistic, other.members);
  }
};

}  // namespace orrery::quartet
