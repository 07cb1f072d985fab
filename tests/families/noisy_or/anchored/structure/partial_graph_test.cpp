#include <gtest/gtest.h>

#include <map>
#include <set>

#include "families/noisy_or/anchored/causes.hpp"
#include "families/noisy_or/anchored/dags.hpp"
#include "families/noisy_or/anchored/structure/independence_search.hpp"

namespace orrery::anchored {
namespace {

/// Verma and Pearl: two networks are of one class if and only if these agree.
std::pair<std::set<std::pair<std::size_t, std::size_t>>, std::set<std::array<std::size_t, 3>>>
skeleton_and_v_structures(const Parents& parents) {
  const auto adjacent = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::count(parents[a], b) + std::ranges::count(parents[b], a) > 0;
  };
  std::set<std::pair<std::size_t, std::size_t>> skeleton;
  std::set<std::array<std::size_t, 3>> collisions;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    for (const std::uint32_t a : parents[i]) {
      skeleton.emplace(std::min(a, i), std::max(a, i));
      for (const std::uint32_t b : parents[i]) {
        if (a < b && !adjacent(a, b)) collisions.insert({a, i, b});
      }
    }
  }
  return {skeleton, collisions};
}

TEST(partial_graph, classes_are_those_of_skeleton_and_v_structures) {
  // All networks of four causes: 543, in 185 classes (Andersson, Madigan, Perlman 1997, Table 1).
  std::map<decltype(skeleton_and_v_structures({})), Parents> standard;
  std::size_t n_networks = 0;
  for_each_dag(4, 3, [&](const Parents& parents) {
    ++n_networks;
    const auto key = skeleton_and_v_structures(parents);
    const Parents member = standard_member(parents);
    EXPECT_EQ(skeleton_and_v_structures(member), key);
    const auto [at, is_new] = standard.emplace(key, member);
    EXPECT_EQ(at->second, member);
  });
  EXPECT_EQ(n_networks, 543U);
  EXPECT_EQ(standard.size(), 185U);
}

TEST(partial_graph, an_edge_has_a_direction_where_all_members_agree) {
  std::map<decltype(skeleton_and_v_structures({})), std::vector<Parents>> classes;
  for_each_dag(4, 3, [&](const Parents& parents) {
    classes[skeleton_and_v_structures(parents)].push_back(parents);
  });
  for (const auto& [key, members] : classes) {
    const PartialGraph graph = PartialGraph::class_of(members[0]);
    for (const auto& [a, b] : key.first) {
      const auto leads = std::ranges::count_if(members, [&, low = a, high = b](const Parents& m) {
        return std::ranges::count(m[high], low) > 0;
      });
      EXPECT_EQ(graph.leads(a, b), leads == std::ssize(members));
      EXPECT_EQ(graph.leads(b, a), leads == 0);
    }
    for (const Parents& member : members) EXPECT_EQ(PartialGraph::class_of(member), graph);
  }
}

TEST(partial_graph, a_chain_leads_from_low_to_high_numbers) {
  EXPECT_EQ(standard_member({{1}, {2}, {}}), (Parents{{}, {0}, {1}}));
}

TEST(partial_graph, a_square_without_v_structures_has_no_consistent_network) {
  PartialGraph square(4);
  for (const auto& [a, b] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 0}}) {
    square.connect(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
  }
  const PartialGraph::Extension extension = square.extend();
  EXPECT_FALSE(extension.is_consistent);
  EXPECT_EQ(n_edges(extension.parents), 4U);
  EXPECT_NO_THROW(model::CauseNetwork(tables_of(extension.parents)));
}

TEST(partial_graph, a_directed_cycle_is_broken) {
  PartialGraph cycle(3);
  cycle.direct(0, 1);
  cycle.direct(1, 2);
  cycle.direct(2, 0);
  const PartialGraph::Extension extension = cycle.extend();
  EXPECT_FALSE(extension.is_consistent);
  EXPECT_NO_THROW(model::CauseNetwork(tables_of(extension.parents)));
}

}  // namespace
}  // namespace orrery::anchored
