// The causes of all rows: what is believed of them, and holding those that are sure (section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/categorical/structural_ep/approximation.hpp"

namespace orrery::structural_ep {

/// Sums over all rows of q(z_k = j) q(z_l = m): (K J) x (K J), and of q(z_k = j).
struct CauseMoments {
  std::vector<double> single;
  std::vector<double> pair;
};
/// Collective.
[[nodiscard]] CauseMoments cause_moments(Approximation& approximation);
/// The most probable state of each cause in each of this rank's rows.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> cause_states(Approximation& approximation);
/// Section 5: holds causes at states with q > `certainty` in rows; returns how many. Collective.
std::size_t hold_causes(Approximation& approximation, double certainty);

}  // namespace orrery::structural_ep
