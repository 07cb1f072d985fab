// The update of eight rows' messages at once (Eqs. 18-26), an instruction for eight rows: what
// RowBeliefs::update does row by row, with the same bytes from every instruction set. This header
// is all that the files for the instruction sets know of the messages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "families/categorical/structural_ep/row_lanes.hpp"
#include "kernels/kernels.hpp"

namespace orrery::structural_ep {

/// Of ParentSet.
struct SetPlace {
  std::size_t n_states, first_state, first_row, n_causes;
  const std::uint32_t* causes;
};

/// What all rows share in a sweep; names as in Shape, Posterior, SweepOptions.
struct SweepArrays {
  std::size_t n_observed, n_sets, n_states, n_rows;
  const SetPlace* sets;
  const std::size_t *n_categories, *first_count;
  const std::uint32_t* held_sets;  ///< D parent sets that are certain; null: none
  const double *structure, *counts;
  double damping;
  bool hold_structure;
  bool by_mean_logs;  ///< the projection; else by mean and variance
};

/// Eight rows; `x 8` numbers stand side by side.
struct GroupArrays {
  const double* codes;                      ///< D x 8; -1: missing, or no row
  const double* weights;                    ///< 8; 0: no row
  double *structure, *states, *counts;      ///< RowMessages, x 8
  double* belief;                           ///< q(u) of each set: S x 8
  double *log_structure_sums, *count_sums;  ///< SweepSums
  double* room;                             ///< room_for_update() numbers
};

/// Numbers that an update needs room for.
[[nodiscard]] inline std::size_t room_for_update(std::size_t n_sets, std::size_t n_states,
                                                 std::size_t n_rows, std::size_t most_categories) {
  return row_lanes * (2 * n_sets + n_states + n_rows * (most_categories + 2) + 4 * most_categories);
}

/// What StructureBounds asks of eight rows. Each set of each variable has expectations of its own:
/// a number per state and category, from `first_expectation` of the variable on.
struct BoundArrays {
  std::size_t n_causes, cardinality;
  const std::size_t* first_expectation;
  const double* expectations;
  const double *codes, *weights, *states, *belief;  ///< as GroupArrays has them
  double *count_sums, *score_sums;                  ///< as the expectations, D x sets
  double* room;                                     ///< room_for_bounds() numbers
};
[[nodiscard]] inline std::size_t room_for_bounds(std::size_t n_states, std::size_t n_causes,
                                                 std::size_t cardinality) {
  return row_lanes * (3 * n_states + n_causes * cardinality + 2 * cardinality);
}

struct RowUpdate {
  /// Adds the logs of the products of the messages of `n` variables, from `first` on, to each
  /// state: S x 8, as `room` is. No value may be missing.
  void (*add_logs)(const SweepArrays& sweep, const double* states, std::size_t first, std::size_t n,
                   double* logs, double* room);
  /// Returns how many values were passed over, see RowBeliefs::update.
  std::size_t (*update)(const SweepArrays& sweep, const GroupArrays& group);
  /// Adds the rows' values, shared among the states of every set, to the counts, and the logs of
  /// what they were predicted with to the scores; the structure must be held.
  void (*share)(const SweepArrays& sweep, const BoundArrays& group);
};

RowUpdate row_update_baseline();
RowUpdate row_update_avx2();
RowUpdate row_update_avx512();
/// That of an instruction set that this processor has.
[[nodiscard]] RowUpdate find_row_update(kernels::Isa isa);

}  // namespace orrery::structural_ep
