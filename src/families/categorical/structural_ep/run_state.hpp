// What a run keeps between two starts and between two merges of a start, in memory and in a
// checkpoint; and the parts of the rows by which the number of causes is chosen.
//
// A run is a list of tasks: where a number of causes is chosen, a number with a part of the rows
// held out, as the race has it (number_race.hpp); at last the number chosen, with all rows. A run
// that is stopped in a start goes on from the last merge of its clusters; sweeps after it (some
// hundred at most) are done again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "families/categorical/structural_ep/number_race.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "learning/checkpoints.hpp"
#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"
#include "parallel/team.hpp"

namespace orrery::structural_ep {

// ---- rows held out

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

/// Adds a part to what `trial` was judged by: what the rows of `table` are predicted with, exactly
/// (families/categorical/network/inference.hpp). Collective.
void judge(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
           const parallel::Team& team, int threads, Trial& trial);

// ---- what is kept

struct RunState {
  std::vector<Trial> trials;          ///< a number of causes each; none where one was asked for
  std::uint64_t n_done = 0;           ///< starts of the task that is under way
  std::uint64_t n_agreeing = 0;       ///< of them as good as the best one
  std::uint64_t number = 0;           ///< the best one; of --start random nothing else is kept
  double log_evidence = 0;            ///< of the best one
  std::vector<std::uint64_t> sets;    ///< its structure
  std::vector<std::uint64_t> states;  ///< its causes' states, by cause, of all rows (rank 0)
  std::vector<std::uint64_t> merged_sets;  ///< where its merges led to
  std::vector<std::uint64_t> merged_states;
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
                                   const Shape& shape, StartKind kind);

}  // namespace orrery::structural_ep
