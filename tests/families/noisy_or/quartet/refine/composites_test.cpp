// Causes that stand for two others.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// `children[u]`: the variables that cause u switches on in 80 % of the rows.
model::NoisyOrNetwork causes_of(const std::vector<std::vector<std::uint32_t>>& children) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < children.size(); ++u) {
    causes.push_back({fmt::format("u{}", u), .1});
    for (const std::uint32_t a : children[u]) edges.push_back({u, a, .2});
  }
  return {causes, std::vector<model::Observed>(20, {"x", .01}), edges};
}

TEST(Composites, are_what_two_others_switch_on_together) {
  EXPECT_TRUE(has_composite(causes_of({{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7}, {5, 6, 7}})));
  // One child more or less is noise.
  EXPECT_TRUE(has_composite(
      causes_of({{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {5, 6, 7, 8, 9}})));
}

TEST(Composites, are_neither_causes_that_overlap_nor_the_same_cause_twice) {
  EXPECT_FALSE(has_composite(causes_of({})));
  EXPECT_FALSE(has_composite(causes_of({{0, 1, 2, 3}, {2, 3, 4, 5}, {4, 5, 6, 7}})));
  EXPECT_FALSE(
      has_composite(causes_of({{0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 7}, {7, 8, 9}})));
  // A third part that no other cause has.
  EXPECT_FALSE(has_composite(
      causes_of({{0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {4, 5, 6, 7}})));
}

}  // namespace
}  // namespace orrery::quartet
