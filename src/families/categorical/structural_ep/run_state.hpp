// What a run keeps between two starts and between two merges of a start, in memory and in a
// checkpoint; and how many causes are chosen.
//
// A run is a list of tasks: where a number of causes is chosen, each number with each part of the
// rows held out; at last the number chosen, with all rows. A run that is stopped in a start goes on
// from the last merge of its clusters; sweeps after it (some hundred at most) are done again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/categorical/structural_ep/search.hpp"
#include "learning/checkpoints.hpp"
#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"
#include "parallel/team.hpp"

namespace orrery::structural_ep {

// ---- the number of causes

// The number is chosen whose networks predict rows that they were not learned from best.

/// The rows of a part, a function of the seed and the row's number alone, or all others.
[[nodiscard]] data::CategoricalTable rows_in_fold(const data::CategoricalTable& table,
                                                  std::uint64_t seed, std::uint32_t n_folds,
                                                  std::uint32_t fold);
[[nodiscard]] data::CategoricalTable rows_outside_fold(const data::CategoricalTable& table,
                                                       std::uint64_t seed, std::uint32_t n_folds,
                                                       std::uint32_t fold);

/// Rows at even distances, so many at most; none if there are no more. Rows in an order of their
/// own (by place or time) are all represented.
[[nodiscard]] std::optional<data::CategoricalTable> thinned(const data::CategoricalTable& table,
                                                            std::uint64_t most);

/// Sums over rows of what they are predicted with, exactly
/// (families/categorical/network/inference.hpp).
struct HeldOut {
  double n = 0;
  double sum = 0;
  double squares = 0;
};
/// Adds the rows of `table`. Collective.
void predict_rows(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
                  const parallel::Team& team, int threads, HeldOut& sums);

/// Of n_causes = first, first + 1, ...
[[nodiscard]] std::vector<model::LearnedCategorical::Choice> choices(
    std::uint32_t first, const std::vector<HeldOut>& sums);

// ---- what is kept

struct RunState {
  std::uint64_t task = 0;
  std::vector<HeldOut> held_out;      ///< a number of causes each
  std::uint64_t n_done = 0;           ///< starts of this task
  std::uint64_t n_agreeing = 0;       ///< of them as good as the best one
  double log_evidence = 0;            ///< of the best one
  std::vector<std::uint64_t> sets;    ///< its structure
  std::vector<std::uint64_t> states;  ///< its causes' states, by cause, of all rows (rank 0)
  // The start that is under way, see Begun.
  std::uint64_t n_begun = 0;
  std::uint64_t n_sweeps = 0;
  std::vector<std::uint64_t> begun_sets;
  std::vector<std::uint64_t> begun_states;
};

/// Between two sweeps. Throws Stopped, or TimeUp. Collective.
void keep(const parallel::Team& team, learning::Checkpoints& checkpoints, RunState& state,
          const BestStart& best);
/// What the checkpoint holds, at every rank; the beginning if there is none. Collective.
[[nodiscard]] RunState restore(const parallel::Team& team, learning::Checkpoints& checkpoints);
/// The best start so far, as this rank has it. Throws InputError where it does not fit the task.
[[nodiscard]] BestStart best_start(const RunState& state, const learning::RowShare& rows,
                                   const Shape& shape);

}  // namespace orrery::structural_ep
