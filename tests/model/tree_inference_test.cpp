#include "orrery/model/tree_inference.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "model/tree_oracle.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_sampling.hpp"

namespace orrery::model {
namespace {

using tree_oracle::Ends;
using tree_oracle::sign;

std::vector<Reading> some_row(std::size_t p, std::mt19937_64& random) {
  std::vector<Reading> row(p);
  for (Reading& reading : row) reading = static_cast<Reading>(random() % 3);
  return row;
}

/// P(x, readings) of each hidden state.
std::vector<double> joint(const SignTree& tree, const std::vector<double>& hidden,
                          const std::vector<Reading>& row) {
  std::vector<double> joint = hidden;
  for (std::size_t x = 0; x < joint.size(); ++x) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == Reading::missing) continue;
      const bool kept = (sign(x, i) == 1) == (row[i] == Reading::on);
      joint[x] *= kept ? 1 - tree.crossover() : tree.crossover();
    }
  }
  return joint;
}

void expect_as_enumerated(const SignTree& tree, const std::vector<Reading>& row) {
  const auto states = joint(tree, tree_oracle::hidden_distribution(tree), row);
  double evidence = 0;
  std::vector<double> on(row.size(), 0);
  for (std::size_t x = 0; x < states.size(); ++x) {
    evidence += states[x];
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (sign(x, i) == 1) on[i] += states[x];
    }
  }
  const TreeChannel channel(tree);
  TreeInference inference(channel);
  ASSERT_NEAR(std::exp(inference.log_evidence(row)) / evidence, 1, 1e-12);
  const auto posterior = inference.posterior();
  for (std::size_t i = 0; i < row.size(); ++i) {
    ASSERT_NEAR(posterior[i], on[i] / evidence, 1e-12) << i;
  }
}

TEST(TreeInference, every_forest_agrees_with_enumeration) {
  std::mt19937_64 random(5);
  for (std::size_t p = 1; p <= 7; ++p) {
    tree_oracle::for_each_forest(p, [&](const std::vector<Ends>& ends) {
      const double crossover = std::array{0.0, .01, .3, .499}[random() % 4];
      const SignTree tree =
          tree_oracle::with_parameters(p, ends, random() % 2 == 0, crossover, random);
      expect_as_enumerated(tree, some_row(p, random));
    });
  }
}

TEST(TreeInference, every_row_of_a_tree_agrees_with_enumeration) {
  std::mt19937_64 random(6);
  for (const double crossover : {0.0, .2}) {
    const SignTree tree =
        tree_oracle::with_parameters(5, {{0, 3}, {3, 1}, {3, 4}, {4, 2}}, false, crossover, random);
    for (std::size_t code = 0; code < 243; ++code) {
      std::vector<Reading> row;
      for (std::size_t i = 0, rest = code; i < 5; ++i, rest /= 3) {
        row.push_back(static_cast<Reading>(rest % 3));
      }
      expect_as_enumerated(tree, row);
    }
  }
}

TEST(TreeInference, complete_noisy_rows_have_the_distribution_of_the_channel) {
  std::mt19937_64 random(7);
  tree_oracle::for_each_forest(5, [&](const std::vector<Ends>& ends) {
    const SignTree tree = tree_oracle::with_parameters(5, ends, false, .15, random);
    const auto noisy = tree_oracle::noisy_distribution(tree);
    const TreeChannel channel(tree);
    TreeInference inference(channel);
    std::vector<Reading> row(5);
    for (std::size_t y = 0; y < noisy.size(); ++y) {
      const std::uint64_t word = y;
      read_bits({&word, 1}, {}, row);
      ASSERT_NEAR(std::exp(inference.log_evidence(row)) / noisy[y], 1, 1e-12);
    }
  });
}

TEST(TreeInference, contradictions_have_no_probability) {
  const SignTree tree({"a", "b", "c"}, {}, {{0, 1, 1}, {1, 2, -1}}, 0);
  const TreeChannel channel(tree);
  TreeInference inference(channel);
  const double never = -std::numeric_limits<double>::infinity();
  const auto on = Reading::on;
  const auto off = Reading::off;
  EXPECT_EQ(inference.log_evidence(std::vector{on, off, off}), never);
  EXPECT_EQ(inference.log_evidence(std::vector{on, Reading::missing, on}), never);
  EXPECT_NEAR(inference.log_evidence(std::vector{on, on, off}), -std::log(2), 1e-15);
  EXPECT_NEAR(inference.log_evidence(std::vector{Reading::missing, on, Reading::missing}),
              -std::log(2), 1e-15);
  const auto posterior = inference.posterior();
  EXPECT_EQ(posterior[0], 1);
  EXPECT_EQ(posterior[2], 0);
}

// A star whose leaves say +1 in the first half and -1 in the second: what the halves say is far
// beyond the range of a double, and cancels.
TEST(TreeInference, a_hundred_thousand_variables_neither_underflow_nor_lose_a_half) {
  constexpr std::uint32_t p = 100001;
  std::vector<TreeEdge> star;
  std::vector<TreeEdge> chain;
  for (std::uint32_t i = 1; i < p; ++i) {
    star.push_back({0, i, .9});
    chain.push_back({i - 1, i, .9});
  }
  std::vector<Reading> row(p, Reading::off);
  row[0] = Reading::missing;
  std::fill(row.begin() + 1, row.begin() + 1 + p / 2, Reading::on);
  const TreeChannel of_star(SignTree(std::vector<std::string>(p, "x"), {}, star, .1));
  TreeInference inference(of_star);
  // P(y_i | x_0 = +-1) = (1 +- .72 y_i) / 2, and the halves are equal.
  const double expected = (p - 1) / 2 * (std::log(.86) + std::log(.14));
  EXPECT_NEAR(inference.log_evidence(row) / expected, 1, 1e-12);
  EXPECT_NEAR(inference.posterior()[0], .5, 1e-6);

  // A chain of all +1: the evidence a variable is the logarithm of the transfer matrix' greatest
  // eigenvalue, [[.95 .9, .05 .1], [.05 .9, .95 .1]] (columns: the next hidden sign).
  const TreeChannel of_chain(SignTree(std::vector<std::string>(p, "x"), {}, chain, .1));
  TreeInference along(of_chain);
  std::fill(row.begin(), row.end(), Reading::on);
  const double half_trace = (.855 + .095) / 2;
  const double eigenvalue = half_trace + std::sqrt(half_trace * half_trace - .09 * .9);
  EXPECT_NEAR(along.log_evidence(row) / p, std::log(eigenvalue), 1e-4);
}

TEST(TreeInference, the_mean_of_rows_is_the_same_for_any_number_of_threads) {
  std::mt19937_64 random(8);
  const SignTree tree =
      tree_oracle::with_parameters(4, {{0, 1}, {1, 2}, {1, 3}}, false, .2, random);
  const auto block = sample_tree_rows(tree, 1, 0, 10000);
  data::SampleMatrix samples;
  samples.values = data::BitPanels(4, 10000);
  samples.values.insert(0, block);
  samples.missing.emplace(4, 10000);
  samples.missing->set(17, 2, true);
  samples.values.set(17, 2, false);
  const TreeChannel channel(tree);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const double alone = mean_log_likelihood(channel, samples);
  omp_set_num_threads(3);
  EXPECT_EQ(alone, mean_log_likelihood(channel, samples));
  omp_set_num_threads(threads);
  TreeInference inference(channel);
  double sum = 0;
  for (std::size_t r = 0; r < 10000; ++r) {
    std::vector<Reading> row;
    for (std::size_t i = 0; i < 4; ++i) {
      row.push_back(r == 17 && i == 2 ? Reading::missing : static_cast<Reading>(block.at(r, i)));
    }
    sum += inference.log_evidence(row);
  }
  EXPECT_NEAR(alone, sum / 10000, 1e-12);
  samples.values = data::BitPanels(3, 10000);
  EXPECT_THROW((void)mean_log_likelihood(channel, samples), InputError);
}

}  // namespace
}  // namespace orrery::model
