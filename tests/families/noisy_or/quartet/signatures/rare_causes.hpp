// A network of rare causes, how many rows tests draw of it, and sums over its rows that agree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "orrery/model/generators.hpp"

namespace orrery::quartet {

inline constexpr std::size_t n_drawn = 20'000;

inline model::NoisyOrNetwork few_rare_causes() {
  return *model::generate_network(
      "con:6-14,causes=14,observed=80,prior=.01-.05,failure=.1-.7,leak=.001-.01", 5);
}

/// Without every seventh edge.
inline model::NoisyOrNetwork thinned(const model::NoisyOrNetwork& network) {
  std::vector<model::Edge> edges;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    if (e % 7 != 3) edges.push_back(network.edges()[e]);
  }
  return {network.causes(), network.observed(), edges};
}

/// Each of the sums within that share of itself; those of fewer than 50 rows within that share
/// of 50.
inline void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                        double relative) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], relative * std::max(std::abs(expected[i]), 50.0)) << i;
  }
}

}  // namespace orrery::quartet
