// The learner as a whole: recovery, splits, numbers of causes, checkpoints, refusals.
#include <gtest/gtest.h>

#include "families/noisy_or/scores/match.hpp"
#include "families/noisy_or/variational_em/fit.hpp"
#include "families/noisy_or/variational_em/networks.hpp"
#include "model/oracle.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::variational_em {
extern const learning::LearnerEntry entry;
namespace {

model::LearnedModel learn(const learning::Sampled& sampled, const std::vector<std::string>& names,
                          const std::vector<std::string>& arguments, int threads = 1) {
  log::configure(log::Level::quiet, true);
  const learning::WithRows with_rows(sampled, names, threads);
  return *entry.learn(with_rows.context(), learning::parse_options(entry, arguments))
              .as<model::LearnedModel>();
}

// 10,000 rows: a failure of .1 of a cause present in 1,250 rows has a standard error of .0085, a
// prior of 1/8 one of .0033. Mean field adds a bias of its own, well below .1.
TEST(VariationalEm, finds_eight_planted_causes) {
  const auto truth = *model::generate_network("con:8", 1);
  const learning::Sampled sampled(truth, 1, 10'000);
  const auto learned =
      learn(sampled, truth.observed_names(), {"--causes", "8", "--restarts", "8"}, 2);
  const auto result = noisy_or::score_network(learned, truth);
  EXPECT_EQ(result.recovered, 8U);
  EXPECT_TRUE(result.extra.empty());
  EXPECT_LT(result.mean_prior_error, .01);
  EXPECT_LT(result.max_failure_error, .1);
}

TEST(VariationalEm, threads_change_nothing) {
  const auto truth = *model::generate_network("img", 1);
  const learning::Sampled sampled(truth, 1, 1'000);
  const std::vector<std::string> arguments{"--causes", "5", "--max-iterations", "12"};
  const auto one = learn(sampled, truth.observed_names(), arguments, 1);
  const auto four = learn(sampled, truth.observed_names(), arguments, 4);
  EXPECT_EQ(one.network.edges(), four.network.edges());
  ASSERT_EQ(one.network.n_causes(), four.network.n_causes());
  for (std::size_t k = 0; k < one.network.n_causes(); ++k) {
    EXPECT_EQ(one.network.causes()[k].prior, four.network.causes()[k].prior);
  }
}

TEST(VariationalEm, finds_the_number_of_causes_by_rows_held_out) {
  const model::NoisyOrNetwork apart(
      {{"u", .3}, {"v", .4}},
      {{"a", .02}, {"b", .02}, {"c", .02}, {"d", .02}, {"e", .02}, {"f", .02}},
      {{0, 0, .1}, {0, 1, .2}, {0, 2, .1}, {1, 3, .1}, {1, 4, .2}, {1, 5, .1}});
  const learning::Sampled sampled(apart, 1, 3'000);
  const auto learned = learn(sampled, apart.observed_names(), {"--restarts", "4"});
  EXPECT_EQ(noisy_or::score_network(learned, apart).recovered, 2U);
  EXPECT_EQ(learned.network.n_causes(), 2U);
}

TEST(NumbersOfCauses, double_until_the_bound_falls_and_then_close_in) {
  const auto search = [](std::size_t most, auto bound) {
    std::vector<Tried> tried;
    while (const auto next = next_number(tried, most)) {
      for (const Tried& one : tried) EXPECT_NE(one.n_causes, *next);
      EXPECT_LE(*next, most);
      tried.push_back({*next, bound(*next)});
      if (tried.size() > 100) break;
    }
    return tried;
  };
  for (const double peak : {1., 2., 3., 7., 13., 64.}) {
    const auto tried =
        search(64, [&](std::size_t n) { return -std::abs(static_cast<double>(n) - peak); });
    EXPECT_EQ(best_number(tried), static_cast<std::size_t>(peak));
    EXPECT_LT(tried.size(), 16U);
  }
  EXPECT_EQ(search(1, [](std::size_t) { return 0.; }).size(), 1U);
  // Of equals the fewest.
  EXPECT_EQ(best_number(search(64, [](std::size_t) { return 0.; })), 1U);
}

State any_state(bool begun) {
  std::mt19937_64 random(5);
  State state;
  state.tried = {{1, -3.5}, {2, -3.25}};
  state.n_causes = 3;
  state.hold_out = true;
  for (int i = 0; i < 4; ++i) {
    Restart& restart = state.restarts.emplace_back();
    restart.best = random_parameters(random, 3, 6);
    restart.next = random_parameters(random, 3, 6);
    restart.bound = -2.5 - i;
    restart.held_out = -2.75;
    restart.gain = .125 + i;
    restart.passes = begun ? 7 : 0;
    restart.halvings = 2;
    restart.done = i == 2;
  }
  return state;
}

TEST(VariationalState, a_checkpoint_gives_it_back) {
  const State state = any_state(true);
  store::Checkpoint checkpoint;
  save(state, checkpoint);
  const State taken = load(checkpoint, 6);
  EXPECT_EQ(taken.n_causes, 3U);
  EXPECT_TRUE(taken.hold_out);
  ASSERT_EQ(taken.tried.size(), 2U);
  EXPECT_EQ(taken.tried[1].held_out, -3.25);
  ASSERT_EQ(taken.restarts.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(taken.restarts[i].best, state.restarts[i].best);
    EXPECT_EQ(taken.restarts[i].next, state.restarts[i].next);
    EXPECT_EQ(taken.restarts[i].bound, state.restarts[i].bound);
    EXPECT_EQ(taken.restarts[i].gain, state.restarts[i].gain);
    EXPECT_EQ(taken.restarts[i].halvings, 2U);
    EXPECT_EQ(taken.restarts[i].done, i == 2);
  }
  save(any_state(false), checkpoint);
  EXPECT_TRUE(load(checkpoint, 6).restarts.empty());
  EXPECT_EQ(load({}, 6).n_causes, 0U);
}

TEST(VariationalState, arrays_that_do_not_fit_are_refused) {
  store::Checkpoint good;
  save(any_state(true), good);
  const auto refused = [&](const char* name, auto break_it) {
    store::Checkpoint broken = good;
    break_it(broken);
    const auto message = model::oracle::message_of<InputError>([&] { (void)load(broken, 6); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
  };
  refused("best", [](auto& c) { c.reals["best"].pop_back(); });
  refused("next", [](auto& c) { c.reals["next"][3] = 1.5; });
  refused("bounds", [](auto& c) { c.reals["bounds"][0] = std::nan(""); });
  refused("progress", [](auto& c) { c.words["progress"].push_back(0); });
  refused("stage", [](auto& c) { c.words["stage"].pop_back(); });
  refused("tried_numbers", [](auto& c) { c.words["tried_numbers"][0] = 7; });
  EXPECT_THROW((void)load(good, 5), InputError);
}

TEST(VariationalOptions, bad_values_are_refused) {
  const auto refused = [](const std::vector<std::string>& arguments, const std::string& text,
                          bool exact = false) {
    const auto message = model::oracle::message_of<UsageError>(
        [&] { (void)entry.result_options(exact, learning::parse_options(entry, arguments)); });
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  refused({"--causes", "0"}, "--causes 0");
  refused({"--causes", "some"}, "--causes some");
  refused({"--causes", "3x"}, "--causes 3x");
  refused({"--restarts", "0"}, "--restarts 0");
  refused({"--max-iterations", "0"}, "--max-iterations 0");
  refused({"--tolerance", "0"}, "--tolerance 0");
  refused({"--tolerance", "nan"}, "--tolerance nan");
  refused({"--race", "-1"}, "--race");
  refused({"--race", "1000001"}, "--race 1000001");
  refused({"--prune", "1.5"}, "--prune 1.5");
  refused({}, "give DATA", true);
}

}  // namespace
}  // namespace orrery::variational_em
