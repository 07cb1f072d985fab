// Plans: what they count, never how long it takes (tests/bench/plans holds them against runs).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "families/noisy_or/quartet/rounds.hpp"
#include "families/noisy_or/quartet/scan/scan.hpp"
#include "families/noisy_or/quartet/scan/thinned_round.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "model/network_moments.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"
#include "store/store.hpp"

namespace orrery::quartet {
namespace {

using learning::Plan;
using learning::Resources;
using learning::Timing;

SiblingGraph siblings_of(const moments::MomentSource& moments, double tau_e) {
  return {AdjustedPairs(moments, moments::Subtraction(moments.n_observed())), tau_e};
}

std::vector<std::uint64_t> all_units(const WorkPlan& plan) {
  std::vector<std::uint64_t> units(plan.n_units());
  std::iota(units.begin(), units.end(), std::uint64_t{0});
  return units;
}

class SlabUseOfBars : public ::testing::Test {
 protected:
  model::NoisyOrNetwork network_ = *model::generate_network("bars:8", 1);
  model::NetworkMoments moments_{network_};
  SiblingGraph siblings_ = siblings_of(moments_, 1e-7);
  WorkPlan plan_{64};

  SlabUse use(double open, std::size_t kept, std::size_t workers) {
    return slab_use(plan_, siblings_, all_units(plan_), open, kept, workers);
  }
};

TEST_F(SlabUseOfBars, one_worker_that_keeps_all_makes_each_slab_once) {
  double work = 0;
  double bytes = 0;
  for (std::size_t a = 0; a < 64; ++a) {
    work += static_cast<double>(siblings_.n_later(a) * (64 - a));
    if (siblings_.n_later(a) > 0)
      bytes += static_cast<double>(slab_bytes(64, siblings_.n_later(a)));
  }
  const SlabUse once = use(1, 64, 1);
  EXPECT_DOUBLE_EQ(once.work, work);
  // The last of a row or column has no later sibling: an empty slab, but one.
  EXPECT_GE(once.bytes, bytes);
  EXPECT_LT(once.bytes, bytes + 64 * static_cast<double>(slab_bytes(64, 0) + 1));
}

TEST_F(SlabUseOfBars, workers_make_their_own_and_few_slots_are_made_anew) {
  const double once = use(1, 64, 1).work;
  EXPECT_GT(use(1, 64, 3).work, once);
  EXPECT_LE(use(1, 64, 3).work, 3 * once);
  EXPECT_LT(use(1, 64, 3).bytes, use(1, 64, 1).bytes);
  EXPECT_GT(use(1, 2, 1).work, 2 * once);
  EXPECT_LE(use(1, 2, 1).bytes, 2.0 * static_cast<double>(slab_bytes(64, siblings_.n_later(0))));
}

TEST_F(SlabUseOfBars, pairs_without_a_passing_triple_need_one_slab_only) {
  EXPECT_LT(use(0, 2, 1).work, use(0.5, 2, 1).work);
  EXPECT_LT(use(0.5, 2, 1).work, use(1, 2, 1).work);
}

TEST(QuartetPlan, candidates_count_up_to_the_limit) {
  Options options;
  options.max_candidates = 1000;
  const double one = candidate_bytes(1, {}, options);
  EXPECT_GE(one, static_cast<double>(sizeof(Candidate)));
  EXPECT_DOUBLE_EQ(candidate_bytes(500, {}, options), 500 * one);
  EXPECT_DOUBLE_EQ(candidate_bytes(1e6, {}, options), candidate_bytes(1e9, {}, options));
  EXPECT_LE(candidate_bytes(1e9, {}, options), 5 * 1000 * sizeof(Candidate));
  // A thread holds twice the limit before it drops the worse half.
  EXPECT_GE(candidate_bytes(1e9, {1, 1, 8}, options), 16'000 * sizeof(Candidate));
}

// A minute is time enough for every unit: the sample is the round itself.
TEST(QuartetPlan, a_round_that_fits_is_run_whole) {
  const auto network = *model::generate_network("con:8", 1);
  const learning::Sampled sampled(network, 1, 20'000);
  const Options options;
  ScanState scanned;
  (void)scan_quartets(learning::lone_team(), 1, sampled.moments, moments::Subtraction(64), options,
                      0, parallel::Team::never, scanned);
  for (const int threads : {1, 3}) {
    const Resources resources{1, 1, threads};
    Timing timing(resources);
    State state;
    const RoundForecast round =
        thinned_round(sampled.moments, options, resources, 60, state, timing);
    EXPECT_TRUE(round.whole);
    EXPECT_DOUBLE_EQ(round.n_accepted, static_cast<double>(scanned.found.n_accepted));
    EXPECT_EQ(
        state.causes.size(),
        learning::learn_quartet(sampled.moments, network.observed_names()).network.n_causes());
    EXPECT_GT(round.scan_seconds, 0);
    EXPECT_GT(round.extend_seconds, 0);
    EXPECT_GT(round.thread_bytes, static_cast<double>(sampled.moments.walker_bytes()));
  }
}

// No unit is done then, so every quartet of siblings may be accepted: more than the C(8, 4) of each
// of the 16 bars, as a pair counts its k common siblings beside their C(k, 2) pairs.
TEST(QuartetPlan, without_time_one_pair_a_thread_stands_for_all) {
  const auto network = *model::generate_network("bars:8", 1);
  const model::NetworkMoments moments(network);
  Options options;
  options.test = quartet::Test::rank;
  options.tau_q = 1e-9;
  options.tau_e = 1e-7;
  Timing timing({});
  State state;
  const RoundForecast round = thinned_round(moments, options, {}, 0, state, timing);
  EXPECT_FALSE(round.whole);
  EXPECT_GE(round.n_accepted, 16 * 70);
  EXPECT_GT(round.scan_seconds, 0);
  EXPECT_TRUE(std::isfinite(round.scan_seconds));
  EXPECT_TRUE(state.causes.empty());  // and no time to learn any
}

TEST(QuartetPlan, exact_moments_are_planned_without_samples) {
  const auto network = *model::generate_network("bars:8", 1);
  const model::NetworkMoments moments(network);
  const Resources resources;
  Timing timing(resources);
  const Plan plan = entry.plan({resources, moments, 1, timing}, learning::parse_options(entry, {}));
  EXPECT_EQ(plan.units, WorkPlan(64).n_units());
  EXPECT_GT(plan.memory_bytes, 2.0 * 64 * 64 * 8);
  EXPECT_DOUBLE_EQ(plan.memory_bytes, learning::total(plan.memory));
}

TEST(Timing, shared_work_is_divided_and_lonely_work_is_not) {
  const auto seconds = [](const Resources& resources, double given) {
    Timing timing(resources);
    timing.gave(given, 1, 1);
    timing.shared("scan", 8);
    timing.alone("setup", 1);
    timing.waits("start", 0.5);
    Plan plan;
    timing.into(plan);
    return plan;
  };
  const Plan one = seconds({1, 1, 1}, 1);
  EXPECT_DOUBLE_EQ(one.seconds.value(), 9.5);
  EXPECT_DOUBLE_EQ(one.processor_seconds, 9);
  // A rank per host: four processors whatever this machine has.
  const Plan four = seconds({4, 1, 1}, 1);
  EXPECT_DOUBLE_EQ(four.seconds.value(), 2 + 1 + 0.5);
  EXPECT_DOUBLE_EQ(four.processor_seconds, 8 + 4);
  ASSERT_EQ(four.stages.size(), 3U);
  EXPECT_EQ(four.stages[0].first, "scan");
  // Half of the machine is another's.
  EXPECT_DOUBLE_EQ(seconds({1, 1, 1}, 0.5).seconds.value(), 18.5);
}

class PilotOfAFile : public ::testing::Test {
 protected:
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("orrery_plan_" + std::to_string(::getpid()) + ".h5");
  ~PilotOfAFile() override { std::filesystem::remove(path_); }

  /// `n` rows of bars:8.
  void write(std::size_t n) {
    const auto network = *model::generate_network("bars:8", 1);
    store::SampleWriter writer(path_);
    writer.begin(network.observed_names());
    const std::size_t of_block = data::block_rows(64);
    for (std::size_t row = 0; row < n; row += of_block) {
      writer.append(model::sample_rows(network, 1, row, std::min(of_block, n - row)), nullptr);
    }
    writer.finish({});
  }
};

TEST_F(PilotOfAFile, few_rows_stand_for_themselves) {
  write(1000);
  Timing timing({});
  const learning::Pilot pilot = learning::load_pilot(path_, {}, timing);
  EXPECT_EQ(pilot.n_samples, 1000U);
  EXPECT_EQ(pilot.values->n_rows(), 1000U);
  EXPECT_DOUBLE_EQ(pilot.scale, 1);
  EXPECT_DOUBLE_EQ(pilot.bits_bytes, 64 * 16 * 8);
}

// However many rows were read: those that stand in are counted consistently (pairs once for all
// their copies), and weigh as much as the file's.
TEST_F(PilotOfAFile, counts_are_those_of_the_rows_that_stand_in) {
  write(200'000);
  Timing timing({});
  const learning::Pilot pilot = learning::load_pilot(path_, {}, timing);
  const moments::PairCounts counted = moments::count_pairs(*pilot.values);
  EXPECT_EQ(moments::CountedMoments(*pilot.values, counted).pairs(), pilot.moments->pairs());
  EXPECT_EQ(counted.n_samples, pilot.moments->n_samples());
  EXPECT_DOUBLE_EQ(pilot.scale * static_cast<double>(pilot.values->n_rows()), 200'000);
}

}  // namespace
}  // namespace orrery::quartet
