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

void write(const RunState& state, store::Checkpoint& kept) {
  kept.words["at"] = {state.n_done, state.n_agreeing, state.n_begun, state.n_sweeps};
  if (state.number > 0) kept.words["number"] = {state.number};  // else as before it was kept
  kept.words["begun_sets"] = state.begun_sets;
  kept.words["begun_states"] = state.begun_states;
  kept.words["merged_sets"] = state.merged_sets;
  kept.words["merged_states"] = state.merged_states;
  kept.words["sets"] = state.sets;
  kept.words["states"] = state.states;
  kept.reals["log_evidence"] = {state.log_evidence};
  auto& held_out = kept.reals["held_out"];
  auto& ends = kept.words["held_out_ends"];
  auto& n_parts = kept.words["held_out_parts"];
  held_out.clear();
  ends.clear();
  n_parts.clear();
  for (const Trial& trial : state.trials) {
    held_out.insert(held_out.end(), trial.held_out.begin(), trial.held_out.end());
    ends.insert(ends.end(), trial.ends.begin(), trial.ends.end());
    n_parts.push_back(trial.ends.size());
  }
}

std::vector<Trial> read_trials(const store::Checkpoint& kept) {
  const auto held_out = learning::array(kept.reals, "held_out");
  const auto ends = learning::array(kept.words, "held_out_ends");
  std::vector<Trial> trials;
  std::size_t part = 0;
  std::size_t row = 0;
  for (const std::uint64_t n_parts : learning::array(kept.words, "held_out_parts")) {
    learning::require(n_parts <= ends.size() - part, "held_out_parts");
    Trial trial;
    for (const std::size_t end = part + n_parts; part < end; ++part) {
      const std::uint64_t before = trial.ends.empty() ? 0 : trial.ends.back();
      learning::require(ends[part] >= before && ends[part] <= held_out.size() - row,
                        "held_out_ends");
      trial.ends.push_back(ends[part]);
    }
    const std::size_t n_rows = trial.ends.empty() ? 0 : trial.ends.back();
    const auto first = held_out.begin() + static_cast<std::ptrdiff_t>(row);
    trial.held_out.assign(first, first + static_cast<std::ptrdiff_t>(n_rows));
    row += n_rows;
    trials.push_back(std::move(trial));
  }
  learning::require(part == ends.size(), "held_out_ends");
  learning::require(row == held_out.size(), "held_out");
  return trials;
}

RunState read(const store::Checkpoint& kept) {
  RunState state;
  const auto at = learning::array(kept.words, "at");
  learning::require(at.size() == 4, "at");
  state.n_done = at[0];
  state.n_agreeing = at[1];
  state.n_begun = at[2];
  state.n_sweeps = at[3];
  if (kept.words.contains("number")) {
    const auto number = learning::array(kept.words, "number");
    learning::require(number.size() == 1 && number[0] < state.n_done, "number");
    state.number = number[0];
  }
  state.trials = read_trials(kept);
  state.sets = learning::array(kept.words, "sets");
  state.states = learning::array(kept.words, "states");
  state.merged_sets = learning::array(kept.words, "merged_sets");
  state.merged_states = learning::array(kept.words, "merged_states");
  state.begun_sets = learning::array(kept.words, "begun_sets");
  state.begun_states = learning::array(kept.words, "begun_states");
  const auto log_evidence = learning::array(kept.reals, "log_evidence");
  learning::require(log_evidence.size() == 1, "log_evidence");
  state.log_evidence = log_evidence[0];
  return state;
}

}  // namespace

void keep(const parallel::Team& team, learning::Checkpoints& checkpoints, RunState& state,
          const BestStart& best) {
  checkpoints.between_steps(team, [&] {
    const auto sets_of = [](const Start& start) {
      return std::vector<std::uint64_t>(start.sets.begin(), start.sets.end());
    };
    state.n_done = best.n_done;
    state.n_agreeing = best.n_agreeing;
    state.number = best.number;
    state.log_evidence = best.log_evidence;
    state.sets = sets_of(best.start);
    state.states = gather_states(team, best.start);
    state.merged_sets = sets_of(best.merged);
    state.merged_states = gather_states(team, best.merged);
    state.n_begun = best.begun.n_causes;
    state.n_sweeps = best.begun.n_sweeps;
    state.begun_sets = sets_of(best.begun.start);
    state.begun_states = gather_states(team, best.begun.start);
    if (team.is_root()) write(state, checkpoints.state());
  });
}

RunState restore(const parallel::Team& team, learning::Checkpoints& checkpoints) {
  RunState state;
  if (team.is_root() && checkpoints.state().words.contains("at")) {
    state = read(checkpoints.state());
  }
  std::vector<std::uint64_t> at{state.n_done,   state.n_agreeing,    state.n_begun,
                                state.n_sweeps, state.trials.size(), state.number};
  std::vector<double> log_evidence{state.log_evidence};
  team.broadcast(at);
  team.broadcast(log_evidence);
  state.n_done = at[0];
  state.n_agreeing = at[1];
  state.n_begun = at[2];
  state.n_sweeps = at[3];
  state.number = at[5];
  state.log_evidence = log_evidence[0];
  for (auto* values : {&state.sets, &state.states, &state.merged_sets, &state.merged_states,
                       &state.begun_sets, &state.begun_states}) {
    team.broadcast(*values);
  }
  state.trials.resize(at[4]);
  for (Trial& trial : state.trials) {
    team.broadcast(trial.held_out);
    team.broadcast(trial.ends);
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

BestStart best_start(const RunState& state, const learning::RowShare& rows, const Shape& shape,
                     StartKind kind) {
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
  best.number = state.number;
  if (kind == StartKind::random) return best;
  best.start = own_start(state.sets, "sets", state.states, "states", rows, shape, shape.n_sets(),
                         shape.n_causes);
  best.merged = own_start(state.merged_sets, "merged_sets", state.merged_states, "merged_states",
                          rows, shape, shape.n_causes, shape.n_causes);
  return best;
}

// ---- rows held out

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

void judge(const model::CategoricalNetwork& network, const data::CategoricalTable& table,
           const parallel::Team& team, int threads, Trial& trial) {
  const model::CategoricalInference inference(network);
  const learning::RowShare rows(team, threads, table.n_rows);
  std::vector<double> values(table.n_rows);
  rows.for_each([&](std::size_t row, int /*thread*/) {
    const std::uint64_t of_all = rows.first() + row;
    values[of_all] = inference.posterior(table.row(of_all)).log_likelihood;
  });
  team.share_values(values);
  trial.held_out.insert(trial.held_out.end(), values.begin(), values.end());
  trial.ends.push_back(trial.held_out.size());
}

}  // namespace orrery::structural_ep
