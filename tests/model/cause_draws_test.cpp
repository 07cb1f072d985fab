// States drawn given a row come as often as their posterior says.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/anchored_oracle.hpp"
#include "model/cause_states.hpp"

namespace orrery::model {
namespace {

struct Drawn {
  std::vector<double> share;  // of states by the causes as bits
  std::vector<std::uint32_t> order;
};

Drawn draw_many(const NoisyOrNetwork& network, const oracle::Row& row,
                const std::vector<CauseState>& known, double exact_work, std::uint32_t n_draws) {
  const PreparedAnchored prepared(network);
  CauseDraws draws(prepared, {exact_work, 60, 3});
  const oracle::Bits bits = oracle::bits_of(row);
  Drawn drawn{std::vector<double>(std::size_t{1} << network.n_causes()), {}};
  EXPECT_TRUE(draws.read(5, 0, bits.values, bits.missing, known, {}));
  EXPECT_EQ(draws.is_exact(), exact_work > 0);
  std::vector<std::uint8_t> state(network.n_causes());
  for (std::uint32_t d = 0; d < n_draws; ++d) {
    draws.draw(state);
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < state.size(); ++i) number |= std::uint32_t{state[i]} << i;
    drawn.share[number] += 1.0 / n_draws;
    drawn.order.push_back(number);
  }
  return drawn;
}

/// Exact draws are independent: a share lies within 5 sqrt(p (1 - p) / N) + 5 / N of p, which one
/// of millions does not.
TEST(CauseDraws, exact_draws_follow_the_joint_posterior) {
  constexpr std::uint32_t n_draws = 20000;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    const NoisyOrNetwork network = oracle::random_anchored(random, 4, 8, 2, .6, true);
    const oracle::Row row = oracle::random_row(random, 8, .6, .1);
    const auto known = oracle::random_known(random, 4, seed % 2 == 0 ? .3 : 0);
    const oracle::Posterior truth = oracle::all_states(network, row, known);
    const Drawn drawn = draw_many(network, row, known, 1e9, n_draws);
    for (std::size_t s = 0; s < truth.states.size(); ++s) {
      const auto p = static_cast<double>(truth.states[s] / truth.evidence);
      EXPECT_NEAR(drawn.share[s], p, 5 * std::sqrt(p * (1 - p) / n_draws) + 5.0 / n_draws) << seed;
    }
  }
}

/// Successive states of a chain depend on one another: ten times as many are worth as much here.
TEST(CauseDraws, chains_follow_the_joint_posterior) {
  constexpr std::uint32_t n_draws = 100000;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    std::mt19937_64 random(seed);
    const NoisyOrNetwork network = oracle::random_anchored(random, 4, 8, 2, .6, true);
    const oracle::Row row = oracle::random_row(random, 8, .6, .1);
    const std::vector<CauseState> known(4, CauseState::unknown);
    const oracle::Posterior truth = oracle::all_states(network, row, known);
    const Drawn drawn = draw_many(network, row, known, 0, n_draws);
    for (std::size_t s = 0; s < truth.states.size(); ++s) {
      const auto p = static_cast<double>(truth.states[s] / truth.evidence);
      EXPECT_NEAR(drawn.share[s], p, 5 * std::sqrt(10 * p * (1 - p) / n_draws) + 50.0 / n_draws)
          << seed;
    }
  }
}

TEST(CauseDraws, another_round_draws_others_and_the_same_round_the_same) {
  std::mt19937_64 random(1);
  const NoisyOrNetwork network = oracle::random_anchored(random, 5, 8, 2, .6, true);
  const oracle::Bits bits = oracle::bits_of(oracle::random_row(random, 8, .5, 0));
  const PreparedAnchored prepared(network);
  const auto states = [&](std::uint64_t row, std::uint64_t round, double exact_work) {
    CauseDraws draws(prepared, {exact_work, 60, 3});
    EXPECT_TRUE(draws.read(row, round, bits.values, bits.missing, {}, {}));
    std::vector<std::uint8_t> all, state(5);
    for (int d = 0; d < 30; ++d) {
      draws.draw(state);
      all.insert(all.end(), state.begin(), state.end());
    }
    return all;
  };
  for (const double exact_work : {0.0, 1e9}) {
    EXPECT_EQ(states(3, 7, exact_work), states(3, 7, exact_work));
    EXPECT_NE(states(3, 7, exact_work), states(3, 8, exact_work));
    EXPECT_NE(states(3, 7, exact_work), states(4, 7, exact_work));
  }
}

/// A finding without a leak whose only cause is excluded by the one that is known.
TEST(CauseDraws, impossible_rows_are_told) {
  const NoisyOrNetwork network(
      NoisyOrNetwork({{"a", 0}, {"b", 0}, {"c", 0}}, {{"x", 0}}, {{0, 0, .5}, {2, 0, .5}}),
      CauseNetwork({{{1}, {.5, 0}}, {{}, {.5}}, {{1}, {.5, 0}}}), {});
  const PreparedAnchored prepared(network);
  const std::vector<std::uint64_t> on{1};
  const std::vector<CauseState> b_known{CauseState::unknown, CauseState::on, CauseState::unknown};
  for (const double exact_work : {0.0, 1e9}) {
    CauseDraws draws(prepared, {exact_work, 60, 3});
    EXPECT_FALSE(draws.read(0, 0, on, {}, b_known, {}));
    EXPECT_TRUE(draws.contradiction().has_value());
    EXPECT_TRUE(draws.read(0, 0, on, {}, {}, {}));
    EXPECT_FALSE(draws.contradiction().has_value());
  }
}

}  // namespace
}  // namespace orrery::model
