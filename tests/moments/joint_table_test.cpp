#include <gtest/gtest.h>

#include <random>

#include "moments/negative_moments.hpp"

namespace orrery::moments {
namespace {

TEST(JointTable, cells_are_exactly_off_sets_by_enumeration) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  QuartetCells cells{};
  for (double& cell : cells) cell = uniform(random);
  QuartetMoments negative{};
  for (std::size_t set = 0; set < 16; ++set) {
    for (std::size_t off = 0; off < 16; ++off) {
      if ((off & set) == set) negative[set] += cells[off];
    }
  }
  const QuartetCells recovered = cells_from_negative(negative);
  const QuartetMoments again = negative_from_cells(cells);
  for (std::size_t set = 0; set < 16; ++set) {
    EXPECT_NEAR(recovered[set], cells[set], 1e-14);
    EXPECT_NEAR(again[set], negative[set], 1e-14);
  }
}

TEST(JointTable, subtracting_a_cause_off_leaves_the_smaller_network) {
  // Four variables, leaks only after the cause is divided out: the moments become products.
  const double prior = 0.3;
  const double failures[4] = {0.1, 0.4, 0.2, 0.7};
  const double leaks[4] = {0.01, 0.2, 0.05, 0.1};
  for (std::size_t set = 0; set < 16; ++set) {
    double leak_part = 1;
    double failure_product = 1;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) == 0) continue;
      leak_part *= 1 - leaks[k];
      failure_product *= failures[k];
    }
    // Enumerated over the cause: absent with 1 - p, present with p.
    const double moment = (1 - prior) * leak_part + prior * leak_part * failure_product;
    EXPECT_NEAR(moment / cause_factor(prior, failure_product), leak_part, 1e-15);
  }
}

}  // namespace
}  // namespace orrery::moments
