#include "families/categorical/structural_ep/run_state.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "families/categorical/network/inference.hpp"

namespace orrery::structural_ep {
namespace {

/// By cause, rows of all ranks in order; at rank 0.
std::vector<std::uint64_t> gather_states(const parallel::Team& team, const Start& start) {
  std::vector<std::uint64_t> all;
  for (const auto& of_cause : start.states) {
    const auto gathered = team.gather(of_cause);
    all.insert(all.end(), gathered.begin(), gathered.end());
  }
  return all;
}

}  // namespace

void keep(const parallel::Team& team, learning::Checkpoints& checkpoints, RunState& state,
          const BestStart& best) {
  checkpoints.between_steps(team, [&] {
    state.n_done = best.n_done;
    state.n_agreeing = best.n_agreeing;
    state.log_evidence = best.log_evidence;
    state.sets.assign(best.start.sets.begin(), best.start.sets.end());
    state.states = gather_states(team, best.start);
    state.n_begun = best.begun.n_causes;
    state.n_sweeps = best.begun.n_sweeps;
    state.begun_sets.assign(best.begun.start.sets.begin(), best.begun.start.sets.end());
    state.begun_states = gather_states(team, best.begun.start);
    if (team.is_root()) {
      auto& kept = checkpoints.state();
      kept.words["at"] = {state.task, state.n_done, state.n_agreeing, state.n_begun,
                          state.n_sweeps};
      kept.words["begun_sets"] = state.begun_sets;
      kept.words["begun_states"] = state.begun_states;
      kept.words["sets"] = state.sets;
      kept.words["states"] = state.states;
      kept.reals["log_evidence"] = {state.log_evidence};
      auto& held_out = kept.reals["held_out"];
      held_out.clear();
      for (const HeldOut& sums : state.held_out) {
        held_out.insert(held_out.end(), {sums.n, sums.sum, sums.squares});
      }
    }
  });
}

RunState restore(const parallel::Team& team, learning::Checkpoints& checkpoints) {
  std::vector<std::uint64_t> at{0, 0, 0, 0, 0};
  std::vector<std::uint64_t> sets;
  std::vector<std::uint64_t> states;
  std::vector<std::uint64_t> begun_sets;
  std::vector<std::uint64_t> begun_states;
  std::vector<double> log_evidence{0};
  std::vector<double> held_out;
  if (team.is_root() && checkpoints.state().words.contains("at")) {
    const auto& kept = checkpoints.state();
    at = learning::array(kept.words, "at");
    learning::require(at.size() == 5, "at");
    sets = learning::array(kept.words, "sets");
    states = learning::array(kept.words, "states");
    begun_sets = learning::array(kept.words, "begun_sets");
    begun_states = learning::array(kept.words, "begun_states");
    log_evidence = learning::array(kept.reals, "log_evidence");
    learning::require(log_evidence.size() == 1, "log_evidence");
    held_out = learning::array(kept.reals, "held_out");
    learning::require(held_out.size() % 3 == 0, "held_out");
  }
  team.broadcast(at);
  team.broadcast(sets);
  team.broadcast(states);
  team.broadcast(begun_sets);
  team.broadcast(begun_states);
  team.broadcast(log_evidence);
  team.broadcast(held_out);
  RunState state{at[0],
                 {},
                 at[1],
                 at[2],
                 log_evidence[0],
                 std::move(sets),
                 std::move(states),
                 at[3],
                 at[4],
                 std::move(begun_sets),
                 std::move(begun_states)};
  for (std::size_t i = 0; i < held_out.size(); i += 3) {
    state.held_out.push_back({held_out[i], held_out[i + 1], held_out[i + 2]});
  }
  return state;
}

namespace {

/// A start as this rank has it. Throws InputError unless its sets are below `n_sets` and its states
/// those of so many causes.
Start own_start(const std::vector<std::uint64_t>& sets, const char* sets_name,
                const std::vector<std::uint64_t>& states, const char* states_name,
                const learning::RowShare& rows, const Shape& shape, std::size_t n_sets,
                std::size_t n_causes) {
  const auto below = [](std::size_t bound) {
    return [bound](std::uint64_t value) { return value < bound; };
  };
  learning::require(sets.size() == shape.n_observed() && std::ranges::all_of(sets, below(n_sets)),
                    sets_name);
  learning::require(states.size() == n_causes * rows.n_rows() &&
                        std::ranges::all_of(states, below(shape.cardinality)),
                    states_name);
  Start start;
  for (const std::uint64_t set : sets) start.sets.push_back(static_cast<std::uint32_t>(set));
  for (std::size_t k = 0; k < n_causes; ++k) {
    std::vector<std::uint8_t> of_cause(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      of_cause[row] = static_cast<std::uint8_t>(states[k * rows.n_rows() + rows.first() + row]);
    }
    start.states.push_back(std::move(of_cause));
  }
  return start;
}

}  // namespace

BestStart best_start(const RunState& state, const learning::RowShare& rows, const Shape& shape) {
  BestStart best;
  if (state.n_begun > 0) {
    learning::require(state.n_begun >= shape.n_causes && state.n_begun <= shape.n_observed(), "at");
    best.begun = {state.n_begun, state.n_sweeps,
                  own_start(state.begun_sets, "begun_sets", state.begun_states, "begun_states",
                            rows, shape, state.n_begun, state.n_begun)};
  }
  if (state.n_done == 0) return best;
  best.n_done = state.n_done;
  best.n_agreeing = state.n_agreeing;
  best.log_evidence = state.log_evidence;
  best.start = own_start(state.sets, "sets", state.states, "states", rows, shape, shape.n_sets(),
                         shape.n_causes);
  return best;
}

// ---- the number of causes

namespace {

data::CategoricalTable rows_where(const data::CategoricalTable& table, std::uint64_t seed,
                                  std::uint32_t n_folds, std::uint32_t fold, bool inside) {
  data::CategoricalTable part;
  part.names = table.names;
  part.categories = table.categories;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const bool is_in = RowRandom(seed, Stream::resample, n).below(n_folds) == fold;
    if (is_in != inside) continue;
    const auto row = table.row(n);
    part.codes.insert(part.codes.end(), row.begin(), row.end());
    ++part.n_rows;
  }
  return part;
}

}  // namespace

data::CategoricalTable rows_in_fold(const data::CategoricalTable& table, std::uint64_t seed,
                                    std::uint32_t n_folds, std::uint32_t fold) {
  return rows_where(table, seed, n_folds, fold, true);
}

data::CategoricalTable rows_outside_fold(const data::CategoricalTable& table, std::uint64_t seed,
                                         std::uint32_t n_folds, std::uint32_t fold) {
  return rows_where(table, seed, n_folds, fold, false);
}

std::optional<data::CategoricalTable> thinned(const data::CategoricalTable& table,
                                              std::uint64_t most) {
  if (table.n_rows <= most) return std::nullopt;
  data::CategoricalTable part;
  part.names = table.names;
  part.categories = table.categories;
  const std::uint64_t step = (table.n_rows + most - 1) / most;
  for (std::uint64_t n = 0; n < table.n_rows; n += step) {
    const auto row = table.row(n);
    part.codes.insert(part.codes.end(), row.begin(), row.end());
    ++part.n_rows;
  }
  return part;
}

void predict_rows(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
                  const parallel::Team& team, int threads, HeldOut& sums) {
  const model::CategoricalInference inference(network);
  const learning::RowShare rows(team, threads, table.n_rows);
  const auto of_rows = rows.sum(2, [&](std::size_t row, int /*thread*/, std::span<double> to) {
    const double value = inference.posterior(table.row(rows.first() + row)).log_likelihood;
    to[0] += value;
    to[1] += value * value;
  });
  sums.n += static_cast<double>(table.n_rows);
  sums.sum += of_rows[0];
  sums.squares += of_rows[1];
}

std::vector<model::LearnedCategorical::Choice> choices(std::uint32_t first,
                                                       const std::vector<HeldOut>& sums) {
  std::vector<model::LearnedCategorical::Choice> result;
  for (const HeldOut& held_out : sums) {
    const double mean = held_out.sum / held_out.n;
    const double variance = std::max(0.0, held_out.squares / held_out.n - mean * mean);
    result.push_back({first + static_cast<std::uint32_t>(result.size()), mean,
                      std::sqrt(variance / held_out.n)});
  }
  return result;
}

}  // namespace orrery::structural_ep
