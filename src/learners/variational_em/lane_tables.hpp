// What the E-step's kernels read and write: plain pointers, so that code for one instruction set
// instantiates nothing that other files share.
#pragma once

#include <cstddef>

namespace orrery::variational_em {

inline constexpr std::size_t lanes = 8;

/// What all rows share in a pass. Every entry has `lanes` values, and begins as the parameter that
/// it is made from (in brackets). Strengths: theta = -log failure, theta_0 = -log(1 - leak).
struct LaneTables {
  std::size_t n_causes = 0;
  std::size_t n_observed = 0;
  double* all_off = nullptr;   ///< 1: log P(no cause present, all off)
  double* log_odds = nullptr;  ///< n: of a cause where all are off [prior]
  double* leak = nullptr;      ///< m x leak_fields
  double* edge = nullptr;      ///< m x n x edge_fields
};
/// Of an entry of LaneTables::leak: the leak nu, -log nu, theta_0.
enum LeakField : std::size_t { leak_value, minus_log_leak, strength_0, leak_fields };
/// Of an entry of LaneTables::edge: theta [failure]; and before the first sweep the share r, h(s)
/// and r g(s) + theta (see e_step_lanes.hpp).
enum EdgeField : std::size_t { strength, first_share, first_gain, first_term, edge_fields };

struct EStepSettings {
  std::size_t sweeps = 12;
  double settled = 0.01;  ///< a row is done when no q(U_k) changes by more
  bool hold_out = false;  ///< every tenth row only lends its bound
};

struct RowLists {
  const std::size_t* on = nullptr;
  std::size_t n_on = 0;
  const std::size_t* missing = nullptr;
  std::size_t n_missing = 0;
  bool held_out = false;
};

/// Of a row, for each cause and on-variable: share r, gain h, slope E / D; then for each cause.
enum LocalField : std::size_t { share, gain, slope, local_fields };
enum CauseField : std::size_t { off_odds, odds, present, weight, cause_fields };

/// Sums over rows; SumLayout has the others. Of the bounds of the rows learned from and held out,
/// of q(U_k), then for each variable and cause: the credit, of q(U_k) r (1 - nu / D) where it is
/// on; the excuse, of q(U_k) / D where it is on and of q(U_k) where it is missing.
inline constexpr std::size_t sum_bound = 0;
inline constexpr std::size_t sum_held_out = lanes;
inline constexpr std::size_t sum_mass = 2 * lanes;

struct EStepKernel {
  /// Turns parameters into tables, in place.
  void (*prepare)(const LaneTables& tables);
  /// Adds what a row contributes. `local`: (n_on * local_fields + cause_fields) * n * lanes.
  void (*add_row)(const LaneTables& tables, const EStepSettings& settings, const RowLists& row,
                  double* local, double* sums);
};
/// Of the instruction set in use (ORRERY_KERNEL).
[[nodiscard]] const EStepKernel& e_step_kernel();

}  // namespace orrery::variational_em
