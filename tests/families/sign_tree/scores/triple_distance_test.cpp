#include "families/sign_tree/scores/triple_distance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "model/tree_moments.hpp"
#include "model/tree_oracle.hpp"

namespace orrery::sign_tree {
namespace {

using model::SignTree;
using model::tree_oracle::Ends;
using model::tree_oracle::sign;

/// Total variation of three signs, from the probabilities of all states.
double total_variation(const std::vector<double>& p, const std::vector<double>& q, std::size_t a,
                       std::size_t b, std::size_t c) {
  std::array<double, 8> cells{};
  for (std::size_t x = 0; x < p.size(); ++x) {
    cells[(sign(x, a) > 0 ? 4 : 0) + (sign(x, b) > 0 ? 2 : 0) + (sign(x, c) > 0 ? 1 : 0)] +=
        p[x] - q[x];
  }
  double sum = 0;
  for (const double cell : cells) sum += std::abs(cell);
  return sum / 2;
}

void expect_triples_as_enumerated(const SignTree& one, const SignTree& other) {
  const auto p = model::tree_oracle::hidden_distribution(one);
  const auto q = model::tree_oracle::hidden_distribution(other);
  const std::size_t n = one.n_variables();
  double farthest = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      for (std::size_t c = b + 1; c < n; ++c) {
        farthest = std::max(farthest, total_variation(p, q, a, b, c));
      }
    }
  }
  const TripleDistance found = triple_distance(one, other);
  ASSERT_NEAR(found.distance, farthest, 1e-12);
  const auto [a, b, c] = found.triple;
  ASSERT_TRUE(a < b && b < c);
  ASSERT_NEAR(total_variation(p, q, a, b, c), farthest, 1e-12);
  ASSERT_GE(found.distance, model::small_set_distance(one, other).distance - 1e-12);
}

TEST(TripleDistance, is_that_of_enumeration_for_every_forest_and_another) {
  std::mt19937_64 random(3);
  for (std::size_t p = 3; p <= 6; ++p) {
    std::vector<Ends> other;
    model::tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      expect_triples_as_enumerated(model::tree_oracle::with_parameters(p, ends, true, 0, random),
                                   model::tree_oracle::with_parameters(p, other, true, 0, random));
      if (random() % 2 == 0) other = ends;
    });
  }
}

TEST(TripleDistance, of_many_variables_is_that_of_every_triple) {
  // Plain loops over the pairs' differences; chains, of which many triples are nearly as far.
  constexpr std::uint32_t p = 70;
  std::mt19937_64 random(4);
  std::vector<Ends> ends;
  for (std::uint32_t i = 1; i < p; ++i) ends.emplace_back(random() % i, i);
  const SignTree one = model::tree_oracle::with_parameters(p, ends, true, 0, random);
  for (auto& [a, b] : ends) a = b - 1;
  const SignTree other = model::tree_oracle::with_parameters(p, ends, true, 0, random);
  const model::PathCorrelations of_one(one);
  const model::PathCorrelations of_other(other);
  const auto off = [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(of_one.moment(a, b) - of_other.moment(a, b));
  };
  double farthest = 0;
  for (std::uint32_t a = 0; a < p; ++a) {
    for (std::uint32_t b = a + 1; b < p; ++b) {
      for (std::uint32_t c = b + 1; c < p; ++c) {
        farthest = std::max({farthest, off(a, b) / 2, off(a, c) / 2, off(b, c) / 2,
                             (off(a, b) + off(a, c) + off(b, c)) / 4});
      }
    }
  }
  EXPECT_NEAR(triple_distance(one, other).distance, farthest, 1e-12);
}

TEST(TripleDistance, may_be_farther_than_the_worst_pair) {
  // A chain and no edge at all: differences .9, .9, .81.
  const SignTree chain({"a", "b", "c"}, {}, {{0, 1, .9}, {1, 2, .9}}, 0);
  const SignTree none({"a", "b", "c"}, {}, {}, 0);
  EXPECT_NEAR(triple_distance(chain, none).distance, (.9 + .9 + .81) / 4, 1e-15);
  EXPECT_EQ(triple_distance(chain, chain).distance, 0);
}

}  // namespace
}  // namespace orrery::sign_tree
