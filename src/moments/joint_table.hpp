// Joint tables of four binary variables from their negative moments, and back.
//
// Sets of the four variables are masks: bit k stands for the k-th variable. negative[S] = P(all of
// S off), negative[0] = 1; cells[S] = P(exactly S off, the others on).
#pragma once

#include <array>
#include <cstddef>

namespace orrery::moments {

using QuartetMoments = std::array<double, 16>;
using TripletMoments = std::array<double, 8>;  ///< the same of three variables
using QuartetCells = std::array<double, 16>;

/// Inclusion-exclusion over supersets (Moebius transform): 32 subtractions.
inline QuartetCells cells_from_negative(QuartetMoments negative) {
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) negative[set] -= negative[set | bit];
    }
  }
  return negative;
}

/// The reverse: sums over supersets.
inline QuartetMoments negative_from_cells(QuartetCells cells) {
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) cells[set] += cells[set | bit];
    }
  }
  return cells;
}

/// The factor of one cause in a negative moment: 1 - p + p * (product of its failures over the
/// set). Dividing by it subtracts the cause off (Jernite et al. 2013, Eq. 3).
inline double cause_factor(double prior, double failure_product) {
  return 1 - prior + prior * failure_product;
}

}  // namespace orrery::moments
