// Edges that passes add and drop by turns.
#include "families/noisy_or/quartet/signatures/edge_turns.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace orrery::quartet {
namespace {

using Places = std::set<std::pair<int, int>>;  // cause, variable

model::NoisyOrNetwork network_of(const Places& places, std::size_t n_causes) {
  std::vector<model::Cause> causes;
  for (std::size_t u = 0; u < n_causes; ++u) causes.push_back({std::to_string(u), .2});
  std::vector<model::Edge> edges;
  for (const auto& [u, a] : places) {
    edges.push_back({static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(a), .5});
  }
  return {causes, std::vector<model::Observed>(6, {"x", .1}), edges};
}

Places places_of(const model::NoisyOrNetwork& network) {
  Places places;
  for (const model::Edge& edge : network.edges()) places.insert({edge.cause, edge.observed});
  return places;
}

// Passes drop the edge of cause 0 to variable 3 and add it again.
TEST(EdgeTurns, an_edge_that_was_dropped_twice_does_not_come_back_where_many_go) {
  const Places always{{0, 0}, {1, 1}};
  const Places all{{0, 0}, {1, 1}, {0, 3}};
  const model::NoisyOrNetwork with = network_of(all, 2);
  const model::NoisyOrNetwork without = network_of(always, 2);
  EdgeTurns turns(with);
  EXPECT_EQ(places_of(turns.without_returning(with, without)), always);  // one of three goes
  EXPECT_EQ(places_of(turns.without_returning(without, with)), all);
  EXPECT_EQ(places_of(turns.without_returning(with, without)), always);
  EXPECT_EQ(places_of(turns.without_returning(without, with)), always);
  // Another edge may still come.
  Places other = always;
  other.insert({1, 4});
  EXPECT_EQ(places_of(turns.without_returning(without, network_of(other, 2))), other);
}

TEST(EdgeTurns, an_edge_comes_back_where_few_go) {
  Places always;
  for (int a = 0; a < 5; ++a) always.insert({0, a});
  Places all = always;
  all.insert({1, 3});
  const model::NoisyOrNetwork with = network_of(all, 2);
  const model::NoisyOrNetwork without = network_of(always, 2);
  EdgeTurns turns(with);
  for (int pass = 0; pass < 5; ++pass) {
    EXPECT_EQ(places_of(turns.without_returning(with, without)), always);  // one of six goes
    EXPECT_EQ(places_of(turns.without_returning(without, with)), all) << pass;
  }
}

TEST(EdgeTurns, what_was_dropped_stays_with_its_cause) {
  const model::NoisyOrNetwork with = network_of({{0, 0}, {1, 3}, {2, 1}}, 3);
  const model::NoisyOrNetwork without = network_of({{0, 0}, {2, 1}}, 3);
  EdgeTurns turns(with);
  for (int pass = 0; pass < 2; ++pass) (void)turns.without_returning(with, without);
  turns.select({1, 2});  // cause 0 goes
  const Places before{{1, 1}};
  const Places after{{0, 3}, {1, 1}, {1, 3}};
  const Places expected{{1, 1}, {1, 3}};
  EXPECT_EQ(places_of(turns.without_returning(network_of(before, 2), network_of(after, 2))),
            expected);
}

}  // namespace
}  // namespace orrery::quartet
