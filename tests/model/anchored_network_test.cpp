#include <gtest/gtest.h>

#include <string>

#include "model/anchored_oracle.hpp"
#include "model/says.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {
namespace {

/// y_0 -> y_1; anchors a_0, a_1, and x below both.
NoisyOrNetwork loadings() {
  return {{{"flu", .5}, {"cold", .5}},
          {{"a0", .1}, {"a1", .2}, {"x", .05}},
          {{0, 0, .25}, {1, 1, .5}, {0, 2, .3}, {1, 2, .4}}};
}
CauseNetwork causes() { return CauseNetwork({{{}, {.25}}, {{0}, {.5, .75}}}); }

std::string message_of(const NoisyOrNetwork& loadings, const CauseNetwork& causes,
                       const std::vector<Anchor>& anchors) {
  try {
    const NoisyOrNetwork network(loadings, causes, anchors);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NoisyOrNetwork, priors_are_those_of_the_network_of_causes) {
  const NoisyOrNetwork network(loadings(), causes(), {});
  EXPECT_EQ(network.n_causes(), 2U);
  EXPECT_EQ(network.n_observed(), 3U);
  EXPECT_NEAR(network.causes()[0].prior, .25, 1e-15);
  EXPECT_NEAR(network.causes()[1].prior, .75 * .5 + .25 * .75, 1e-15);
  EXPECT_EQ(network.causes()[1].name, "cold");
  EXPECT_EQ(network.edges(), loadings().edges());
}

TEST(NoisyOrNetwork, building_it_again_of_its_own_parts_changes_no_bit) {
  const NoisyOrNetwork once(loadings(), causes(), {{1, 1}});
  const NoisyOrNetwork twice(once, once.cause_network(), once.anchors());
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(once.causes()[i].prior, twice.causes()[i].prior);
  }
}

TEST(NoisyOrNetwork, priors_stay_where_elimination_is_not_feasible) {
  const CauseNetwork wide = oracle::random_causes(1, 300, 4);
  ASSERT_FALSE(CauseElimination(wide).is_feasible());
  const NoisyOrNetwork network(
      NoisyOrNetwork(std::vector<Cause>(300, Cause{"y", .125}), {{"x", .1}}, {}), wide, {});
  EXPECT_EQ(network.causes()[7].prior, .125);
}

TEST(NoisyOrNetwork, anchors_are_sorted_by_cause_and_column) {
  const std::vector<Anchor> anchors{{1, 1, {"b"}}, {0, 2, {}}, {0, 0, {"c", "d"}}};
  const NoisyOrNetwork network(loadings(), causes(), anchors);
  EXPECT_EQ(network.anchors(), (std::vector<Anchor>{anchors[2], anchors[1], anchors[0]}));
}

TEST(NoisyOrNetwork, rates_are_leak_and_what_leak_and_failure_leave) {
  const NoisyOrNetwork network(loadings(), causes(), {{0, 0}, {1, 1}, {0, 2}});
  EXPECT_EQ(network.anchor_rates(0), (std::pair{.1, 1 - .9 * .25}));
  EXPECT_EQ(network.anchor_rates(1), (std::pair{.05, 1 - .95 * .3}));  // (0, 2) comes before (1, 1)
  EXPECT_EQ(network.anchor_rates(2), (std::pair{.2, 1 - .8 * .5}));
}

TEST(NoisyOrNetwork, an_anchor_without_an_edge_has_equal_rates) {
  const NoisyOrNetwork network(loadings(), causes(), {{0, 1}});
  EXPECT_EQ(network.anchor_rates(0), (std::pair{.2, 1 - .8 * 1.0}));
}

TEST(NoisyOrNetwork, refuses_what_does_not_belong_together_and_names_it) {
  EXPECT_TRUE(says(message_of(loadings(), CauseNetwork::independent(std::vector<double>{.5}), {}),
                   "there are 2 causes, but tables of 1"));
  EXPECT_TRUE(says(message_of(loadings(), causes(), {{2, 0}}), "anchors[0].cause = 2"));
  EXPECT_TRUE(says(message_of(loadings(), causes(), {{0, 0}, {1, 3}}), "anchors[1].observed = 3"));
  EXPECT_TRUE(
      says(message_of(loadings(), causes(), {{0, 1}, {1, 1}}), "anchors[0] and anchors[1]"));
  EXPECT_TRUE(says(message_of(loadings(), causes(), {{0, 1}, {0, 1}}), "an anchor once"));
  EXPECT_TRUE(says(message_of(loadings(), causes(), {{0, 0, {"p", "q"}}, {1, 1, {"r", "q"}}}),
                   "column \"q\""));
  EXPECT_TRUE(says(message_of(loadings(), causes(), {{0, 0, {"p", "p"}}}), "column \"p\""));
}

}  // namespace
}  // namespace orrery::model
