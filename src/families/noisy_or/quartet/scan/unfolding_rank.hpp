// The rank test (Jernite et al. 2013, Sec. 2.1): the third singular values of the three unfoldings
// of a quartet's joint table. If one hidden cause alone couples the quartet, every unfolding has
// rank 2 at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/kernels.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {

/// Quartets (a, b, c, d) that share a, b, c, as rows over d. Rows may be read 16 values on from any
/// d (moments::row_stride). Moments are P(all off).
struct QuartetRows {
  std::array<double, 8> without_d;      ///< by set of a, b, c (bits 1, 2, 4); [0] is 1
  std::array<const double*, 8> with_d;  ///< the same sets with d, at [d]
};

/// Quartets that share a and b, waiting for the screen, one a lane.
struct QuartetBatch {
  static constexpr std::size_t lanes = 64;
  static constexpr std::size_t vector = 16;  ///< behind the lanes is room for a whole vector
  /// [S - 4][lane] = P(S off) for all other sets.
  alignas(64) std::array<std::array<float, lanes + vector>, 12> negative{};
  /// [lane] = P(abcd off), for a statistic: the sources of all others outlive the batch.
  alignas(64) std::array<double, lanes + vector> all_off{};
  /// [S] P(S off) without c and d; [0] is 1.
  std::array<float, 4> of_pair{};
  std::size_t size = 0;
};

/// Quartets in one call of statistics().
inline constexpr std::size_t statistic_lanes = 8;

/// Squared thresholds of screen(), rising need of certainty: see screen_limits().
struct ScreenLimits {
  float keep = 0;    ///< above: too high to be kept as a candidate
  float reject = 0;  ///< above: surely fails the test
  float accept = 0;  ///< not above: surely passes the test
};
/// Lanes (bit i is lane i of a batch) that need no statistic.
struct ScreenResult {
  std::uint64_t rejected = 0;      ///< surely fail the test
  std::uint64_t only_counted = 0;  ///< surely pass it, and are surely not to be kept
};

/// The tests compiled for one instruction set; what is learned does not depend on which.
struct RankKernel {
  /// Appends the quartets d, d + 1, ..., d + n - 1 of `rows`, which share a and b with those
  /// that are there; batch.size + n <= 64.
  void (*append)(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n);
  /// Decides in single precision, without computing singular values (see screen_lanes.hpp). Lanes
  /// beyond batch.size are unspecified.
  ScreenResult (*screen)(const QuartetBatch& batch, const ScreenLimits& limits);
  /// The rank statistic of eight tables, to about 1e-15: cells[8 * S + lane] = P(exactly S off).
  void (*statistics)(const double* cells, double* statistic);
};

// Each is compiled for its instruction set, in scan/screen_*.cpp and scan/statistics_*.cpp.
void append_baseline(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n);
ScreenResult screen_baseline(const QuartetBatch& batch, const ScreenLimits& limits);
void statistics_baseline(const double* cells, double* statistic);
void append_avx2(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n);
ScreenResult screen_avx2(const QuartetBatch& batch, const ScreenLimits& limits);
void statistics_avx2(const double* cells, double* statistic);
void append_avx512(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n);
ScreenResult screen_avx512(const QuartetBatch& batch, const ScreenLimits& limits);
void statistics_avx512(const double* cells, double* statistic);

/// The functions of one instruction set; null if this processor lacks it.
const RankKernel* find_rank_kernel(kernels::Isa isa);
/// The one that goes with kernels::active().
const RankKernel& rank_kernel();

/// Largest of the three third singular values of one table.
double rank_statistic(const moments::QuartetCells& cells);

/// Limits for the test "statistic < tau" of candidates worth keeping below `bar` <= tau, with room
/// for single precision's rounding on both sides. Outside what single precision can resolve
/// (tau 5e-5 to 0.1) they decide nothing: all lanes are left to statistics().
ScreenLimits screen_limits(double tau, double bar);

}  // namespace orrery::quartet
