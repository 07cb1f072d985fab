#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "model/tree_generators.hpp"
#include "model/tree_moments.hpp"
#include "model/tree_oracle.hpp"

namespace orrery::model {
namespace {

using tree_oracle::Ends;
using tree_oracle::sign;

double enumerated_kl(const std::vector<double>& p, const std::vector<double>& q) {
  double sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x) {
    if (p[x] > 0) sum += p[x] * std::log(p[x] / q[x]);
  }
  return sum;
}

double pair_distance(const std::vector<double>& p, const std::vector<double>& q, std::size_t a,
                     std::size_t b) {
  double cell[4] = {0, 0, 0, 0};
  for (std::size_t x = 0; x < p.size(); ++x) {
    cell[(sign(x, a) > 0 ? 2 : 0) + (sign(x, b) > 0 ? 1 : 0)] += p[x] - q[x];
  }
  return (std::abs(cell[0]) + std::abs(cell[1]) + std::abs(cell[2]) + std::abs(cell[3])) / 2;
}

void expect_as_enumerated(const SignTree& p, const SignTree& q) {
  const auto of_p = tree_oracle::hidden_distribution(p);
  const auto of_q = tree_oracle::hidden_distribution(q);
  const double kl = enumerated_kl(of_p, of_q);
  ASSERT_NEAR(kl_divergence(p, q), kl, 1e-12 * (1 + kl));
  const double both = kl + enumerated_kl(of_q, of_p);
  ASSERT_NEAR(kl_divergence(p, q) + kl_divergence(q, p), both, 1e-12 * (1 + both));
  double farthest = 0;
  for (std::size_t a = 0; a < p.n_variables(); ++a) {
    for (std::size_t b = a + 1; b < p.n_variables(); ++b) {
      farthest = std::max(farthest, pair_distance(of_p, of_q, a, b));
    }
  }
  const PairDistance found = small_set_distance(p, q);
  ASSERT_NEAR(found.distance, farthest, 1e-12);
  if (p.n_variables() < 2) return;
  ASSERT_LT(found.pair[0], found.pair[1]);
  ASSERT_NEAR(pair_distance(of_p, of_q, found.pair[0], found.pair[1]), farthest, 1e-12);
}

TEST(TreeDistance, every_forest_and_another_agree_with_enumeration) {
  std::mt19937_64 random(11);
  for (std::size_t p = 1; p <= 7; ++p) {
    std::vector<Ends> other;  // the one before
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const bool uniform = random() % 2 == 0;
      const SignTree one = tree_oracle::with_parameters(p, ends, uniform, 0, random);
      expect_as_enumerated(one, tree_oracle::with_parameters(p, other, uniform, 0, random));
      if (random() % 64 == 0) expect_as_enumerated(one, one);
      if (random() % 2 == 0) other = ends;
    });
  }
}

TEST(TreeDistance, path_correlations_are_those_of_enumeration) {
  std::mt19937_64 random(12);
  for (std::size_t p = 2; p <= 6; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const SignTree tree = tree_oracle::with_parameters(p, ends, p % 2 == 0, 0, random);
      const auto hidden = tree_oracle::hidden_distribution(tree);
      const PathCorrelations paths(tree);
      for (std::uint32_t a = 0; a < p; ++a) {
        for (std::uint32_t b = 0; b < p; ++b) {
          const std::size_t both = (std::size_t{1} << a) ^ (std::size_t{1} << b);
          ASSERT_NEAR(paths.moment(a, b), tree_oracle::product_moment(hidden, both), 1e-12);
        }
      }
    });
  }
}

// Longer than the trees that are enumerated, for the long jumps.
TEST(TreeDistance, long_paths_multiply) {
  for (const char* spec : {"tree:chain:300", "tree:recursive:300"}) {
    const SignTree tree = generate_tree(spec, 3, {.7, .99, true, 0}).value();
    const PathCorrelations paths(tree);
    for (std::uint32_t a = 0; a < 300; a += 7) {
      for (std::uint32_t b = 0; b < 300; b += 5) {
        // Ancestors of a with the products up to them; then b goes up until it meets one.
        std::vector<double> above(300, 0);
        double product = 1;
        const auto step = [&](std::uint32_t& i) {
          product *= tree.edges()[tree.parent_edges()[i]].moment;
          i = tree.parents()[i];
        };
        std::uint32_t i = a;
        above[i] = 1;
        while (tree.parents()[i] != SignTree::none) {
          step(i);
          above[i] = product;
        }
        product = 1;
        i = b;
        while (above[i] == 0) step(i);
        ASSERT_NEAR(paths.correlation(a, b), product * above[i], 1e-13);
      }
    }
  }
}

// Eq. (33): of two zero-field Ising models, the sum over all pairs of the differences of their
// interactions (0 where there is no edge; atanh of the moment, Eq. 9) and of their moments.
TEST(TreeDistance, the_symmetric_divergence_is_that_of_ising_models) {
  std::mt19937_64 random(13);
  tree_oracle::for_each_forest(5, [&](const std::vector<Ends>& ends) {
    const SignTree p = tree_oracle::with_parameters(5, ends, true, 0, random);
    const SignTree q =
        tree_oracle::with_parameters(5, {{0, 1}, {1, 2}, {1, 3}, {3, 4}}, true, 0, random);
    const PathCorrelations of_p(p);
    const PathCorrelations of_q(q);
    double sum = 0;
    for (const TreeEdge& e : p.edges()) {
      sum += std::atanh(e.moment) * (e.moment - of_q.moment(e.a, e.b));
    }
    for (const TreeEdge& e : q.edges()) {
      sum -= std::atanh(e.moment) * (of_p.moment(e.a, e.b) - e.moment);
    }
    ASSERT_NEAR(kl_divergence(p, q) + kl_divergence(q, p), sum, 1e-11 * (1 + sum));
  });
}

TEST(TreeDistance, what_one_allows_and_the_other_does_not_is_infinitely_far) {
  const SignTree sure({"a", "b"}, {}, {{0, 1, 1}}, 0);
  const SignTree unsure({"a", "b"}, {}, {{0, 1, .5}}, 0);
  EXPECT_EQ(kl_divergence(unsure, sure), std::numeric_limits<double>::infinity());
  EXPECT_NEAR(kl_divergence(sure, unsure), std::log(1 / .75), 1e-15);
  EXPECT_EQ(kl_divergence(sure, sure), 0);
}

TEST(TreeDistance, ties_go_to_the_first_pair_for_any_number_of_threads) {
  std::vector<std::string> names(300, "x");  // enough to be shared by threads
  const SignTree empty(names, {}, {}, 0);
  const SignTree tied(names, {}, {{3, 90, -.5}, {2, 60, .5}, {2, 70, .25}, {5, 6, .5}}, 0);
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 5}) {
    omp_set_num_threads(n);
    const PairDistance found = small_set_distance(empty, tied);
    EXPECT_EQ(found.distance, .25);
    EXPECT_EQ(found.pair, (std::array<std::uint32_t, 2>{2, 60}));
  }
  omp_set_num_threads(threads);
}

}  // namespace
}  // namespace orrery::model
