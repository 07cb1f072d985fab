#include "model/network_moments.hpp"

#include <gtest/gtest.h>

#include "model/oracle.hpp"

namespace orrery::model {
namespace {

/// P(the given variables off), by enumerating all states of the causes.
double enumerated(const NoisyOrNetwork& network, std::initializer_list<std::size_t> off) {
  oracle::Row row(network.n_observed(), oracle::Value::missing);
  for (const std::size_t x : off) row[x] = oracle::Value::off;
  return static_cast<double>(oracle::probability(network, row));
}

class NetworkMomentsOfRandomNetworks : public testing::TestWithParam<std::uint64_t> {
 protected:
  std::mt19937_64 random_{GetParam()};
  // 19 columns: rows are padded to 32 values.
  NoisyOrNetwork network_ = oracle::random_network(random_, 4, 19, .4);
  NetworkMoments source_{network_};
};

TEST_P(NetworkMomentsOfRandomNetworks, match_enumeration) {
  EXPECT_EQ(source_.n_observed(), 19U);
  EXPECT_EQ(source_.n_samples(), 0U);
  for (std::size_t a = 0; a < 19; ++a) {
    EXPECT_NEAR(source_.single(a), enumerated(network_, {a}), 1e-15);
    for (std::size_t b = a + 1; b < 19; ++b) {
      EXPECT_NEAR(source_.pair(a, b), enumerated(network_, {a, b}), 1e-15);
      EXPECT_EQ(source_.pair(b, a), source_.pair(a, b));
    }
  }
  EXPECT_NEAR(source_.triple(3, 17, 8), enumerated(network_, {3, 8, 17}), 1e-15);
  EXPECT_NEAR(source_.quartet(18, 0, 9, 4), enumerated(network_, {0, 4, 9, 18}), 1e-15);
}

TEST_P(NetworkMomentsOfRandomNetworks, walker_gives_the_same_triples_and_wanted_quartets) {
  const auto walker = source_.walker();
  moments::TripleSlab slab_a;
  moments::TripleSlab slab_b;
  const std::vector<std::uint64_t> everything(1, ~std::uint64_t{0});
  walker->triples(2, everything, slab_a);
  walker->triples(6, everything, slab_b);
  for (std::size_t x = 3; x < 19; ++x) {
    for (std::size_t y = x + 1; y < 19; ++y) {
      ASSERT_NEAR(slab_a.moments(x)[y], enumerated(network_, {2, x, y}), 1e-15);
    }
  }
  std::vector<std::uint64_t> wanted(1, 0);
  for (const std::size_t x : {7U, 11U, 16U, 18U}) wanted[0] |= std::uint64_t{1} << x;
  walker->select_pair(2, 6, slab_a, slab_b, wanted);
  const double* row = walker->quartets(7);
  for (const std::size_t d : {11U, 16U, 18U}) {
    EXPECT_NEAR(row[d], enumerated(network_, {2, 6, 7, d}), 1e-15);
  }
  EXPECT_NEAR(walker->quartets(11)[18], enumerated(network_, {2, 6, 11, 18}), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Seeds, NetworkMomentsOfRandomNetworks, testing::Values(1, 2, 3));

}  // namespace
}  // namespace orrery::model
