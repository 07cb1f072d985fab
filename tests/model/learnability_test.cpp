// Perfect tests on networks small enough to look at, and against the definition written out.
#include "model/learnability.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

using Children = std::vector<std::set<std::uint32_t>>;
using Overlap = CauseLearnability::Overlap;
constexpr std::int32_t no_depth = CauseLearnability::never;

// Failures and leaks do not matter as long as they are no certainties.
NoisyOrNetwork network_of(const Children& children, std::uint32_t n_observed) {
  std::vector<Cause> causes;
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < children.size(); ++c) {
    causes.push_back({fmt::format("c{}", c), 0.25});
    for (const std::uint32_t a : children[c]) edges.push_back({c, a, 0.5});
  }
  return {causes, std::vector<Observed>(n_observed, Observed{"x", 0.01}), edges};
}

std::vector<std::int32_t> depths(const std::vector<CauseLearnability>& causes) {
  std::vector<std::int32_t> result;
  for (const CauseLearnability& cause : causes) result.push_back(cause.depth);
  return result;
}

// Does a cause other than `cause`, and not learned before `depth`, have two members of `set`?
bool is_coupled_by_another(const Children& children, const std::vector<std::int32_t>& depth_of,
                           std::size_t cause, std::int32_t depth,
                           const std::vector<std::uint32_t>& set) {
  for (std::size_t other = 0; other < children.size(); ++other) {
    const bool subtracted = depth_of[other] != no_depth && depth_of[other] < depth;
    if (other == cause || subtracted) continue;
    const auto n =
        std::ranges::count_if(set, [&](std::uint32_t a) { return children[other].contains(a); });
    if (n >= 2) return true;
  }
  return false;
}

// Every set of `size` children, one by one.
std::vector<std::vector<std::uint32_t>> subsets(const std::set<std::uint32_t>& children,
                                                std::size_t size) {
  const std::vector<std::uint32_t> list(children.begin(), children.end());
  std::vector<std::vector<std::uint32_t>> result;
  for (std::uint32_t chosen = 0; chosen < (1U << list.size()); ++chosen) {
    std::vector<std::uint32_t> set;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (((chosen >> i) & 1U) != 0) set.push_back(list[i]);
    }
    if (set.size() == size) result.push_back(set);
  }
  return result;
}

// Definition 1, word for word: depth after depth, cause after cause, set after set.
std::vector<std::int32_t> brute_force(const Children& children, std::size_t size) {
  std::vector<std::int32_t> depth_of(children.size(), no_depth);
  for (std::int32_t depth = 0; depth <= static_cast<std::int32_t>(children.size()); ++depth) {
    std::vector<std::int32_t> now = depth_of;
    for (std::size_t cause = 0; cause < children.size(); ++cause) {
      if (depth_of[cause] != no_depth) continue;
      for (const auto& set : subsets(children[cause], size)) {
        if (!is_coupled_by_another(children, depth_of, cause, depth, set)) now[cause] = depth;
      }
    }
    depth_of = now;
  }
  return depth_of;
}

Children random_children(std::mt19937_64& random, std::size_t n_causes, std::uint32_t n_observed,
                         double density) {
  Children children(n_causes);
  for (auto& of_cause : children) {
    for (std::uint32_t a = 0; a < n_observed; ++a) {
      if (oracle::uniform(random) < density) of_cause.insert(a);
    }
  }
  return children;
}

TEST(Learnability, agrees_with_the_definition_on_random_networks) {
  std::mt19937_64 random(5);
  std::set<std::int32_t> seen;
  for (int i = 0; i < 200; ++i) {
    const std::size_t n_causes = 2 + random() % 7;
    const auto n_observed = static_cast<std::uint32_t>(6 + random() % 7);
    const Children children =
        random_children(random, n_causes, n_observed, 0.2 + 0.5 * oracle::uniform(random));
    const NoisyOrNetwork network = network_of(children, n_observed);
    for (const std::size_t size : {triplet_size, quartet_size}) {
      const auto learned = learnability(network, size);
      EXPECT_EQ(depths(learned), brute_force(children, size)) << "network " << i;
      for (const auto& cause : learned) seen.insert(cause.depth);
    }
  }
  EXPECT_GE(*seen.rbegin(), 3);  // else the networks are too easy to tell
  EXPECT_TRUE(seen.contains(no_depth));
}

TEST(Learnability, the_set_that_is_named_is_singly_coupled_and_a_missing_one_does_not_exist) {
  std::mt19937_64 random(6);
  std::size_t n_never = 0;
  for (int i = 0; i < 100; ++i) {
    const Children children = random_children(random, 7, 11, 0.55);
    const auto learned = learnability(network_of(children, 11), quartet_size);
    const auto depth_of = depths(learned);
    for (std::size_t c = 0; c < children.size(); ++c) {
      const bool is_learned = depth_of[c] != no_depth;
      const std::int32_t depth = is_learned ? depth_of[c] : 100;
      const std::vector<std::uint32_t>& set = learned[c].singly_coupled;
      for (const std::uint32_t a : set) EXPECT_TRUE(children[c].contains(a));
      EXPECT_TRUE(std::ranges::is_sorted(set));
      EXPECT_FALSE(is_coupled_by_another(children, depth_of, c, depth, set));
      if (is_learned) {
        EXPECT_EQ(set.size(), quartet_size);
        EXPECT_TRUE(learned[c].overlaps.empty());
        continue;
      }
      ++n_never;
      for (const auto& larger : subsets(children[c], set.size() + 1)) {
        EXPECT_TRUE(is_coupled_by_another(children, depth_of, c, depth, larger));
      }
    }
  }
  EXPECT_GT(n_never, 20U);
}

TEST(Learnability, a_cause_waits_for_those_that_couple_its_children) {
  // The second shares 3, 4, 5 with the first; the third shares 5, 6 with the second.
  const Children children{{0, 1, 2, 3, 4, 5}, {3, 4, 5, 6, 7}, {5, 6, 8, 9}};
  const NoisyOrNetwork network = network_of(children, 10);
  const auto quartets = learnability(network, quartet_size);
  EXPECT_EQ(depths(quartets), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(quartets[1].singly_coupled, (std::vector<std::uint32_t>{3, 4, 5, 7}));
  EXPECT_EQ(depths(learnability(network, triplet_size)), (std::vector<std::int32_t>{0, 0, 0}));
}

TEST(Learnability, img_has_circle_and_block_at_depth_1) {
  const auto causes = learnability(generate_network("img", 1).value(), quartet_size);
  EXPECT_EQ(depths(causes), (std::vector<std::int32_t>{1, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(causes[2].n_children, 28U);
}

TEST(Learnability, twins_are_never_learned_and_name_each_other) {
  // All but one child in common: no triplet. All but two: triplets, but no quartet.
  const Children one{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 6}, {5, 6, 7, 8, 9}};
  for (const std::size_t size : {triplet_size, quartet_size}) {
    const auto causes = learnability(network_of(one, 10), size);
    EXPECT_EQ(depths(causes), (std::vector<std::int32_t>{no_depth, no_depth, 0}));
    EXPECT_EQ(causes[0].singly_coupled.size(), 2U);
    EXPECT_EQ(causes[0].overlaps, (std::vector<Overlap>{{1, 5}}));
    EXPECT_EQ(causes[1].overlaps, (std::vector<Overlap>{{0, 5}}));
  }
  const Children two{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 6, 7}};
  EXPECT_EQ(depths(learnability(network_of(two, 8), quartet_size)),
            (std::vector<std::int32_t>{no_depth, no_depth}));
  EXPECT_EQ(depths(learnability(network_of(two, 8), triplet_size)),
            (std::vector<std::int32_t>{0, 0}));
}

TEST(Learnability, many_children_are_searched_beyond_a_word_of_bits) {
  // A cause of 200 children of which the first 197 belong to a twin: three of its own, and one of
  // the shared ones, are a quartet; with one more shared child they are not. Each child has one
  // more parent, so that no two are alike.
  for (const std::uint32_t n_shared : {197U, 198U}) {
    Children children(202);
    for (std::uint32_t a = 0; a < 200; ++a) children[0].insert(a);
    for (std::uint32_t a = 0; a < n_shared; ++a) children[1].insert(a);
    for (std::uint32_t a = 0; a < 200; ++a) children[2 + a] = {a, 200 + a};
    const auto causes = learnability(network_of(children, 400), quartet_size);
    EXPECT_EQ(causes[0].depth, n_shared == 197 ? 0 : no_depth);
    EXPECT_EQ(causes[0].singly_coupled.size(), n_shared == 197 ? 4U : 3U);
  }
}

// Do four of `n` stand in pairs for which `together` holds? Four loops.
bool has_four(std::uint32_t n, const std::vector<std::vector<bool>>& together) {
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a + 1; b < n; ++b) {
      if (!together[a][b]) continue;
      for (std::uint32_t c = b + 1; c < n; ++c) {
        if (!together[a][c] || !together[b][c]) continue;
        for (std::uint32_t d = c + 1; d < n; ++d) {
          if (together[a][d] && together[b][d] && together[c][d]) return true;
        }
      }
    }
  }
  return false;
}

TEST(Learnability, agrees_with_four_loops_on_many_children) {
  // Most pairs of the first cause's 150 children have a cause of their own; where 6 % have none,
  // one quartet is left in the mean, anywhere among the children.
  constexpr std::uint32_t n = 150;
  std::mt19937_64 random(7);
  int n_found = 0;
  for (int i = 0; i < 30; ++i) {
    Children children(1);
    std::vector<std::vector<bool>> together(n, std::vector<bool>(n, false));
    for (std::uint32_t a = 0; a < n; ++a) {
      children[0].insert(a);
      for (std::uint32_t b = 0; b < a; ++b) {
        together[a][b] = together[b][a] = oracle::uniform(random) < 0.06;
        if (!together[a][b]) children.push_back({a, b});
      }
    }
    const auto causes = learnability(network_of(children, n), quartet_size);
    const bool found = has_four(n, together);
    EXPECT_EQ(causes[0].depth, found ? 0 : no_depth) << i;
    n_found += found ? 1 : 0;
  }
  EXPECT_GT(n_found, 8);
  EXPECT_LT(n_found, 24);
}

TEST(Learnability, children_that_are_alike_stand_for_each_other) {
  // Three causes split the 3,000 children of a fourth: a billion triplets, and no quartet.
  Children children(4);
  for (std::uint32_t a = 0; a < 3000; ++a) {
    children[0].insert(a);
    children[1 + a % 3].insert(a);
  }
  const NoisyOrNetwork network = network_of(children, 3000);
  const auto causes = learnability(network, quartet_size);
  EXPECT_EQ(depths(causes), (std::vector<std::int32_t>(4, no_depth)));
  EXPECT_EQ(causes[0].singly_coupled, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(learnability(network, triplet_size)[0].depth, 0);
}

TEST(Learnability, what_never_varies_couples_nothing) {
  std::vector<Cause> causes{{"a", 0.5}, {"never", 0}, {"always", 1}, {"childless", 0.5}};
  std::vector<Observed> observed(5, Observed{"x", 0.1});
  observed[4].leak = 1;
  std::vector<Edge> edges;
  for (std::uint32_t c = 0; c < 3; ++c) {
    for (std::uint32_t x = 0; x < 5; ++x) edges.push_back({c, x, 0.5});
  }
  const auto learned = learnability({causes, observed, edges}, quartet_size);
  EXPECT_EQ(depths(learned), (std::vector<std::int32_t>{0, no_depth, no_depth, no_depth}));
  EXPECT_EQ(learned[0].singly_coupled, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(learned[0].n_children, 4U);  // the fifth is always on
  EXPECT_EQ(learned[3].n_children, 0U);

  edges[13].failure = 0;  // of the cause that is always there: x3 is always on too
  EXPECT_EQ(depths(learnability({causes, observed, edges}, quartet_size))[0], no_depth);
  EXPECT_TRUE(learnability({{}, observed, {}}, quartet_size).empty());
}

}  // namespace
}  // namespace orrery::model
