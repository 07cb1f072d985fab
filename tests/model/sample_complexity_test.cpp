// Definition 2 and the width of Sec. 3 (Jernite, Halpern, Sontag 2013) against their words, on
// networks small enough to go through all quartets, sets of causes and splits.
#include "model/sample_complexity.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "linalg/decompositions.hpp"
#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

using Quartet = std::array<std::uint32_t, 4>;

/// A network of these causes over the four variables alone, without leaks.
NoisyOrNetwork part_of(const NoisyOrNetwork& network, const std::vector<std::uint32_t>& kept,
                       const Quartet& quartet) {
  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (const std::uint32_t c : kept) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      const double failure = network.failure(c, quartet[k]);
      if (failure < 1) edges.push_back({static_cast<std::uint32_t>(causes.size()), k, failure});
    }
    causes.push_back(network.causes()[c]);
  }
  return {causes, std::vector<Observed>(4, Observed{"x", 0}), edges};
}

/// Third singular value of P(ab, cd), from the sum over all states.
double third_value(const NoisyOrNetwork& part) {
  using oracle::Value;
  Eigen::Matrix4d matrix;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      const auto value = [](int bit) { return bit != 0 ? Value::on : Value::off; };
      const oracle::Row states{value(row & 1), value(row & 2), value(column & 1),
                               value(column & 2)};
      matrix(row, column) = static_cast<double>(oracle::probability(part, states));
    }
  }
  return linalg::singular_decomposition_of(matrix).values(2);
}

bool has(const NoisyOrNetwork& network, std::uint32_t cause, std::uint32_t variable) {
  return network.failure(cause, variable) < 1;
}

/// Causes other than `cause` of which two or more of the four are children.
std::vector<std::uint32_t> coupling_others(const NoisyOrNetwork& network, std::uint32_t cause,
                                           const Quartet& quartet) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t v = 0; v < network.n_causes(); ++v) {
    const auto n = std::ranges::count_if(quartet, [&](auto a) { return has(network, v, a); });
    if (v != cause && n >= 2) others.push_back(v);
  }
  return others;
}

/// Of one quartet in one order: the least third value over all sets V that cross the split.
double least_of(const NoisyOrNetwork& network, std::uint32_t cause, const Quartet& quartet) {
  const std::vector<std::uint32_t> others = coupling_others(network, cause, quartet);
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t set = 1; set < 1U << others.size(); ++set) {
    std::vector<std::uint32_t> kept{cause};
    bool crosses = false;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (((set >> i) & 1U) == 0) continue;
      const std::uint32_t v = others[i];
      kept.push_back(v);
      crosses = crosses || ((has(network, v, quartet[0]) || has(network, v, quartet[1])) &&
                            (has(network, v, quartet[2]) || has(network, v, quartet[3])));
    }
    if (crosses) least = std::min(least, third_value(part_of(network, kept, quartet)));
  }
  return least;
}

double brute_force_epsilon(const NoisyOrNetwork& network) {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t cause = 0; cause < network.n_causes(); ++cause) {
    std::vector<std::uint32_t> children;
    for (const Edge& edge : network.children(cause)) children.push_back(edge.observed);
    for (const std::uint32_t a : children) {
      for (const std::uint32_t b : children) {
        for (const std::uint32_t c : children) {
          for (const std::uint32_t d : children) {
            if (std::set{a, b, c, d}.size() < 4) continue;
            least = std::min(least, least_of(network, cause, {a, b, c, d}));
          }
        }
      }
    }
  }
  return least;
}

/// The fewest causes of lower depth that couple a quartet which no other cause couples.
std::size_t brute_force_width(const NoisyOrNetwork& network,
                              const std::vector<CauseLearnability>& causes, std::uint32_t cause) {
  const auto children = network.children(cause);
  std::size_t best = network.n_causes() + 1;
  for (std::uint32_t set = 0; set < 1U << children.size(); ++set) {
    if (std::popcount(set) != 4) continue;
    std::vector<std::uint32_t> members;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (((set >> i) & 1U) != 0) members.push_back(children[i].observed);
    }
    const auto others =
        coupling_others(network, cause, {members[0], members[1], members[2], members[3]});
    const bool open = std::ranges::any_of(others, [&](std::uint32_t v) {
      return causes[v].depth == CauseLearnability::never || causes[v].depth >= causes[cause].depth;
    });
    if (!open) best = std::min(best, others.size());
  }
  return best;
}

NoisyOrNetwork random_network(std::uint64_t seed) {
  return *generate_network("con:5-7,causes=4,observed=11,failure=.05-.5,prior=.1-.4", seed);
}

TEST(RankTestability, is_the_least_third_value_of_definition_2) {
  int n_coupled = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const NoisyOrNetwork network = random_network(seed);
    const RankTestability found = rank_testability(network, 1'000'000);
    EXPECT_EQ(static_cast<double>(found.n_examined), found.n_quartets);
    const double expected = brute_force_epsilon(network);
    if (!std::isfinite(expected)) {
      EXPECT_FALSE(std::isfinite(found.epsilon));
      continue;
    }
    ++n_coupled;
    EXPECT_NEAR(found.epsilon, expected, 1e-14) << seed;
    EXPECT_NEAR(least_of(network, found.cause, found.quartet), expected, 1e-14) << seed;
  }
  EXPECT_GT(n_coupled, 8);
}

TEST(RankTestability, of_some_quartets_is_not_below_that_of_all) {
  const NoisyOrNetwork network = *generate_network("unif", 3);
  const RankTestability all = rank_testability(network, 1'000'000'000);
  const RankTestability some = rank_testability(network, 500);
  EXPECT_EQ(some.n_examined, 500U);
  EXPECT_EQ(some.n_quartets, all.n_quartets);
  EXPECT_GE(some.epsilon, all.epsilon);
  EXPECT_TRUE(std::isfinite(some.epsilon));
}

TEST(RankTestability, is_infinite_where_no_quartet_is_coupled_twice) {
  const NoisyOrNetwork alone({{"c", 0.2}}, std::vector<Observed>(5, Observed{"x", 0.01}),
                             {{0, 0, .1}, {0, 1, .1}, {0, 2, .1}, {0, 3, .1}, {0, 4, .1}});
  const RankTestability found = rank_testability(alone, 1000);
  EXPECT_EQ(found.n_quartets, 5);
  EXPECT_FALSE(std::isfinite(found.epsilon));
}

TEST(SubtractionWidth, is_the_fewest_causes_that_must_go) {
  std::set<std::size_t> widths;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const NoisyOrNetwork network =
        *generate_network("con:4-12,causes=8,observed=16,failure=.1,prior=.2", seed);
    const auto causes = learnability(network, quartet_size);
    std::size_t expected = 0;
    for (std::uint32_t c = 0; c < causes.size(); ++c) {
      if (causes[c].depth > 0) {
        expected = std::max(expected, brute_force_width(network, causes, c));
      }
    }
    const SubtractionWidth found = subtraction_width(network, causes);
    EXPECT_EQ(found.width, expected) << seed;
    EXPECT_TRUE(found.is_exact);
    widths.insert(expected);
  }
  EXPECT_GE(widths.size(), 3U);
}

TEST(SampleComplexity, is_what_the_theorems_say) {
  const NoisyOrNetwork network({{"c", 0.2}, {"d", 0.4}},
                               std::vector<Observed>(2, Observed{"x", 0.1}),
                               {{0, 0, .3}, {0, 1, .5}, {1, 1, .25}});
  const double least_off = 0.9 * (0.8 + 0.2 * 0.5) * (0.6 + 0.4 * 0.25);
  const double log = std::log(2 * 2 / 0.05);
  const double scale =
      1 / (std::pow(.25, 18) * std::pow(.5, 6) * std::pow(least_off, 28) * std::pow(.2, 13));
  const double first =
      std::max(std::pow(.01, -8), 1 / (std::pow(least_off, 8) * .04 * std::pow(.5, 8)));
  const SampleComplexity at_once = sample_complexity(network, .01, 0, 0, .05);
  EXPECT_NEAR(at_once.least_off, least_off, 1e-15);
  EXPECT_NEAR(at_once.log10_error_scale, std::log10(scale), 1e-9);
  EXPECT_NEAR(at_once.log10_samples, std::log10(first * log), 1e-9);
  const SampleComplexity later = sample_complexity(network, .01, 2, 3, .05);
  EXPECT_NEAR(later.log10_samples, std::log10(first * log) + 4 * std::log10(3 * 64 * scale), 1e-9);
  EXPECT_TRUE(later.priors_below_half);
}

}  // namespace
}  // namespace orrery::model
