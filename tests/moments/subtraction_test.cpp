#include <gtest/gtest.h>

#include "moments/negative_moments.hpp"
#include "moments/small_networks.hpp"

namespace orrery::moments {
namespace {

using examples::random_network;
using examples::SmallNetwork;

constexpr std::size_t n_subtracted = 6;

Subtraction subtraction_of(const SmallNetwork& network) {
  Subtraction causes(n_subtracted);
  for (std::size_t u = 0; u < network.priors.size(); ++u) {
    causes.add(network.priors[u], network.failures[u]);
  }
  return causes;
}

/// Product over causes of 1 - p + p f_S, term by term.
double direct_factor(const SmallNetwork& network, std::size_t mask) {
  double product = 1;
  for (std::size_t u = 0; u < network.priors.size(); ++u) {
    double failures = 1;
    for (std::size_t x = 0; x < n_subtracted; ++x) {
      if (((mask >> x) & 1U) != 0) failures *= network.failures[u][x];
    }
    product *= 1 - network.priors[u] + network.priors[u] * failures;
  }
  return product;
}

TEST(Subtraction, no_cause_is_a_factor_of_one) {
  const Subtraction none(n_subtracted);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.factor({0, 3}), 1);
  std::vector<double> factors(n_subtracted, -1);
  none.factors({0}, 2, factors);
  EXPECT_EQ(factors, (std::vector<double>{-1, -1, 1, 1, 1, 1}));
}

TEST(Subtraction, factors_match_products_over_the_causes) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 50; ++i) {
    const SmallNetwork network = random_network(random, 3, n_subtracted, .7);
    const Subtraction causes = subtraction_of(network);
    EXPECT_EQ(causes.n_causes(), 3U);
    EXPECT_EQ(causes.prior(1), network.priors[1]);
    EXPECT_EQ(causes.failure(2, 4), network.failures[2][4]);
    EXPECT_NEAR(causes.factor({5}), direct_factor(network, 0b100000), 1e-15);
    EXPECT_NEAR(causes.factor({4, 1}), direct_factor(network, 0b010010), 1e-15);
    EXPECT_NEAR(causes.factor({0, 2, 5}), direct_factor(network, 0b100101), 1e-15);
    EXPECT_NEAR(causes.factor({0, 1, 2, 3}), direct_factor(network, 0b001111), 1e-15);
    std::vector<double> factors(n_subtracted + 3, -1);  // rows may be padded
    causes.factors({0, 2}, 3, factors);
    EXPECT_EQ(factors[2], -1);
    for (std::size_t d = 3; d < n_subtracted; ++d) {
      EXPECT_NEAR(factors[d], direct_factor(network, 0b000101 | (1U << d)), 1e-15);
      EXPECT_NEAR(factors[d], causes.factor({0, 2, d}), 1e-15);
    }
  }
}

/// Moments of a small network, enumerated.
class EnumeratedMoments final : public MomentSource {
 public:
  explicit EnumeratedMoments(const SmallNetwork& network)
      : network_(network), pairs_(n_subtracted * n_subtracted) {
    for (std::size_t a = 0; a < n_subtracted; ++a) {
      for (std::size_t b = 0; b < n_subtracted; ++b) pairs_[a * n_subtracted + b] = moment({a, b});
    }
  }
  [[nodiscard]] std::size_t n_observed() const override { return n_subtracted; }
  [[nodiscard]] std::uint64_t n_samples() const override { return 0; }
  [[nodiscard]] double pair(std::size_t a, std::size_t b) const override {
    return pairs_[a * n_subtracted + b];
  }
  [[nodiscard]] double triple(std::size_t a, std::size_t b, std::size_t c) const override {
    return moment({a, b, c});
  }
  [[nodiscard]] double quartet(std::size_t a, std::size_t b, std::size_t c,
                               std::size_t d) const override {
    return moment({a, b, c, d});
  }
  [[nodiscard]] std::unique_ptr<MomentWalker> walker() const override { return nullptr; }
  [[nodiscard]] std::size_t walker_bytes() const override { return 0; }

 private:
  [[nodiscard]] double moment(std::initializer_list<std::size_t> set) const {
    std::size_t mask = 0;
    for (const std::size_t x : set) mask |= std::size_t{1} << x;
    return network_.negative(mask);
  }
  const SmallNetwork& network_;
  std::vector<double> pairs_;
};

TEST(Subtraction, dividing_by_the_factors_leaves_the_smaller_network) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 30; ++i) {
    const SmallNetwork network = random_network(random, 4, n_subtracted, .6);
    SmallNetwork learned = network;  // the first two causes
    learned.priors.resize(2);
    learned.failures.resize(2);
    SmallNetwork rest = network;
    rest.priors.erase(rest.priors.begin(), rest.priors.begin() + 2);
    rest.failures.erase(rest.failures.begin(), rest.failures.begin() + 2);
    const Subtraction causes = subtraction_of(learned);
    const EnumeratedMoments whole(network);
    for (std::uint32_t a = 0; a < n_subtracted; ++a) {
      EXPECT_NEAR(whole.single(a) / causes.factor({a}), rest.negative(1U << a), 1e-14);
      for (std::uint32_t b = a + 1; b < n_subtracted; ++b) {
        const std::size_t ab = (1U << a) | (1U << b);
        EXPECT_NEAR(whole.pair(a, b) / causes.factor({a, b}), rest.negative(ab), 1e-14);
        for (std::uint32_t c = b + 1; c < n_subtracted; ++c) {
          EXPECT_NEAR(whole.triple(a, b, c) / causes.factor({a, b, c}),
                      rest.negative(ab | (1U << c)), 1e-14);
          for (std::uint32_t d = c + 1; d < n_subtracted; ++d) {
            EXPECT_NEAR(whole.quartet(a, b, c, d) / causes.factor({a, b, c, d}),
                        rest.negative(ab | (1U << c) | (1U << d)), 1e-14);
          }
        }
      }
    }
  }
}

TEST(Adjusted, tables_hold_each_set_at_its_mask_in_the_members_order) {
  std::mt19937_64 random(3);
  const SmallNetwork network = random_network(random, 3, n_subtracted, .8);
  SmallNetwork learned = network;
  learned.priors.resize(1);
  learned.failures.resize(1);
  SmallNetwork rest = network;
  rest.priors.erase(rest.priors.begin());
  rest.failures.erase(rest.failures.begin());
  const Subtraction causes = subtraction_of(learned);
  const EnumeratedMoments whole(network);
  const std::array<std::uint32_t, 4> members{4, 0, 5, 2};  // any order
  const QuartetMoments quartet = adjusted_quartet(whole, causes, members);
  const TripletMoments triplet =
      adjusted_triplet(whole, causes, {members[0], members[1], members[2]});
  for (std::size_t set = 0; set < 16; ++set) {
    std::size_t mask = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) != 0) mask |= std::size_t{1} << members[k];
    }
    EXPECT_NEAR(quartet[set], rest.negative(mask), 1e-14) << set;
    if (set < 8) {
      EXPECT_NEAR(triplet[set], rest.negative(mask), 1e-14) << set;
    }
  }
}

}  // namespace
}  // namespace orrery::moments
