#include "learners/structural_ep/run_state.hpp"

#include <algorithm>

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

void keep(const parallel::Team& team, learners::Checkpoints& checkpoints, RunState& state,
          const BestStart& best) {
  checkpoints.between_steps(team, [&] {
    state.n_done = best.n_done;
    state.n_agreeing = best.n_agreeing;
    state.log_evidence = best.log_evidence;
    state.sets.assign(best.start.sets.begin(), best.start.sets.end());
    state.states = gather_states(team, best.start);
    if (team.is_root()) {
      auto& kept = checkpoints.state();
      kept.words["at"] = {state.task, state.n_done, state.n_agreeing};
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

RunState restore(const parallel::Team& team, learners::Checkpoints& checkpoints) {
  std::vector<std::uint64_t> at{0, 0, 0};
  std::vector<std::uint64_t> sets;
  std::vector<std::uint64_t> states;
  std::vector<double> log_evidence{0};
  std::vector<double> held_out;
  if (team.is_root() && checkpoints.state().words.contains("at")) {
    const auto& kept = checkpoints.state();
    at = learners::array(kept.words, "at");
    learners::require(at.size() == 3, "at");
    sets = learners::array(kept.words, "sets");
    states = learners::array(kept.words, "states");
    log_evidence = learners::array(kept.reals, "log_evidence");
    learners::require(log_evidence.size() == 1, "log_evidence");
    held_out = learners::array(kept.reals, "held_out");
    learners::require(held_out.size() % 3 == 0, "held_out");
  }
  team.broadcast(at);
  team.broadcast(sets);
  team.broadcast(states);
  team.broadcast(log_evidence);
  team.broadcast(held_out);
  RunState state{at[0], {}, at[1], at[2], log_evidence[0], std::move(sets), std::move(states)};
  for (std::size_t i = 0; i < held_out.size(); i += 3) {
    state.held_out.push_back({held_out[i], held_out[i + 1], held_out[i + 2]});
  }
  return state;
}

BestStart best_start(const RunState& state, const learners::RowShare& rows, const Shape& shape) {
  BestStart best;
  if (state.n_done == 0) return best;
  const auto below = [](std::size_t bound) {
    return [bound](std::uint64_t value) { return value < bound; };
  };
  learners::require(state.sets.size() == shape.n_observed() &&
                        std::ranges::all_of(state.sets, below(shape.n_sets())),
                    "sets");
  learners::require(state.states.size() == shape.n_causes * rows.n_rows() &&
                        std::ranges::all_of(state.states, below(shape.cardinality)),
                    "states");
  best.n_done = state.n_done;
  best.n_agreeing = state.n_agreeing;
  best.log_evidence = state.log_evidence;
  for (const std::uint64_t set : state.sets) {
    best.start.sets.push_back(static_cast<std::uint32_t>(set));
  }
  for (std::size_t k = 0; k < shape.n_causes; ++k) {
    std::vector<std::uint8_t> of_cause(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      of_cause[row] =
          static_cast<std::uint8_t>(state.states[k * rows.n_rows() + rows.first() + row]);
    }
    best.start.states.push_back(std::move(of_cause));
  }
  return best;
}

}  // namespace orrery::structural_ep
