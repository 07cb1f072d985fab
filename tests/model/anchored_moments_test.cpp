#include <gtest/gtest.h>

#include "model/anchored_generators.hpp"
#include "model/anchored_oracle.hpp"
#include "model/network_moments.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using oracle::distribution;
using oracle::random_with_anchors;
using Set = std::vector<std::uint32_t>;

/// P(X_S, Y_Z) from all states: the findings' bits first.
std::vector<double> expected_table(const NoisyOrNetwork& network, const Set& observed,
                                   const Set& causes) {
  Set bits;
  for (const std::uint32_t j : observed) {
    bits.push_back(j + static_cast<std::uint32_t>(network.n_causes()));
  }
  bits.insert(bits.end(), causes.begin(), causes.end());
  return oracle::table_of(distribution(network), bits);
}

void expect_near(std::span<const double> values, std::span<const double> expected) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-13) << i;
}

TEST(AnchoredMoments, tables_of_findings_and_causes_agree_with_enumeration) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const NoisyOrNetwork network = random_with_anchors(seed, 4, 7, 3);
    const AnchoredMoments moments(network);
    for (const Set& observed : {Set{}, Set{5}, Set{6, 0}, Set{1, 4, 3}, Set{0, 1, 2, 3, 4, 5, 6}}) {
      for (const Set& causes : {Set{}, Set{2}, Set{0, 3}, Set{0, 1, 2, 3}}) {
        const std::vector<double> expected = expected_table(network, observed, causes);
        expect_near(moments.table(observed, causes), expected);
      }
    }
  }
}

TEST(AnchoredMoments, all_off_with_causes_is_the_first_cells_of_the_table) {
  const NoisyOrNetwork network = oracle::small_anchored();
  const AnchoredMoments moments(network);
  for (const Set& observed : {Set{}, Set{1}, Set{2, 0}, Set{0, 1, 2}}) {
    const std::vector<double> all = expected_table(network, observed, {0, 2});
    std::vector<double> off;
    for (std::size_t y = 0; y < 4; ++y) off.push_back(all[y << observed.size()]);
    expect_near(moments.off_with_causes(observed, Set{0, 2}), off);
  }
}

// The moments of anchors are those of their causes, passed through the anchors' noise (Eq. (1)).
TEST(AnchoredMoments, a_pair_of_anchors_is_its_causes_through_their_noise) {
  const NoisyOrNetwork network =
      generate_anchored(parse_anchored_spec("anchored:indegree:2,12,24").value(), {}, 3);
  const AnchoredMoments moments(network);
  const Set pair{3, 8};
  const std::vector<double> causes =
      CauseElimination(network.cause_network()).table(pair, oracle::no_weights(12));
  std::vector<double> expected(4, 0);
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t y = 0; y < 4; ++y) {
      double p = causes[y];
      for (std::size_t i = 0; i < 2; ++i) {
        const auto [off, on] = network.anchor_rates(pair[i]);
        const double rate = oracle::bit(y, i) ? on : off;
        p *= oracle::bit(a, i) ? rate : 1 - rate;
      }
      expected[a] += p;
    }
  }
  expect_near(moments.table(pair), expected);
}

TEST(AnchoredMoments, refuses_tables_too_large_and_causes_too_coupled) {
  const NoisyOrNetwork network = random_with_anchors(1, 4, 20, 2);
  const AnchoredMoments moments(network);
  Set many(14);
  for (std::uint32_t j = 0; j < 14; ++j) many[j] = j;
  EXPECT_THROW((void)moments.table(many, Set{0, 1, 2}), InputError);
  const NoisyOrNetwork coupled = random_with_anchors(1, 300, 300, 4);
  EXPECT_THROW(AnchoredMoments{coupled}, InputError);
}

}  // namespace
}  // namespace orrery::model
