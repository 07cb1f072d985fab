// The order of the variables is no part of the problem: permuting the columns permutes the result.
#include <gtest/gtest.h>

#include <numeric>

#include "learning/planted.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::learning {
namespace {

struct Permuted {
  std::vector<std::size_t> new_index;  // of each old column
  data::BitPanels values;
};

Permuted permute(const data::BitPanels& values, std::mt19937_64& random) {
  Permuted result{std::vector<std::size_t>(values.n_columns()),
                  data::BitPanels(values.n_columns(), values.n_rows())};
  std::iota(result.new_index.begin(), result.new_index.end(), std::size_t{0});
  for (std::size_t x = 0; x + 1 < result.new_index.size(); ++x) {
    std::swap(result.new_index[x],
              result.new_index[planted::integer(random, x, result.new_index.size() - 1)]);
  }
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    for (std::size_t x = 0; x < values.n_columns(); ++x) {
      result.values.set(row, result.new_index[x], values.at(row, x));
    }
  }
  return result;
}

/// Sums are taken in another order, so that the last digits may differ; the order in which causes
/// come out is that of their statistics, which do not tie here.
void expect_permuted(const model::LearnedModel& model, const model::LearnedModel& permuted,
                     const std::vector<std::size_t>& new_index, double tolerance) {
  ASSERT_EQ(permuted.network.n_causes(), model.network.n_causes());
  for (std::size_t u = 0; u < model.network.n_causes(); ++u) {
    EXPECT_NEAR(permuted.network.causes()[u].prior, model.network.causes()[u].prior, tolerance);
    EXPECT_EQ(permuted.provenance[u].depth, model.provenance[u].depth);
    EXPECT_NEAR(permuted.provenance[u].statistic, model.provenance[u].statistic, tolerance);
    auto quartet = model.provenance[u].quartet;
    for (auto& x : quartet) {
      x = static_cast<std::int32_t>(new_index[static_cast<std::size_t>(x)]);
    }
    std::ranges::sort(quartet);
    EXPECT_EQ(permuted.provenance[u].quartet, quartet);
    for (std::size_t x = 0; x < new_index.size(); ++x) {
      EXPECT_NEAR(permuted.network.failure(u, new_index[x]), model.network.failure(u, x),
                  tolerance);
    }
  }
  for (std::size_t x = 0; x < new_index.size(); ++x) {
    EXPECT_NEAR(permuted.network.observed()[new_index[x]].leak, model.network.observed()[x].leak,
                tolerance);
  }
}

/// Strong enough to be learned from 3,000 samples.
planted::Ranges strong() {
  planted::Ranges ranges;
  ranges.min_causes = 3;
  ranges.max_causes = 5;
  ranges.min_prior = .15;
  ranges.max_failure = .4;
  return ranges;
}

TEST(Permutation, of_the_variables_permutes_what_is_learned) {
  std::size_t n_causes = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    std::mt19937_64 random(seed);
    const auto truth = planted::network(random, strong());
    const Sampled sampled(truth, seed, 3000);
    Permuted permuted = permute(sampled.values, random);
    const Sampled other(std::move(permuted.values));
    for (const char* test : {"calibrated", "rank", "coherence"}) {
      SCOPED_TRACE(fmt::format("seed {}, {}", seed, test));
      const std::vector<std::string> arguments{"--test", test};
      const auto model = learn_quartet(sampled.moments, truth.observed_names(), arguments);
      expect_permuted(model, learn_quartet(other.moments, truth.observed_names(), arguments),
                      permuted.new_index, std::string(test) == "calibrated" ? 1e-6 : 1e-9);
      n_causes += model.network.n_causes();
    }
  }
  EXPECT_GT(n_causes, 50U);
}

TEST(Permutation, of_the_rows_changes_nothing) {
  std::mt19937_64 random(2);
  const auto truth = planted::network(random, strong());
  const Sampled sampled(truth, 9, 3000);
  data::BitPanels reversed(truth.n_observed(), 3000);
  for (std::size_t row = 0; row < 3000; ++row) {
    for (std::size_t x = 0; x < truth.n_observed(); ++x) {
      reversed.set(2999 - row, x, sampled.values.at(row, x));
    }
  }
  const Sampled other(std::move(reversed));
  const auto model = learn_quartet(sampled.moments, truth.observed_names());
  const auto again = learn_quartet(other.moments, truth.observed_names());
  EXPECT_GT(model.network.n_causes(), 0U);
  EXPECT_EQ(again.network.edges(), model.network.edges());
  EXPECT_EQ(again.provenance, model.provenance);
}

TEST(Threads, do_not_change_what_is_learned) {
  std::mt19937_64 random(5);
  const auto truth = planted::network(random, strong());
  const Sampled sampled(truth, 9, 3000);
  const auto model = learn_quartet(sampled.moments, truth.observed_names(), {}, 1);
  EXPECT_GT(model.network.n_causes(), 0U);
  for (const int threads : {2, 3}) {
    const auto again = learn_quartet(sampled.moments, truth.observed_names(), {}, threads);
    EXPECT_EQ(again.network.edges(), model.network.edges());
    EXPECT_EQ(again.provenance, model.provenance);
  }
}

}  // namespace
}  // namespace orrery::learning
