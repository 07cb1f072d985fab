#include "orrery/model/network.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "model/oracle.hpp"

namespace orrery::model {
namespace {

using oracle::message_of;
using oracle::Row;
using oracle::Value;

const double nan_value = std::numeric_limits<double>::quiet_NaN();

NoisyOrNetwork small() {
  return {{{"u", 0.2}, {"v", 0.7}, {"w", 0.1}},
          {{"a", 0.01}, {"b", 0}, {"c", 0.3}, {"d", 0.05}},
          {{1, 3, 0.4}, {0, 2, 0.3}, {1, 0, 0.25}, {0, 0, 0.1}, {1, 1, 0}}};
}

TEST(NoisyOrNetwork, edges_are_kept_sorted_by_cause_and_variable) {
  const std::vector<Edge> expected{{0, 0, 0.1}, {0, 2, 0.3}, {1, 0, 0.25}, {1, 1, 0}, {1, 3, 0.4}};
  EXPECT_EQ(small().edges(), expected);
}

TEST(NoisyOrNetwork, children_are_the_edges_of_one_cause) {
  const NoisyOrNetwork network = small();
  ASSERT_EQ(network.children(1).size(), 3U);
  EXPECT_EQ(network.children(1)[1], (Edge{1, 1, 0}));
  EXPECT_TRUE(network.children(2).empty());
}

TEST(NoisyOrNetwork, failure_is_one_where_there_is_no_edge) {
  const NoisyOrNetwork network = small();
  EXPECT_EQ(network.failure(0, 2), 0.3);
  EXPECT_EQ(network.failure(0, 1), 1);
  EXPECT_EQ(network.failure(2, 3), 1);
  EXPECT_EQ(network.dense_failures(0), (std::vector<double>{0.1, 1, 0.3, 1}));
  EXPECT_EQ(network.dense_failures(2), (std::vector<double>(4, 1)));
}

TEST(NoisyOrNetwork, a_failure_of_one_is_no_edge) {
  const NoisyOrNetwork network({{"u", 0.5}}, {{"a", 0}, {"b", 0}}, {{0, 1, 0.5}, {0, 0, 1}});
  EXPECT_EQ(network.edges(), (std::vector<Edge>{{0, 1, 0.5}}));
}

TEST(NoisyOrNetwork, empty_network_has_moment_one) {
  EXPECT_EQ(NoisyOrNetwork().n_causes(), 0U);
  EXPECT_EQ(NoisyOrNetwork().negative_moment({}), 1);
}

TEST(NoisyOrNetwork, negative_moments_equal_enumeration_for_every_set) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const NoisyOrNetwork network = oracle::random_network(random, 4, 5, 0.5);
    for (std::uint32_t mask = 0; mask < 32; ++mask) {
      std::vector<std::uint32_t> set;
      Row row(5, Value::missing);
      for (std::uint32_t a = 5; a-- > 0;) {  // falling: any order will do
        if (((mask >> a) & 1U) == 0) continue;
        set.push_back(a);
        row[a] = Value::off;
      }
      const auto expected = static_cast<double>(oracle::probability(network, row));
      EXPECT_NEAR(network.negative_moment(set), expected, 1e-15) << "set " << mask;
    }
  }
}

TEST(NoisyOrNetwork, refuses_what_is_not_a_probability_and_names_it) {
  const auto build = [](double prior, double leak, double failure) {
    return message_of<InputError>([=] {
      NoisyOrNetwork({{"u", 0}, {"v", prior}}, {{"a", leak}}, {{0, 0, 0.5}, {1, 0, failure}});
    });
  };
  EXPECT_EQ(build(1, 0, 0.5), "");
  EXPECT_EQ(build(nan_value, 0, 0.5), "causes[1].prior = nan; a probability in [0, 1] is needed");
  EXPECT_EQ(build(-0.5, 0, 0.5), "causes[1].prior = -0.5; a probability in [0, 1] is needed");
  EXPECT_EQ(build(0.5, 1.5, 0.5), "observed[0].leak = 1.5; a probability in [0, 1] is needed");
  EXPECT_EQ(build(0.5, nan_value, 0.5),
            "observed[0].leak = nan; a probability in [0, 1] is needed");
  EXPECT_EQ(build(0.5, 0, nan_value), "edges[1].failure = nan; a probability in [0, 1] is needed");
  EXPECT_EQ(build(0.5, 0, 2), "edges[1].failure = 2; a probability in [0, 1] is needed");
}

TEST(NoisyOrNetwork, refuses_indices_out_of_range) {
  const auto build = [](Edge edge) {
    return message_of<InputError>([=] {
      NoisyOrNetwork({{"u", 0.5}}, {{"a", 0}, {"b", 0}}, {{0, 0, 0.5}, edge});
    });
  };
  EXPECT_EQ(build({0, 1, 0.5}), "");
  EXPECT_EQ(build({1, 1, 0.5}), "edges[1].cause = 1, but there are 1 causes; indices start at 0");
  EXPECT_EQ(build({0, 2, 0.5}),
            "edges[1].observed = 2, but there are 2 observed variables; indices start at 0");
}

TEST(NoisyOrNetwork, refuses_a_second_edge_between_the_same_two) {
  const std::string message = message_of<InputError>([] {
    NoisyOrNetwork({{"u", 0.5}}, {{"a", 0}, {"b", 0}}, {{0, 1, 0.5}, {0, 0, 0.5}, {0, 1, 1}});
  });
  EXPECT_EQ(message, "edges[0] and edges[2] both join cause 0 and observed 1; keep one of them");
}

}  // namespace
}  // namespace orrery::model
