#include "model/anchored_generators.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "model/cause_elimination.hpp"
#include "model/network_moments.hpp"
#include "model/says.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

NoisyOrNetwork anchored_network(const std::string& spec, std::uint64_t seed = 1,
                                const AnchoredChoices& choices = {}) {
  return generate_anchored(parse_anchored_spec(spec).value(), choices, seed);
}

std::string anchored_spec_refusal(const std::string& spec, const AnchoredChoices& choices = {}) {
  try {
    (void)anchored_network(spec, 1, choices);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

/// The causes above each column.
std::vector<std::vector<std::uint32_t>> parents_of(const NoisyOrNetwork& loadings) {
  std::vector<std::vector<std::uint32_t>> parents(loadings.n_observed());
  for (const Edge& edge : loadings.edges()) parents[edge.observed].push_back(edge.cause);
  return parents;
}

double correlation(std::span<const double> pair) {
  const double a = pair[1] + pair[3];
  const double b = pair[2] + pair[3];
  return (pair[3] - a * b) / std::sqrt(a * (1 - a) * b * (1 - b));
}

TEST(AnchoredGenerators, reads_the_four_kinds) {
  const auto tree = parse_anchored_spec("anchored:tree:5,20").value();
  EXPECT_EQ(tree.structure, AnchoredSpec::Causes::tree);
  EXPECT_EQ(tree.n_causes, 5U);
  EXPECT_EQ(tree.n_observed, 20U);
  const auto graph = parse_anchored_spec("anchored:indegree:3,6,30").value();
  EXPECT_EQ(graph.structure, AnchoredSpec::Causes::indegree);
  EXPECT_EQ(graph.limit, 3U);
  EXPECT_EQ(graph.n_causes, 6U);
  EXPECT_EQ(graph.n_observed, 30U);
  const auto sparse = parse_anchored_spec("anchored:degree:2,6,30").value();
  EXPECT_EQ(sparse.structure, AnchoredSpec::Causes::degree);
  EXPECT_EQ(sparse.limit, 2U);
  const auto apart = parse_anchored_spec("anchored:independent:5,20").value();
  EXPECT_EQ(apart.structure, AnchoredSpec::Causes::independent);
  EXPECT_EQ(apart.n_causes, 5U);
  EXPECT_FALSE(parse_anchored_spec("linear:ternary:3").has_value());
  EXPECT_FALSE(parse_anchored_spec("anchoredness").has_value());
}

TEST(AnchoredGenerators, refuses_the_rest_with_the_remedy) {
  EXPECT_TRUE(says(anchored_spec_refusal("anchored"),
                   "write anchored:tree:K,M, anchored:indegree:D,K,M, anchored:degree:D,K,M or "
                   "anchored:independent:K,M"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree"), "write anchored:tree"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:ring:5,20"), "write anchored:tree"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5"), "needs 2 values"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5,20,3"), "needs 2 values"));
  EXPECT_TRUE(
      says(anchored_spec_refusal("anchored:tree:0,20"), "K needs a whole number 1 to 10000"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5,1e9"), "M needs a whole number"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5,9"), "give M = 10 or more"));
  EXPECT_TRUE(
      says(anchored_spec_refusal("anchored:indegree:9,5,20"), "D needs a whole number 1 to 8"));
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:indegree:5,20"), "needs 3 values"));
  AnchoredChoices choices;
  choices.rates = {.5, .5};
  EXPECT_TRUE(
      says(anchored_spec_refusal("anchored:tree:5,20", choices), "the first less than the second"));
  choices.rates = {std::nan(""), .5};
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5,20", choices), "nan,0.5"));
  choices.rates.reset();
  choices.violations = 1.5;
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:5,20", choices), "violations of 1.5"));
  choices.violations = 1;
  EXPECT_TRUE(says(anchored_spec_refusal("anchored:tree:1,20", choices), "two causes or more"));
}

TEST(AnchoredGenerators, the_first_columns_are_anchors_of_one_cause_each) {
  for (const char* spec : {"anchored:tree:12,60", "anchored:indegree:3,12,60"}) {
    const NoisyOrNetwork drawn = anchored_network(spec);
    ASSERT_EQ(drawn.anchors().size(), 12U);
    const auto parents = parents_of(drawn);
    for (std::uint32_t i = 0; i < 12; ++i) {
      EXPECT_EQ(drawn.anchors()[i], (Anchor{i, i}));
      EXPECT_EQ(parents[i], (std::vector<std::uint32_t>{i}));
      EXPECT_EQ(drawn.observed()[i].name, fmt::format("a{}", i));
      EXPECT_EQ(drawn.causes()[i].name, fmt::format("y{}", i));
      const auto [off, on] = drawn.anchor_rates(i);
      EXPECT_TRUE(off >= .01 && off <= .1 && on >= .5 && on <= .95) << off << ' ' << on;
    }
    EXPECT_EQ(drawn.observed()[12].name, "x0");
  }
}

TEST(AnchoredGenerators, other_columns_have_one_to_three_parents_and_each_cause_a_child) {
  const NoisyOrNetwork drawn = anchored_network("anchored:tree:20,200", 3);
  const auto parents = parents_of(drawn);
  std::set<std::size_t> counts;
  std::set<std::uint32_t> used;
  for (std::size_t j = 20; j < 200; ++j) {
    counts.insert(parents[j].size());
    used.insert(parents[j].begin(), parents[j].end());
    const double leak = drawn.observed()[j].leak;
    EXPECT_TRUE(leak >= .01 && leak <= .1);
  }
  EXPECT_EQ(counts, (std::set<std::size_t>{1, 2, 3}));
  EXPECT_EQ(used.size(), 20U);
  for (const Edge& edge : drawn.edges()) {
    if (edge.observed >= 20) {
      EXPECT_TRUE(edge.failure >= .2 && edge.failure <= .8);
    }
  }
  // As few columns as there may be: still one child each; one cause: one parent.
  EXPECT_EQ(anchored_network("anchored:tree:7,14").children(6).size() >= 2, true);
  EXPECT_EQ(anchored_network("anchored:tree:1,9").edges().size(), 9U);
}

TEST(AnchoredGenerators, a_tree_joins_all_causes_without_a_cycle) {
  std::set<std::uint32_t> roots;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const CauseNetwork causes = anchored_network("anchored:tree:10,20", seed).cause_network();
    EXPECT_TRUE(causes.is_forest());
    EXPECT_EQ(causes.n_edges(), 9U);
    roots.insert(causes.order().front());
  }
  EXPECT_GE(roots.size(), 4U);  // 20 draws of 10: fewer has a chance below 1e-6
}

TEST(AnchoredGenerators, graphs_have_up_to_d_parents_and_stay_feasible) {
  std::set<std::size_t> counts;
  const CauseNetwork causes = anchored_network("anchored:indegree:3,100,200").cause_network();
  for (const CauseTable& table : causes.tables()) counts.insert(table.parents.size());
  EXPECT_EQ(counts, (std::set<std::size_t>{0, 1, 2, 3}));
  EXPECT_TRUE(CauseElimination(causes).is_feasible());
  EXPECT_TRUE(CauseElimination(anchored_network("anchored:indegree:8,300,600").cause_network())
                  .is_feasible());
}

TEST(AnchoredGenerators, causes_have_up_to_d_neighbours_and_some_have_as_many) {
  for (const std::size_t most : {1U, 2U, 3U}) {
    std::set<std::size_t> counts;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const CauseNetwork causes =
          anchored_network(fmt::format("anchored:degree:{},20,40", most), seed).cause_network();
      for (std::uint32_t i = 0; i < 20; ++i) {
        counts.insert(causes.tables()[i].parents.size() + causes.children(i).size());
      }
    }
    EXPECT_EQ(*counts.rbegin(), most);
  }
}

TEST(AnchoredGenerators, independent_causes_have_no_parents) {
  const CauseNetwork causes = anchored_network("anchored:independent:9,20").cause_network();
  EXPECT_EQ(causes.n_causes(), 9U);
  EXPECT_EQ(causes.n_edges(), 0U);
}

// Marginals are drawn from [.1, .4] and set within the error of 4,096 rows, whose standard error is
// at most .0077 each way: 5 of them.
TEST(AnchoredGenerators, causes_have_moderate_priors_and_depend_both_ways) {
  for (const char* spec : {"anchored:tree:40,80", "anchored:indegree:2,40,80"}) {
    const NoisyOrNetwork drawn = anchored_network(spec, 4);
    for (const Cause& cause : drawn.causes()) {
      EXPECT_GT(cause.prior, .1 - .04) << spec;
      EXPECT_LT(cause.prior, .4 + .04) << spec;
    }
    for (const CauseTable& table : drawn.cause_network().tables()) {
      for (const double on : table.on) EXPECT_TRUE(on >= .02 && on <= .95) << on;
    }
  }
  const NoisyOrNetwork tree = anchored_network("anchored:tree:200,400", 4);
  const CauseElimination elimination(tree.cause_network());
  const std::vector<CauseWeight> no_weights(200, CauseWeight{1, 1});
  std::size_t n_negative = 0;
  for (std::uint32_t i = 0; i < 200; ++i) {
    for (const std::uint32_t parent : tree.cause_network().tables()[i].parents) {
      const std::uint32_t pair[] = {std::min(i, parent), std::max(i, parent)};
      const double r = correlation(elimination.table(pair, no_weights));
      EXPECT_TRUE(std::abs(r) > .06 && std::abs(r) < .7) << r;
      if (r < 0) ++n_negative;
    }
  }
  EXPECT_GT(n_negative, 100U - 35);  // 199 signs: 5 standard deviations
  EXPECT_LT(n_negative, 100U + 35);
}

TEST(AnchoredGenerators, given_rates_replace_the_drawn_ones_and_nothing_else) {
  const NoisyOrNetwork drawn = anchored_network("anchored:indegree:2,8,40", 5);
  AnchoredChoices choices;
  choices.rates = {.05, .75};
  const NoisyOrNetwork given = anchored_network("anchored:indegree:2,8,40", 5, choices);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(given.anchor_rates(i).first, .05);
    EXPECT_NEAR(given.anchor_rates(i).second, .75, 1e-15);
  }
  EXPECT_EQ(given.cause_network(), drawn.cause_network());
  for (std::size_t j = 8; j < 40; ++j) {
    EXPECT_EQ(given.observed()[j].leak, drawn.observed()[j].leak);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(given.failure(i, j), drawn.failure(i, j));
    }
  }
  choices.rates = {0, 1};
  EXPECT_EQ(anchored_network("anchored:tree:2,4", 1, choices).anchor_rates(0),
            (std::pair{0.0, 1.0}));
}

TEST(AnchoredGenerators, violations_add_weak_edges_from_neighbours_to_that_share_of_anchors) {
  const NoisyOrNetwork clean = anchored_network("anchored:tree:20,60", 6);
  AnchoredChoices choices;
  choices.violations = .3;
  const NoisyOrNetwork broken = anchored_network("anchored:tree:20,60", 6, choices);
  const auto parents = parents_of(broken);
  std::size_t n_broken = 0;
  for (std::uint32_t i = 0; i < 20; ++i) {
    if (parents[i].size() == 1) continue;
    ++n_broken;
    EXPECT_LE(parents[i].size(), 3U);
    bool from_neighbour = false;
    for (const std::uint32_t parent : parents[i]) {
      if (parent == i) continue;
      EXPECT_GE(broken.failure(parent, i), .6);
      EXPECT_LE(broken.failure(parent, i), .9);
      const auto& above = broken.cause_network().tables()[i].parents;
      const auto& below = broken.cause_network().children(i);
      from_neighbour = from_neighbour || std::ranges::count(above, parent) > 0 ||
                       std::ranges::count(below, parent) > 0;
    }
    EXPECT_TRUE(from_neighbour);
  }
  EXPECT_EQ(n_broken, 6U);
  EXPECT_EQ(broken.cause_network(), clean.cause_network());
  for (const Edge& edge : clean.edges()) {
    EXPECT_EQ(broken.failure(edge.cause, edge.observed), edge.failure);
  }
  choices.violations = 1;
  EXPECT_EQ(parents_of(anchored_network("anchored:tree:2,4", 1, choices))[0].size(), 2U);
}

// Rates as they are, other causes and all; without violations they are leak and failure.
TEST(AnchoredGenerators, violated_anchors_are_off_their_rates_and_still_tell_their_cause) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const NoisyOrNetwork drawn = anchored_network("anchored:indegree:2,15,30", seed, {{}, 1});
    const AnchoredMoments moments(drawn);
    double shift = 0;
    for (std::uint32_t i = 0; i < 15; ++i) {
      const auto table = moments.table(std::array{i}, std::array{i});
      const double off = table[1] / (table[0] + table[1]);
      const double on = table[3] / (table[2] + table[3]);
      EXPECT_GT(on - off, .2) << seed << ' ' << i;
      shift += (off - drawn.anchor_rates(i).first) / 15;
    }
    // Another cause, on in .1 to .4 of the rows, sets the anchor off by .1 to .4 of these.
    EXPECT_GT(shift, .02) << seed;
  }
}

TEST(AnchoredGenerators, the_seed_decides) {
  EXPECT_EQ(anchored_network("anchored:tree:9,30", 7).cause_network(),
            anchored_network("anchored:tree:9,30", 7).cause_network());
  EXPECT_EQ(anchored_network("anchored:tree:9,30", 7).edges(),
            anchored_network("anchored:tree:9,30", 7).edges());
  EXPECT_FALSE(anchored_network("anchored:tree:9,30", 7).cause_network() ==
               anchored_network("anchored:tree:9,30", 8).cause_network());
}

}  // namespace
}  // namespace orrery::model
