// The calibrated search as a whole: what it finds, what it does not invent.
#include "families/noisy_or/quartet/calibrated/search.hpp"

#include <gtest/gtest.h>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/planted.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::quartet {
namespace {

using learning::learn_quartet;
using learning::Sampled;

/// Causes of the truth of which a learned one has at least 9 of 10 children and no others to speak
/// of (a Jaccard index of .9).
std::size_t n_found(const model::NoisyOrNetwork& truth, const model::NoisyOrNetwork& learned) {
  std::size_t n = 0;
  for (std::size_t t = 0; t < truth.n_causes(); ++t) {
    const auto wanted = truth.dense_failures(t);
    bool found = false;
    for (std::size_t u = 0; u < learned.n_causes(); ++u) {
      const auto failures = learned.dense_failures(u);
      std::size_t common = 0;
      std::size_t either = 0;
      for (std::size_t x = 0; x < wanted.size(); ++x) {
        common += wanted[x] < 1 && failures[x] < 1 ? 1 : 0;
        either += wanted[x] < 1 || failures[x] < 1 ? 1 : 0;
      }
      found = found || 10 * common >= 9 * either;
    }
    n += found ? 1 : 0;
  }
  return n;
}

struct Network {
  const char* name;
  std::size_t n_rows;
};
class Benchmark : public testing::TestWithParam<Network> {};

// Without any threshold. The counts leave room for one cause in three data sets.
TEST_P(Benchmark, causes_are_found_and_no_others) {
  std::size_t found = 0;
  std::size_t learned = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto truth = *model::generate_network(GetParam().name, seed);
    const Sampled sampled(truth, seed + 100, GetParam().n_rows);
    const auto model = learn_quartet(sampled.moments, truth.observed_names(), {}, 2);
    found += n_found(truth, model.network);
    learned += model.network.n_causes();
  }
  EXPECT_GE(found, 23U);
  EXPECT_LE(learned, 24U);
}

INSTANTIATE_TEST_SUITE_P(Networks, Benchmark,
                         testing::Values(Network{"img", 2000}, Network{"con:8", 10'000},
                                         Network{"con:24", 10'000}, Network{"unif", 2000}));

// The leaks are those of real data: rare, frequent, and nearly always on.
TEST(Search, independent_columns_have_no_cause) {
  std::size_t runs_with_causes = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    std::vector<model::Observed> observed;
    for (int x = 0; x < 40; ++x) {
      observed.push_back({fmt::format("x{}", x), learning::planted::uniform(random, .002, .9)});
    }
    const model::NoisyOrNetwork network({}, observed, {});
    const Sampled sampled(network, seed, 1000);
    const auto model = learn_quartet(sampled.moments, network.observed_names());
    runs_with_causes += model.network.n_causes() > 0 ? 1 : 0;
  }
  EXPECT_EQ(runs_with_causes, 0U);
}

// 20,000 rows are 100 occurrences of each cause.
TEST(Search, rare_causes_are_found) {
  std::vector<model::Cause> causes;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < 4; ++u) {
    causes.push_back({fmt::format("u{}", u), .005});
    for (std::uint32_t k = 0; k < 8; ++k) edges.push_back({u, 7 * u + k, .2});  // one is shared
  }
  for (int x = 0; x < 32; ++x) observed.push_back({fmt::format("x{}", x), .002});
  const model::NoisyOrNetwork truth(causes, observed, edges);
  const Sampled sampled(truth, 2, 20'000);
  const auto model = learn_quartet(sampled.moments, truth.observed_names());
  EXPECT_EQ(n_found(truth, model.network), 4U);
  EXPECT_EQ(model.network.n_causes(), 4U);
}

TEST(Search, says_how_many_quartets_support_a_cause) {
  const auto truth = *model::generate_network("img", 1);
  const Sampled sampled(truth, 1, 5000);
  const auto model = learn_quartet(sampled.moments, truth.observed_names());
  ASSERT_EQ(model.provenance.size(), 8U);
  EXPECT_EQ(model.provenance[0].depth, 0);
  EXPECT_GT(model.provenance[0].support, 1000U);  // of the largest image's C(28, 4) = 20,475
  for (const auto& origin : model.provenance) {
    EXPECT_GE(origin.support, 1U);
    EXPECT_LT(origin.statistic, constants::calibrated::fit_limit);
  }
}

// The priors that quartets estimate are within three standard errors, nearly always.
TEST(Search, estimates_come_with_standard_errors) {
  const auto truth = *model::generate_network("unif", 2);
  const Sampled sampled(truth, 4, 10'000);
  ScanState state{{WorkPlan(64).n_units(), 0, {}}, {}};
  const moments::Subtraction none(64);
  const Options options;
  scan_quartets(learning::lone_team(), 1, sampled.moments, none, options, 0, parallel::Team::never,
                state);
  const auto elected = elect(learning::lone_team(), 1, sampled.moments, none, options, state.found);
  ASSERT_GE(elected.size(), 6U);
  for (std::size_t u = 0; u < 4; ++u) {
    double nearest = 1;
    for (const model::Cause& cause : truth.causes()) {
      nearest = std::min(nearest, std::abs(cause.prior - elected[u].prior));
    }
    EXPECT_LT(nearest, 4 * elected[u].prior_error);
    EXPECT_GT(elected[u].prior_error, 0);
    EXPECT_LT(elected[u].prior_error, .01);
    EXPECT_GE(elected[u].support, elected[u + 1].support);
  }
}

// Of seven children three are another cause's too: 13 quartets have no pair of theirs, twice as
// many that are taken to make up numbers have. Unless they count little their majority decides.
TEST(Search, quartets_that_another_cause_couples_count_little) {
  std::vector<model::Observed> observed;
  for (int x = 0; x < 12; ++x) observed.push_back({fmt::format("x{}", x), .02});
  std::vector<model::Edge> edges;
  for (std::uint32_t a = 0; a < 7; ++a) edges.push_back({0, a, .2});
  for (std::uint32_t a = 4; a < 12; ++a) edges.push_back({1, a, .1});
  const model::NoisyOrNetwork truth({{"u", .15}, {"v", .3}}, observed, edges);
  const Sampled sampled(truth, 2, 20'000);
  std::vector<Cluster> clusters{{{0x7f}, 0, {}}, {{0xff0}, 0, {}}};
  std::vector<Candidate> candidates;
  for (std::size_t u = 0; u < 2; ++u) {
    const std::uint32_t first = u == 0 ? 0 : 4;
    const std::uint32_t last = u == 0 ? 7 : 12;
    for (std::uint32_t a = first; a < last; ++a) {
      for (std::uint32_t b = a + 1; b < last; ++b) {
        for (std::uint32_t c = b + 1; c < last; ++c) {
          for (std::uint32_t d = c + 1; d < last; ++d) {
            clusters[u].voters.push_back(static_cast<std::uint32_t>(candidates.size()));
            candidates.push_back({static_cast<double>(candidates.size()), {a, b, c, d}});
          }
        }
      }
    }
  }
  const moments::Subtraction none(12);
  const Calibration calibration(sampled.moments, none, .05);
  const auto estimated = estimate_causes(learning::lone_team(), 1, sampled.moments, none,
                                         calibration, clusters, candidates);
  ASSERT_EQ(estimated.size(), 2U);
  EXPECT_NEAR(estimated[0].prior, .15, 3 * estimated[0].prior_error);
  for (std::size_t a = 0; a < 4; ++a) {
    EXPECT_NEAR(estimated[0].failures[a], .2, 4 * estimated[0].failure_errors[a]) << a;
  }
}

// Three in ten of the quartets that the children make, where those are few.
TEST(Search, support_is_held_against_the_quartets_there_are) {
  const auto supported = [](std::size_t n_children, std::uint64_t support) {
    Elected cause;
    cause.failures.assign(20, 1);
    std::fill_n(cause.failures.begin(), n_children, .2);
    cause.support = support;
    return well_supported(cause, 3);
  };
  EXPECT_TRUE(supported(4, 1));   // of 1
  EXPECT_FALSE(supported(5, 1));  // of 5
  EXPECT_TRUE(supported(5, 2));
  EXPECT_FALSE(supported(10, 2));  // of 210
  EXPECT_TRUE(supported(10, 3));
}

// What a checkpoint keeps of a round is all that the next one is searched with.
TEST(Search, goes_on_from_a_checkpoint_as_if_nothing_had_happened) {
  State state;
  state.begin_round(0, WorkPlan(6).n_units());
  state.add({.2, .01, {.1, .2, .3, .4, 1, 1}, {.01, .02, .03, .04, 0, 0}, 7, {0, 1, 2, 3}, 4.5});
  state.begin_round(1, WorkPlan(6).n_units());
  state.scan.found.candidates = {{1.5, {1, 2, 4, 5}}, {2.5, {0, 2, 4, 5}}};
  state.scan.found.n_accepted = 2;
  state.outdoes_growth = true;
  state.refined_worth = -12.5;
  store::Checkpoint checkpoint;
  save(state, checkpoint);
  State again = load(checkpoint, 6);
  share(learning::lone_team(), again);
  EXPECT_EQ(again.depth, 1);
  EXPECT_TRUE(again.outdoes_growth);
  EXPECT_EQ(again.refined_worth, -12.5);
  EXPECT_EQ(again.scan.found.candidates.size(), 2U);
  ASSERT_EQ(again.causes.size(), 1U);
  EXPECT_EQ(again.causes[0].provenance, state.causes[0].provenance);
  const auto learned = again.learned_before(6);
  EXPECT_EQ(learned.prior(0), .2);
  EXPECT_EQ(learned.prior_error(0), .01);
  EXPECT_EQ(learned.failure(0, 3), .4);
  EXPECT_EQ(learned.failure_error(0, 3), .04);
  EXPECT_EQ(learned.failure_error(0, 5), 0);
}

}  // namespace
}  // namespace orrery::quartet
