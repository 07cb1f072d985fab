// What a checkpoint keeps of a search is what it had, to the bit.
#include <gtest/gtest.h>

#include "families/categorical/structural_em/cases.hpp"
#include "families/categorical/structural_em/search.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "orrery/base/error.hpp"

namespace orrery::structural_em {
namespace {

void expect_same(const Fit& a, const Fit& b) {
  EXPECT_EQ(a.network, b.network);
  EXPECT_EQ(a.objective, b.objective);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.n_passes, b.n_passes);
  EXPECT_EQ(a.is_done, b.is_done);
  EXPECT_EQ(a.has_converged, b.has_converged);
}

/// A trial in the middle of EM, an accepted structure with fewer edges, no best one yet.
State some_state(const Given& given) {
  State state{3, true, 2, {}, {}, {}};
  state.trial.network = random_start(given.table, 2, 3, StartKind::rows, 1, 0, "data");
  for (int pass = 0; pass < 3; ++pass) advance(given.data(), {}, state.trial);
  state.accepted = state.trial;
  auto variables = state.accepted->network.variables();
  variables[1].parents = {1};
  variables[1].table.resize(3 * variables[1].n_categories());
  variables[1].counts.clear();
  state.accepted->network = {state.accepted->network.causes(), variables};
  state.accepted->is_done = state.accepted->has_converged = true;
  state.accepted->score = -123.25;
  return state;
}

TEST(StructuralEmState, comes_back_as_it_was) {
  const Given given(drawn("categorical:1,2,5", 1, 100));
  const State state = some_state(given);
  store::Checkpoint checkpoint;
  save(state, checkpoint);
  const auto back = load_everywhere(lone_team(), checkpoint, state.trial.network);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->restart, 3U);
  EXPECT_TRUE(back->is_early);
  EXPECT_EQ(back->n_changes, 2U);
  expect_same(back->trial, state.trial);
  ASSERT_TRUE(back->accepted.has_value());
  expect_same(*back->accepted, *state.accepted);
  EXPECT_FALSE(back->best.has_value());
  EXPECT_FALSE(load_everywhere(lone_team(), {}, state.trial.network).has_value());
}

TEST(StructuralEmState, damaged_arrays_are_refused) {
  const Given given(drawn("categorical:1,2,5", 1, 100));
  const State state = some_state(given);
  store::Checkpoint good;
  save(state, good);
  for (int damage = 0; damage < 5; ++damage) {
    store::Checkpoint bad = good;
    if (damage == 0) bad.reals["trial_tables"].pop_back();
    if (damage == 1) bad.reals["accepted_tables"][10] = -1;
    if (damage == 2) bad.words["trial_parents"][3] = 7;  // so many parents
    if (damage == 3) bad.words["stage"].pop_back();
    if (damage == 4) bad.reals["trial_tables"].push_back(.5);
    EXPECT_THROW((void)load_everywhere(lone_team(), bad, state.trial.network), InputError)
        << damage;
  }
}

}  // namespace
}  // namespace orrery::structural_em
