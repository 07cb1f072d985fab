// From planted candidates and signatures to the causes that they imply.
#include "families/noisy_or/quartet/calibrated/vote.hpp"

#include <gtest/gtest.h>

#include <random>

#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

using Children = std::vector<std::uint32_t>;

VariableSet set_of(const Children& children) {
  VariableSet set(1, 0);
  for (const std::uint32_t x : children) set[0] |= std::uint64_t{1} << x;
  return set;
}

model::NoisyOrNetwork voted_network(const std::vector<Children>& causes, std::size_t m) {
  std::vector<model::Cause> named;
  std::vector<model::Observed> observed;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    named.push_back({fmt::format("u{}", u), .15});
    for (const std::uint32_t x : causes[u]) edges.push_back({u, x, .1});
  }
  for (std::size_t x = 0; x < m; ++x) observed.push_back({fmt::format("x{}", x), .01});
  return {named, observed, edges};
}

/// Samples of a network with these child sets, and what their pairs say.
class VoteOnSamples : public testing::Test {
 protected:
  static constexpr std::size_t m = 24;
  // The first two share two children, the last has four.
  std::vector<Children> causes_{
      {0, 1, 2, 3, 4, 5, 6, 7, 8}, {7, 8, 9, 10, 11, 12, 13, 14}, {15, 16, 17, 18}};
  learning::Sampled sampled_{voted_network(causes_, m), 3, 20'000};
  moments::Subtraction none_{m};
  Calibration calibration_{sampled_.moments, none_, .05};

  /// All quartets within the sets, lowest statistic first.
  static std::vector<Candidate> quartets_within(const std::vector<Children>& sets) {
    std::vector<Candidate> candidates;
    double statistic = 0;
    for (const Children& set : sets) {
      for (std::size_t a = 0; a < set.size(); ++a) {
        for (std::size_t b = a + 1; b < set.size(); ++b) {
          for (std::size_t c = b + 1; c < set.size(); ++c) {
            for (std::size_t d = c + 1; d < set.size(); ++d) {
              candidates.push_back({statistic, {set[a], set[b], set[c], set[d]}});
              statistic += .01;
            }
          }
        }
      }
    }
    return candidates;
  }

  std::vector<Cluster> elect_from(const std::vector<Candidate>& candidates, int threads = 1) const {
    const Signatures signatures(learning::lone_team(), threads, sampled_.moments, calibration_,
                                candidates);
    return vote(candidates, signatures);
  }
};

TEST_F(VoteOnSamples, elects_each_cause_with_all_its_children) {
  const auto elected = elect_from(quartets_within(causes_));
  ASSERT_EQ(elected.size(), 3U);
  for (std::size_t u = 0; u < 3; ++u) EXPECT_EQ(elected[u].children, set_of(causes_[u])) << u;
  EXPECT_EQ(elected[2].support, 1U);
  EXPECT_GT(elected[0].support, elected[1].support);
}

// Two members of one cause and two that it shares with another: the pairs that the second cause
// does not couple veto its children.
TEST_F(VoteOnSamples, a_wrongly_accepted_quartet_votes_rightly) {
  const std::vector<Candidate> candidates{{.1, {0, 1, 7, 8}}, {.2, {7, 8, 9, 10}}};
  const Signatures signatures(learning::lone_team(), 1, sampled_.moments, calibration_, candidates);
  VariableSet children(1);
  signatures.children_of(candidates[0], children);
  EXPECT_EQ(children, set_of(causes_[0]));
  signatures.children_of(candidates[1], children);
  EXPECT_EQ(children, set_of(causes_[1]));
}

TEST_F(VoteOnSamples, few_quartets_name_all_children) {
  const std::vector<Candidate> candidates{{.1, {0, 1, 2, 3}}, {.2, {9, 10, 11, 12}}};
  const auto elected = elect_from(candidates);
  ASSERT_EQ(elected.size(), 2U);
  EXPECT_EQ(elected[0].children, set_of(causes_[0]));  // ties go to the lower statistic
  EXPECT_EQ(elected[1].children, set_of(causes_[1]));
}

TEST_F(VoteOnSamples, threads_do_not_change_it) {
  const auto candidates = quartets_within(causes_);
  const auto one = elect_from(candidates, 1);
  const auto three = elect_from(candidates, 3);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t u = 0; u < one.size(); ++u) {
    EXPECT_EQ(one[u].children, three[u].children);
    EXPECT_EQ(one[u].voters, three[u].voters);
  }
}

TEST_F(VoteOnSamples, of_nobody_elects_nothing) { EXPECT_TRUE(elect_from({}).empty()); }

}  // namespace
}  // namespace orrery::quartet
