// What causes tell of each other against sums over all states.
#include "model/network_moments.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace orrery::model {
namespace {

/// Flu hangs on winter, fever on flu and on winter.
NoisyOrNetwork seasons() {
  std::vector<CauseTable> tables{{{}, {.25}}, {{0}, {.1, .4}}, {{0, 1}, {.05, .1, .8, .9}}};
  return {{{"winter", .25}, {"flu", .175}, {"fever", .2}},
          {{"x", .01}},
          {{2, 0, .5}},
          CauseNetwork(std::move(tables))};
}

TEST(CauseDependence, sums_over_the_other_parents) {
  const std::vector<CauseDependence> found = dependences_of(seasons());
  ASSERT_EQ(found.size(), 3);
  EXPECT_EQ(found[0].cause, 1);
  EXPECT_EQ(found[0].parent, 0);
  EXPECT_NEAR(found[0].with, .4, 1e-12);
  EXPECT_NEAR(found[0].without, .1, 1e-12);
  // Fever with winter: of its rows .4 have flu; without it .1.
  EXPECT_EQ(found[1].parent, 0);
  EXPECT_NEAR(found[1].with, .4 * .9 + .6 * .1, 1e-12);
  EXPECT_NEAR(found[1].without, .1 * .8 + .9 * .05, 1e-12);
  // Fever with flu: .25 .4 of .175 are in winter; without flu .25 .6 of .825.
  EXPECT_EQ(found[2].parent, 1);
  EXPECT_NEAR(found[2].with, (.1 * .9 + .075 * .8) / .175, 1e-12);
  EXPECT_NEAR(found[2].without, (.15 * .1 + .675 * .05) / .825, 1e-12);
}

TEST(CauseDependence, is_said_in_words) {
  const NoisyOrNetwork network = seasons();
  EXPECT_EQ(in_words(dependences_of(network)[0], network),
            "flu is on in 40 % of the rows with winter, in 10 % of the others: 4 times as often");
  EXPECT_EQ(
      in_words({0, 1, .0004, .8}, network),
      "winter is on in 0.04 % of the rows with flu, in 80 % of the others: 2000 times less often");
  EXPECT_EQ(in_words({0, 1, .1, .5}, network),
            "winter is on in 10 % of the rows with flu, in 50 % of the others: 5 times less often");
  const NoisyOrNetwork independent({{"u", .5}}, {{"x", .01}}, {{0, 0, .5}});
  EXPECT_TRUE(dependences_of(independent).empty());
}

}  // namespace
}  // namespace orrery::model
