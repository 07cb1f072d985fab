// What the E-step's kernels read and write: plain pointers, so that code for one instruction set
// instantiates nothing that other files share.
#pragma once

#include <cstddef>

namespace orrery::variational_em {

/// The most restarts that share tables, and the most pairs of a row and a restart in a vector.
inline constexpr std::size_t lanes = 16;

/// What all rows share in a pass. An entry has a value per restart: `lanes` of them while the
/// tables are prepared, n_lanes afterwards. Every entry begins as the parameter that it is made
/// from (in brackets). Strengths: theta = -log failure, theta_0 = -log(1 - leak). Entry a of m + 1
/// is of a variable, entry a n + k of a variable and a cause. Variable m is none: it fills up a row
/// with fewer variables on than its neighbours, and adds nothing.
struct LaneTables {
  std::size_t n_causes = 0;
  std::size_t n_observed = 0;
  std::size_t n_lanes = 0;           ///< restarts
  double* all_off = nullptr;         ///< 1: log P(no cause present, all off)
  double* log_odds = nullptr;        ///< n: of a cause where all are off [prior]
  double* leak = nullptr;            ///< m + 1: nu [leak]
  double* minus_log_leak = nullptr;  ///< m + 1: -log nu
  double* strength_0 = nullptr;      ///< m + 1: theta_0
  double* strength = nullptr;        ///< (m + 1) n: theta [failure]
  // In single precision, for the sweeps.
  float* fast_not_leaked = nullptr;      ///< m + 1: 1 - nu
  float* fast_minus_log_leak = nullptr;  ///< m + 1
  float* fast_strength = nullptr;        ///< (m + 1) n: theta
  // Before the first sweep; see e_step_lanes.hpp.
  float* first_share = nullptr;  ///< (m + 1) n: r
  float* first_gain = nullptr;   ///< (m + 1) n: h(s)
  float* first_term = nullptr;   ///< (m + 1) n: r g(s) + theta
};

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
/// And for each variable that is on and each cause: share r, h, theta.
enum LocalField : std::size_t { share, gain, local_strength, local_fields };
/// What rows take of memory in floats, for n causes and at most n_on variables that are on.
[[nodiscard]] constexpr std::size_t local_floats(std::size_t n, std::size_t n_on) {
  return ((cause_fields + n_on * local_fields) * n + 2 * n_on) * lanes;
}
/// In doubles: log odds and q(U_k); share and slope of each variable that is on.
[[nodiscard]] constexpr std::size_t local_doubles(std::size_t n, std::size_t n_on) {
  return (2 + n_on * 2) * n * lanes;
}
/// And in places: where tables have a variable that is on, and its edges.
[[nodiscard]] constexpr std::size_t local_places(std::size_t n_on) { return 2 * n_on * lanes; }

/// A thread's own memory.
struct LaneScratch {
  float* floats = nullptr;
  double* doubles = nullptr;
  std::size_t* places = nullptr;
};

/// Sums over rows, a value per restart in each entry. The bound is that of the rows learned from.
struct LaneSums {
  double* bound = nullptr;
  double* held_out = nullptr;
  double* mass = nullptr;    ///< n: of q(U_k)
  double* credit = nullptr;  ///< m n: of q(U_k) r (1 - nu / D) where the variable is on
  double* excuse = nullptr;  ///< m n: of q(U_k) / D where it is on, of q(U_k) where it is missing
};

struct EStepKernel {
  /// Turns parameters into tables, in place.
  void (*prepare)(const LaneTables& tables);
  /// Adds what rows contribute. What is added to a sum does not depend on the number of restarts.
  void (*add_rows)(const LaneTables& tables, const EStepSettings& settings, const RowLists* rows,
                   std::size_t n_rows, const LaneScratch& scratch, const LaneSums& sums);
};
/// Of the instruction set in use (ORRERY_KERNEL).
[[nodiscard]] const EStepKernel& e_step_kernel();

}  // namespace orrery::variational_em
