#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "model/learnability.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

NoisyOrNetwork generate_qmr(const std::string& spec, std::uint64_t seed) {
  return generate_network(spec, seed).value();
}

std::vector<std::size_t> sorted_parents(const NoisyOrNetwork& network) {
  std::vector<std::size_t> n_parents(network.n_observed(), 0);
  for (const Edge& edge : network.edges()) ++n_parents[edge.observed];
  std::ranges::sort(n_parents);
  return n_parents;
}

std::set<std::uint32_t> child_set(const NoisyOrNetwork& network, std::size_t cause) {
  std::set<std::uint32_t> children;
  for (const Edge& edge : network.children(cause)) children.insert(edge.observed);
  return children;
}

// Causes by depth; never under -1.
std::map<std::int32_t, int> depths(const NoisyOrNetwork& network, std::size_t set_size) {
  std::map<std::int32_t, int> count;
  for (const auto& cause : learnability(network, set_size)) ++count[cause.depth];
  return count;
}

TEST(QmrNetwork, has_the_size_of_qmr_and_skewed_degrees) {
  const NoisyOrNetwork network = generate_qmr("qmr", 1);
  ASSERT_EQ(network.n_causes(), 570U);
  ASSERT_EQ(network.n_observed(), 4075U);
  ASSERT_EQ(network.edges().size(), 45470U);
  EXPECT_EQ(network.edges(), generate_qmr("qmr:570,4075,45470", 1).edges());
  const auto parents = sorted_parents(network);
  EXPECT_GE(parents.front(), 1U);
  // Of the prototype's 100 variables the 10th, 50th, 90th and 99th have 1, 6, 26 and 85.
  EXPECT_LE(parents[407], 2U);
  EXPECT_NEAR(static_cast<double>(parents[2037]), 6, 1);
  EXPECT_NEAR(static_cast<double>(parents[3667]), 26, 4);
  EXPECT_NEAR(static_cast<double>(parents[4034]), 85, 20);
  std::vector<double> logarithms;
  for (std::size_t c = 0; c < 570; ++c) {
    EXPECT_GE(network.children(c).size(), 4U);
    logarithms.push_back(std::log(static_cast<double>(network.children(c).size())));
  }
  std::ranges::sort(logarithms);
  // Log-normal, sigma .55: the quartiles lie 2 * .6745 sigma apart; standard error .03.
  EXPECT_NEAR(logarithms[427] - logarithms[142], 2 * 0.6745 * 0.55, 0.12);
}

TEST(QmrNetwork, draws_parameters_from_the_classes_and_the_log_normals) {
  const NoisyOrNetwork network = generate_qmr("qmr", 2);
  std::map<long, double> share;  // by sensitivity in thousandths
  for (const Edge& edge : network.edges()) share[std::lround(1000 * (1 - edge.failure))] += 1;
  const std::map<long, double> expected{
      {25, 0.2}, {200, 0.42}, {500, 0.22}, {800, 0.12}, {985, 0.04}};
  ASSERT_EQ(share.size(), expected.size());
  for (const auto& [thousandths, probability] : expected) {
    EXPECT_NEAR(share[thousandths] / 45470, probability, 0.012);  // five standard errors at most
  }
  std::vector<double> priors;
  std::vector<double> leaks;
  for (const Cause& cause : network.causes()) priors.push_back(cause.prior);
  for (const Observed& variable : network.observed()) leaks.push_back(variable.leak);
  std::ranges::sort(priors);
  std::ranges::sort(leaks);
  EXPECT_GE(priors.front(), 0.0002);
  EXPECT_LE(priors.back(), 0.06);
  EXPECT_GE(priors.back(), 0.01);
  // The logarithm of a median of n has a standard error of 1.25 / sqrt(n): .05 and .02.
  EXPECT_NEAR(std::log(priors[285] / 0.0015), 0, 0.2);
  EXPECT_GE(leaks.front(), 0.0001);
  EXPECT_LE(leaks.back(), 0.02);
  EXPECT_NEAR(std::log(leaks[2037] / 0.001), 0, 0.08);
}

TEST(QmrNetwork, is_as_learnable_as_the_paper_says_of_qmr) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const NoisyOrNetwork network = generate_qmr("qmr", seed);
    auto quartets = depths(network, quartet_size);
    EXPECT_NEAR(quartets[0], 469, 25) << seed;
    EXPECT_NEAR(quartets[1], 82, 25) << seed;
    EXPECT_NEAR(quartets[2], 13, 10) << seed;
    EXPECT_LE(quartets[3], 6) << seed;
    EXPECT_EQ(quartets[-1], 4) << seed;
    auto triplets = depths(network, triplet_size);
    EXPECT_NEAR(triplets[0], 527, 15) << seed;
    EXPECT_NEAR(triplets[1], 39, 15) << seed;
    EXPECT_LE(triplets[2], 4) << seed;
    EXPECT_EQ(triplets[-1], 2) << seed;
  }
}

TEST(QmrNetwork, twins_differ_by_one_child_and_by_two) {
  const NoisyOrNetwork network = generate_qmr("qmr", 1);
  const auto causes = learnability(network, quartet_size);
  std::multiset<std::size_t> n_own;
  for (std::size_t c = 0; c < causes.size(); ++c) {
    if (causes[c].depth != CauseLearnability::never) continue;
    ASSERT_FALSE(causes[c].overlaps.empty());
    EXPECT_EQ(causes[causes[c].overlaps[0].cause].overlaps.at(0).cause, c);
    n_own.insert(child_set(network, c).size() - causes[c].overlaps[0].n_shared);
  }
  EXPECT_EQ(n_own, (std::multiset<std::size_t>{1, 1, 2, 2}));
}

TEST(QmrNetwork, every_size_that_is_allowed_is_met) {
  struct Size {
    std::uint32_t causes, observed, edges;
  };
  for (const auto& [causes, observed, edges] : std::vector<Size>{{60, 400, 2000},
                                                                 {2, 8, 8},
                                                                 {3, 9, 12},
                                                                 {40, 100, 2000},   // all of half
                                                                 {40, 100, 160},    // all of four
                                                                 {30, 1000, 1000},  // one parent
                                                                 {600, 3000, 3000},
                                                                 {1000, 500, 20000}}) {
    const std::string spec = "qmr:" + std::to_string(causes) + ',' + std::to_string(observed) +
                             ',' + std::to_string(edges);
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
      const NoisyOrNetwork network = generate_qmr(spec, seed);
      ASSERT_EQ(network.n_causes(), causes);
      ASSERT_EQ(network.n_observed(), observed);
      EXPECT_EQ(network.edges().size(), edges) << spec;
      EXPECT_GE(sorted_parents(network).front(), 1U) << spec;
      for (std::size_t c = 0; c < causes; ++c) {
        EXPECT_GE(network.children(c).size(), 4U) << spec;
        EXPECT_LE(network.children(c).size(), observed / 2) << spec;
      }
    }
  }
}

}  // namespace
}  // namespace orrery::model
