// With exact moments the learner must find every cause that perfect tests can find, at the depth
// that the structure alone predicts, with its exact parameters, and nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "learning/planted.hpp"
#include "learning/run_learner.hpp"
#include "model/network_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/any_model.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::learning {
namespace {

constexpr double exact_tolerance = 1e-6;

/// The largest difference of prior and failures.
double distance(const model::NoisyOrNetwork& x, std::size_t u, const model::NoisyOrNetwork& y,
                std::size_t v) {
  double worst = std::abs(x.causes()[u].prior - y.causes()[v].prior);
  const auto of_u = x.dense_failures(u);
  const auto of_v = y.dense_failures(v);
  for (std::size_t a = 0; a < of_u.size(); ++a) {
    worst = std::max(worst, std::abs(of_u[a] - of_v[a]));
  }
  return worst;
}

/// Each cause of the truth that is learnable stands in the model exactly once, at its depth, with
/// its edges and parameters; what cannot be learned stays in the leaks.
void expect_learned(const model::LearnedModel& learned, const model::NoisyOrNetwork& truth,
                    const std::vector<int>& depths, const std::string& label) {
  SCOPED_TRACE(label);
  std::vector<std::size_t> never;
  std::size_t n_learnable = 0;
  for (std::size_t u = 0; u < truth.n_causes(); ++u) {
    if (depths[u] < 0) {
      never.push_back(u);
      continue;
    }
    ++n_learnable;
    std::size_t matches = 0;
    for (std::size_t v = 0; v < learned.network.n_causes(); ++v) {
      if (!(distance(truth, u, learned.network, v) < exact_tolerance)) continue;
      ++matches;
      EXPECT_EQ(learned.network.children(v).size(), truth.children(u).size());
      EXPECT_EQ(learned.provenance[v].depth, depths[u]) << truth.causes()[u].name;
      for (const std::int32_t x : learned.provenance[v].quartet) {
        EXPECT_LT(truth.failure(u, static_cast<std::size_t>(x)), 1);
      }
    }
    EXPECT_EQ(matches, 1U) << truth.causes()[u].name << " of depth " << depths[u];
  }
  EXPECT_EQ(learned.network.n_causes(), n_learnable);
  for (std::size_t x = 0; x < truth.n_observed(); ++x) {
    const double expected = 1 - planted::negative_moment(truth, never, {x});
    EXPECT_NEAR(learned.network.observed()[x].leak, expected, exact_tolerance) << x;
  }
}

void expect_learned_by_both_tests(const model::NoisyOrNetwork& truth, const std::string& label) {
  const model::NetworkMoments moments(truth);
  const std::vector<int> depths = planted::depths(truth, 4);
  for (const char* test : {"rank", "coherence"}) {
    for (const char* extend : {"median", "first-pair"}) {
      const auto learned =
          learn_quartet(moments, truth.observed_names(), {"--test", test, "--extend", extend});
      EXPECT_EQ(learned.learner, "quartet");
      EXPECT_EQ(learned.n_samples, 0U);
      expect_learned(learned, truth, depths, label + ", " + test + ", " + extend);
    }
  }
}

TEST(ExactLearning, img_has_circle_and_block_at_depth_1_and_the_others_at_depth_0) {
  const auto truth = *model::generate_network("img", 1);
  std::vector<int> sorted = planted::depths(truth, 4);
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, (std::vector{0, 0, 0, 0, 0, 0, 1, 1}));
  expect_learned_by_both_tests(truth, "img");
}

TEST(ExactLearning, con8_is_learned_whatever_its_edges) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    expect_learned_by_both_tests(*model::generate_network("con:8", seed),
                                 fmt::format("con:8 seed {}", seed));
  }
}

TEST(ExactLearning, bars_that_cross_in_every_child_are_learned_at_once) {
  expect_learned_by_both_tests(*model::generate_network("bars:5", 1), "bars:5");
}

// Priors .05-.45, failures .02-.8, leaks 0-.2: the weakest edges have PMI - CPMI of about
// p (1 - f)^3 = 4e-4, far above the exact default --tau-e 1e-7, and multiply coupled quartets have
// statistics far above --tau-q 1e-9.
TEST(ExactLearning, random_planted_networks_are_learned_at_the_depths_of_their_structure) {
  std::size_t n_at_depth[4] = {};
  std::size_t n_never = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    std::mt19937_64 random(seed);
    const auto truth = planted::network(random, {});
    for (const int depth : planted::depths(truth, 4)) {
      if (depth < 0) ++n_never;
      if (depth >= 0) ++n_at_depth[std::min(depth, 3)];
    }
    expect_learned_by_both_tests(truth, fmt::format("planted network {}", seed));
  }
  // The test sees every kind of cause.
  EXPECT_GT(n_never, 50U);
  for (const std::size_t n : n_at_depth) EXPECT_GT(n, 10U);
}

TEST(ExactLearning, long_chains_of_subtractions_do_not_wear_out_the_moments) {
  // Cause u has three children in common with cause u - 1 and three with u + 1: it has a
  // singly-coupled quartet only once one of them is gone. The first has four to itself, the last
  // one only.
  constexpr std::uint32_t n = 8;
  std::mt19937_64 random(4);
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges{{0, 3 * n + 1, .5}};
  for (std::uint32_t u = 0; u < n; ++u) {
    causes.push_back({fmt::format("u{}", u), planted::uniform(random, .05, .45)});
    const std::uint32_t end = u + 1 < n ? 3 * u + 6 : 3 * u + 4;
    for (std::uint32_t x = 3 * u; x < end; ++x) {
      edges.push_back({u, x, planted::uniform(random, .02, .8)});
    }
  }
  std::vector<model::Observed> observed;
  for (std::uint32_t x = 0; x < 3 * n + 2; ++x) {
    observed.push_back({fmt::format("x{}", x), planted::uniform(random, 0, .2)});
  }
  const model::NoisyOrNetwork truth(causes, observed, edges);
  const std::vector<int> depths = planted::depths(truth, 4);
  EXPECT_EQ(depths, (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
  expect_learned_by_both_tests(truth, "chain");
}

TEST(ExactLearning, edges_that_never_fail_are_learned) {
  planted::Ranges ranges;
  ranges.max_causes = 4;
  ranges.min_failure = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::mt19937_64 random(seed);
    const auto drawn = planted::network(random, ranges);
    // One edge a cause; with several in common two causes can look like one (their tables' rank is
    // then too low), which no test can tell apart.
    std::vector<model::Edge> edges = drawn.edges();
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (i == 0 || edges[i].cause != edges[i - 1].cause) edges[i].failure = 0;
    }
    expect_learned_by_both_tests({drawn.causes(), drawn.observed(), edges},
                                 fmt::format("never failing edges, network {}", seed));
  }
}

TEST(ExactLearning, stops_at_max_depth) {
  const auto truth = *model::generate_network("img", 1);
  const model::NetworkMoments moments(truth);
  const auto learned = learn_quartet(moments, truth.observed_names(), {"--max-depth", "0"});
  EXPECT_EQ(learned.network.n_causes(), 6U);
  for (const auto& provenance : learned.provenance) EXPECT_EQ(provenance.depth, 0);
}

TEST(ExactLearning, reports_each_round_after_what_was_before) {
  const auto truth = *model::generate_network("con:8", 1);
  const model::NetworkMoments moments(truth);
  const std::vector<std::string> names = truth.observed_names();
  std::vector<Stage> stages{{"before", 1}};
  Checkpoints checkpoints;
  const LearnContext context{lone_team(), 1,       1, moments, names,
                             nullptr,     nullptr, 0, stages,  checkpoints};
  (void)quartet::entry.learn(context, parse_options(quartet::entry, {}));
  ASSERT_GE(stages.size(), 2U);
  EXPECT_EQ(stages[0].name, "before");
  EXPECT_EQ(stages[1].name, "quartets_depth_0");
  EXPECT_GT(stages[1].seconds, 0);
  EXPECT_GT(stages[1].units, 0U);
}

TEST(QuartetOptions, out_of_range_values_are_refused_by_name) {
  const auto truth = *model::generate_network("con:8", 1);
  const model::NetworkMoments moments(truth);
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--test", "ranks"},
                                                    {"--tau-q", "0"},
                                                    {"--tau-q", "nan"},
                                                    {"--tau-q2", "-1"},
                                                    {"--tau-e", "inf"},
                                                    {"--extend", "second-pair"},
                                                    {"--max-depth", "-1"},
                                                    {"--max-candidates", "0"}}) {
    try {
      learn_quartet(moments, truth.observed_names(), arguments);
      ADD_FAILURE() << arguments[0] << " " << arguments[1];
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(arguments[0]), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace orrery::learning
