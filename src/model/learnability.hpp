// What perfect tests, of infinitely many samples, could learn of a network's structure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// Children that a test needs: of a cause that must be discovered, and of one that is known to be
/// there with its edges.
constexpr std::size_t quartet_size = 4;
constexpr std::size_t triplet_size = 3;

struct CauseLearnability {
  static constexpr std::int32_t never = -1;

  /// Another cause that is never learned, and two or more children that both have.
  struct Overlap {
    std::uint32_t cause = 0;
    std::size_t n_shared = 0;
    bool operator==(const Overlap&) const = default;
  };

  std::int32_t depth = never;  ///< rounds of subtracting off before it can be learned
  std::size_t n_children = 0;  ///< that vary; each is an edge that is learned with the cause
  /// Children that this cause singly couples at that depth: as many as the test needs; if it is
  /// never learned, a largest such set (fewer).
  std::vector<std::uint32_t> singly_coupled;
  std::vector<Overlap> overlaps;  ///< why never; most children shared first, then by index
};

/// One entry per cause. `set_size` is quartet_size or triplet_size. A cause whose prior is 0 or 1
/// couples nothing and is never learned; a variable that is always on is no one's child. See
/// src/model/learnability.cpp for the definition and the cost.
std::vector<CauseLearnability> learnability(const NoisyOrNetwork& network, std::size_t set_size);

/// The structural depth of each cause of a learned network: its depth by quartets, which the round
/// of the search that found it (Provenance::depth) need not be. Empty if no cause has a round.
std::vector<std::int32_t> structural_depths(const LearnedModel& model);

}  // namespace orrery::model
