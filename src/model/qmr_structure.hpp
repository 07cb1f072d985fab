// Which causes have which children in a network like QMR-DT.
#pragma once

#include <cstdint>
#include <vector>

namespace orrery::model {

/// Every cause has least_degree children or more, and at most half of the variables; each of these
/// has a parent. So edges >= observed, and edges are within causes times these two.
struct QmrSize {
  static constexpr std::uint32_t least_degree = 4;
  std::uint32_t causes = 570;
  std::uint32_t observed = 4075;
  std::uint32_t edges = 45470;
};

/// Of each cause its children, by rising index.
std::vector<std::vector<std::uint32_t>> qmr_children(const QmrSize& size, std::uint64_t seed);

}  // namespace orrery::model
