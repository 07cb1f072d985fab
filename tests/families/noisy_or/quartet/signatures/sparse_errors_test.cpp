// Standard errors of hundreds of causes against those of all parameters at once (errors.hpp).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "learning/run_learner.hpp"
#include "learning/sampled.hpp"

namespace orrery::quartet {
namespace {

constexpr FailurePrior flat{.5, .5};

/// Causes of six variables each, none of which they share, and two variables of no cause.
model::NoisyOrNetwork apart(std::uint32_t n_causes) {
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < n_causes; ++u) {
    causes.push_back({"u", .1 + .05 * u});
    for (std::uint32_t k = 0; k < 6; ++k) edges.push_back({u, 6 * u + k, .1 + .1 * k});
  }
  std::vector<model::Observed> observed(6 * n_causes + 2, model::Observed{"x", .03});
  return {causes, observed, edges};
}

void expect_ratio_of_one(const std::vector<double>& found, const std::vector<double>& expected,
                         double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i] / expected[i], 1, tolerance) << i << ": " << found[i];
  }
}

void expect_as_joint(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                     double ratio) {
  const model::StandardErrors sparse = sparse_standard_errors(rows, network, flat);
  const model::StandardErrors joint = standard_errors(rows, network, flat);
  expect_ratio_of_one(sparse.prior, joint.prior, ratio);
  expect_ratio_of_one(sparse.failure, joint.failure, ratio);
  expect_ratio_of_one(sparse.leak, joint.leak, std::max(ratio, .02));  // of no cause: alone
}

// Nothing is beside the one cause: its block is all there is.
TEST(SparseErrors, of_one_cause_are_those_of_all_parameters_at_once) {
  const model::NoisyOrNetwork network = apart(1);
  const learning::Sampled sampled(network, 3, 5'000);
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  expect_as_joint(rows, network, 1e-3);
}

// Variables of a cause say nothing of another's parameters, but for chance.
TEST(SparseErrors, of_causes_that_share_nothing_differ_by_chance_alone) {
  const model::NoisyOrNetwork network = apart(4);
  const learning::Sampled sampled(network, 4, 20'000);
  const learning::RowPass rows(learning::lone_team(), 2, sampled.values, nullptr);
  expect_as_joint(rows, network, .04);
}

TEST(SparseErrors, missing_values_say_nothing) {
  const model::NoisyOrNetwork network = apart(2);
  const learning::SampledInPart sampled(network, 5, 8'000, .2);
  const learning::RowPass rows(learning::lone_team(), 1, sampled.values, &sampled.missing);
  expect_as_joint(rows, network, .04);
}

TEST(SparseErrors, are_the_same_for_any_number_of_threads) {
  const model::NoisyOrNetwork network = apart(3);
  const learning::Sampled sampled(network, 6, 3'000);
  const learning::RowPass one(learning::lone_team(), 1, sampled.values, nullptr);
  const learning::RowPass three(learning::lone_team(), 3, sampled.values, nullptr);
  EXPECT_EQ(sparse_standard_errors(one, network, flat),
            sparse_standard_errors(three, network, flat));
}

std::uint64_t word_of(double value) {
  std::uint64_t word = 0;
  add_fixed(word, value, fine);
  return word;
}

TEST(FixedSums, what_is_said_to_add_nothing_adds_nothing) {
  std::vector<double> sizes;
  for (double size = 1e-16; size < 1e-8; size *= 1.01) sizes.push_back(size);
  double next = .5 / fine;  // half a unit: the first that may add one
  for (int i = 0; i < 100; ++i) sizes.push_back(next = std::nextafter(next, 0));
  for (const double size : sizes) {
    if (!adds_nothing(size, fine)) continue;
    EXPECT_EQ(word_of(size), 0) << size;
    EXPECT_EQ(word_of(-size), 0) << size;
  }
  EXPECT_TRUE(adds_nothing(.49 / fine, fine));
  EXPECT_FALSE(adds_nothing(.5 / fine, fine));
  EXPECT_FALSE(adds_nothing(std::nextafter(.5, 0) / fine, fine))
      << "half a unit more rounds to one";
}

}  // namespace
}  // namespace orrery::quartet
