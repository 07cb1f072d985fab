#include "orrery/model/cause_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "model/says.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// 2 -> 0 <- 3, 0 -> 1; 4 by itself.
CauseNetwork example() {
  return CauseNetwork(
      {{{2, 3}, {.1, .2, .3, .4}}, {{0}, {.5, .6}}, {{}, {.7}}, {{}, {.8}}, {{}, {.9}}});
}

std::string message_of(std::vector<CauseTable> tables) {
  try {
    const CauseNetwork network(std::move(tables));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CauseNetwork, children_blankets_and_order_follow_from_the_parents) {
  const CauseNetwork network = example();
  EXPECT_EQ(network.n_causes(), 5U);
  EXPECT_EQ(network.n_edges(), 3U);
  EXPECT_EQ(network.children(0), (Numbers{1}));
  EXPECT_EQ(network.children(2), (Numbers{0}));
  EXPECT_EQ(network.children(4), (Numbers{}));
  EXPECT_EQ(network.markov_blanket(0), (Numbers{1, 2, 3}));
  EXPECT_EQ(network.markov_blanket(2), (Numbers{0, 3}));  // 3 by their child
  EXPECT_EQ(network.markov_blanket(1), (Numbers{0}));
  EXPECT_EQ(network.order(), (Numbers{2, 3, 0, 1, 4}));
}

TEST(CauseNetwork, tells_forests_and_independent_causes) {
  EXPECT_FALSE(example().is_forest());
  const CauseNetwork chain({{{1}, {.1, .2}}, {{2}, {.3, .4}}, {{}, {.5}}});
  EXPECT_TRUE(chain.is_forest());
  EXPECT_FALSE(chain.is_independent());
  const CauseNetwork alone = CauseNetwork::independent(std::vector<double>{.25, 1});
  EXPECT_TRUE(alone.is_forest());
  EXPECT_TRUE(alone.is_independent());
  EXPECT_EQ(alone.tables()[0].on, (std::vector<double>{.25}));
  EXPECT_EQ(CauseNetwork().n_causes(), 0U);
  EXPECT_TRUE(CauseNetwork().is_independent());
}

TEST(CauseNetwork, bit_i_of_a_parents_state_is_parent_i) {
  const CauseNetwork network = example();
  EXPECT_EQ(network.on(0, std::vector<std::uint8_t>{0, 0, 1, 0, 0}), .2);
  EXPECT_EQ(network.on(0, std::vector<std::uint8_t>{0, 0, 0, 1, 0}), .3);
  EXPECT_EQ(network.on(0, std::vector<std::uint8_t>{0, 0, 1, 1, 0}), .4);
}

TEST(CauseNetwork, probabilities_of_all_states_are_the_products_and_sum_to_one) {
  const CauseNetwork network = example();
  double sum = 0;
  for (unsigned state = 0; state < 32; ++state) {
    std::vector<std::uint8_t> values(5);
    for (unsigned i = 0; i < 5; ++i) values[i] = static_cast<std::uint8_t>((state >> i) & 1U);
    sum += std::exp(network.log_probability(values));
  }
  EXPECT_NEAR(sum, 1, 1e-14);
  // y = (1, 0, 1, 1, 0)
  EXPECT_NEAR(network.log_probability(std::vector<std::uint8_t>{1, 0, 1, 1, 0}),
              std::log(.4 * .4 * .7 * .8 * .1), 1e-14);
}

TEST(CauseNetwork, what_cannot_be_has_log_probability_minus_infinity) {
  const CauseNetwork network = CauseNetwork::independent(std::vector<double>{0, 1});
  EXPECT_EQ(network.log_probability(std::vector<std::uint8_t>{0, 1}), 0);
  EXPECT_EQ(network.log_probability(std::vector<std::uint8_t>{1, 1}),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(network.log_probability(std::vector<std::uint8_t>{0, 0}),
            -std::numeric_limits<double>::infinity());
}

TEST(CauseNetwork, names_the_whole_of_a_cycle) {
  const std::string message =
      message_of({{{1}, {.5, .5}}, {{3}, {.5, .5}}, {{}, {.5}}, {{0, 2}, {.5, .5, .5, .5}}});
  EXPECT_TRUE(says(message, "0 -> 3 -> 1 -> 0")) << message;
}

TEST(CauseNetwork, names_the_cause_of_what_it_refuses) {
  EXPECT_TRUE(says(message_of({{{}, {.5}}, {{2}, {.5, .5}}}), "cause_tables[1].parents: 2"));
  EXPECT_TRUE(says(message_of({{{0}, {.5, .5}}}), "cause itself"));
  const CauseTable root{{}, {.5}};
  EXPECT_TRUE(says(message_of({root, root, {{1, 0}, {.5, .5, .5, .5}}}), "0 after 1"));
  EXPECT_TRUE(says(message_of({root, root, {{1, 1}, {.5, .5, .5, .5}}}), "1 after 1"));
  EXPECT_TRUE(says(message_of({root, {{0}, {.5}}}), "cause_tables[1].on has 1 values"));
  EXPECT_TRUE(says(message_of({root, {{0}, {.5, 1.5}}}), "cause_tables[1].on[1] = 1.5"));
  EXPECT_TRUE(says(message_of({{{}, {std::nan("")}}}), "cause_tables[0].on[0] = nan"));
  std::vector<CauseTable> many(18, root);
  many[17].parents = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  many[17].on.assign(std::size_t{1} << 17U, .5);
  EXPECT_TRUE(says(message_of(many), "17 parents"));
}

}  // namespace
}  // namespace orrery::model
