// The rank test (Jernite et al. 2013, Sec. 2.1): the third singular values of the three unfoldings
// of a quartet's joint table. If one hidden cause alone couples the quartet, every unfolding has
// rank 2 at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "orrery/moments/joint_table.hpp"

namespace orrery::quartet {

/// One quartet (a, b, c, d) for each d, as rows over d. All rows can be read from any multiple of
/// 16 for 16 values. Moments are P(all off).
struct QuartetRows {
  double a, b, c, ab, ac, bc, abc;
  const double* d;
  const double* ad;
  const double* bd;
  const double* cd;
  const double* abd;
  const double* acd;
  const double* bcd;
  const double* abcd;
};

/// Lanes in a block of screen().
inline constexpr std::size_t screen_lanes = 16;
/// Quartets in one call of statistics().
inline constexpr std::size_t statistic_lanes = 8;

/// The same arithmetic compiled for one instruction set; results do not depend on which.
struct RankKernel {
  /// Bit i is set if the largest third singular value of quartet d = first + i is surely above
  /// sqrt(limit), by single precision and without computing it (see rank_lanes.hpp).
  std::uint32_t (*screen)(const QuartetRows& rows, std::size_t first, float limit);
  /// The rank statistic of eight tables, to about 1e-15: cells[16 * lane + S] = P(exactly S off).
  void (*statistics)(const double* cells, double* statistic);
};

extern const RankKernel baseline_rank_kernel;
#if defined(__x86_64__)
extern const RankKernel avx2_rank_kernel;
extern const RankKernel avx512_rank_kernel;
#endif
/// The one that goes with kernels::active().
const RankKernel& rank_kernel();

/// Largest of the three third singular values of one table.
double rank_statistic(const moments::QuartetCells& cells);

/// The limit for screen(): thresholds this close to its rounding error are left to statistics().
/// Returns a limit that rejects nothing if tau is too small for single precision.
float screen_limit(double tau);

}  // namespace orrery::quartet
