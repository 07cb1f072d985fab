// What the E-step's kernels read and write: plain pointers, so that code for one instruction set
// instantiates nothing that other files share.
#pragma once

#include <cstddef>

namespace orrery::variational_em {

inline constexpr std::size_t lanes = 16;

/// What all rows share in a pass. Every entry has `lanes` values, and begins as the parameter that
/// it is made from (in brackets). Strengths: theta = -log failure, theta_0 = -log(1 - leak).
struct LaneTables {
  std::size_t n_causes = 0;
  std::size_t n_observed = 0;
  std::size_t n_lanes = 0;     ///< in use, from the first
  double* all_off = nullptr;   ///< 1: log P(no cause present, all off)
  double* log_odds = nullptr;  ///< n: of a cause where all are off [prior]
  double* leak = nullptr;      ///< m x leak_fields: nu, -log nu, theta_0
  double* strength = nullptr;  ///< m x n: theta [failure]
  // In single precision, for the sweeps.
  float* fast_leak = nullptr;  ///< m x 2: 1 - nu, -log nu
  float* fast_edge = nullptr;  ///< m x n x edge_fields
};
enum LeakField : std::size_t { leak_value, minus_log_leak, strength_0, leak_fields };
/// theta; and before the first sweep the share r, h(s) and r g(s) + theta (see e_step_lanes.hpp).
enum EdgeField : std::size_t { fast_strength, first_share, first_gain, first_term, edge_fields };

struct EStepSettings {
  std::size_t sweeps = 10;
  float settled = 0.01F;  ///< a row is done when no q(U_k) changes by more
  bool hold_out = false;  ///< every tenth row only lends its bound
};

struct RowLists {
  const std::size_t* on = nullptr;
  std::size_t n_on = 0;
  const std::size_t* missing = nullptr;
  std::size_t n_missing = 0;
  bool held_out = false;
};

/// Of a row, for each cause: log odds of the part that is off, log odds, q(U_k), scratch.
enum CauseField : std::size_t { off_odds, odds, present, weight, cause_fields };
/// And for each variable that is on: share r, h.
enum LocalField : std::size_t { share, gain, local_fields };
/// What a row takes of memory, in floats, for n causes and n_on variables that are on.
[[nodiscard]] constexpr std::size_t local_floats(std::size_t n, std::size_t n_on) {
  return (cause_fields + n_on * local_fields) * n * lanes;
}
/// And in doubles: log odds and q(U_k); share and slope of each variable that is on.
[[nodiscard]] constexpr std::size_t local_doubles(std::size_t n, std::size_t n_on) {
  return (2 + n_on * 2) * n * lanes;
}

/// Sums over rows; SumLayout has the others. Of the bounds of the rows learned from and held out,
/// of q(U_k), then for each variable and cause: the credit, of q(U_k) r (1 - nu / D) where it is
/// on; the excuse, of q(U_k) / D where it is on and of q(U_k) where it is missing.
inline constexpr std::size_t sum_bound = 0;
inline constexpr std::size_t sum_held_out = lanes;
inline constexpr std::size_t sum_mass = 2 * lanes;

struct EStepKernel {
  /// Turns parameters into tables, in place.
  void (*prepare)(const LaneTables& tables);
  /// Adds what a row contributes.
  void (*add_row)(const LaneTables& tables, const EStepSettings& settings, const RowLists& row,
                  float* floats, double* doubles, double* sums);
};
/// Of the instruction set in use (ORRERY_KERNEL).
[[nodiscard]] const EStepKernel& e_step_kernel();

}  // namespace orrery::variational_em
