#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "model/anchored_generators.hpp"
#include "model/anchored_oracle.hpp"
#include "model/block_words.hpp"
#include "model/drawn_rows.hpp"

namespace orrery::model {
namespace {

using oracle::small_anchored;

// The share of a cell has a standard error of at most sqrt(p (1 - p) / N): 5 of them.
TEST(AnchoredSampling, every_state_of_causes_and_findings_has_its_probability) {
  const NoisyOrNetwork network = small_anchored();
  constexpr std::size_t n_rows = 200000;
  const data::BitColumns causes = sample_cause_rows(network.cause_network(), 3, 0, n_rows);
  const data::BitColumns findings = sample_anchored_rows(network, 3, 0, n_rows);
  std::vector<double> share(64, 0);
  for (std::size_t r = 0; r < n_rows; ++r) {
    std::size_t cell = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      cell |= static_cast<std::size_t>(causes.at(r, i)) << i;
      cell |= static_cast<std::size_t>(findings.at(r, i)) << (3 + i);
    }
    share[cell] += 1.0 / n_rows;
  }
  for (std::size_t cell = 0; cell < 64; ++cell) {
    const double p = oracle::probability(network, cell);
    EXPECT_NEAR(share[cell], p, 5 * std::sqrt(p * (1 - p) / n_rows) + 1e-9) << cell;
  }
}

// More causes and more columns than a word has bits, and a ragged end.
TEST(AnchoredSampling, blocks_and_single_rows_are_the_same_rows) {
  const NoisyOrNetwork network =
      generate_anchored(parse_anchored_spec("anchored:indegree:2,70,150").value(), {}, 2);
  constexpr std::uint64_t first = 1'000'000'007;
  const data::BitColumns causes = sample_cause_rows(network.cause_network(), 9, first, 131);
  const data::BitColumns findings = sample_anchored_rows(network, 9, first, 131);
  const AnchoredSampler sampler(network, 9);
  std::vector<std::uint8_t> y(70, 7);
  std::vector<std::uint8_t> x(150, 7);
  for (std::size_t r = 0; r < 131; ++r) {
    sampler.draw(first + r, y, x);
    for (std::size_t i = 0; i < 70; ++i) ASSERT_EQ(y[i] != 0, causes.at(r, i));
    for (std::size_t j = 0; j < 150; ++j) ASSERT_EQ(x[j] != 0, findings.at(r, j));
    ASSERT_LE(*std::ranges::max_element(x), 1);
  }
}

TEST(AnchoredSampling, a_row_does_not_depend_on_the_block_or_on_threads) {
  const NoisyOrNetwork network = small_anchored();
  const data::BitColumns whole = sample_anchored_rows(network, 4, 0, 300);
  const data::BitColumns part = sample_anchored_rows(network, 4, 128, 172);
  for (std::size_t r = 0; r < 172; ++r) {
    for (std::size_t j = 0; j < 3; ++j) ASSERT_EQ(whole.at(128 + r, j), part.at(r, j));
  }
  const int before = omp_get_max_threads();
  omp_set_num_threads(5);
  const data::BitColumns five = sample_anchored_rows(network, 4, 0, 300);
  omp_set_num_threads(1);
  const data::BitColumns one = sample_anchored_rows(network, 4, 0, 300);
  omp_set_num_threads(before);
  EXPECT_EQ(words(one), words(five));
  EXPECT_NE(words(one), words(sample_anchored_rows(network, 5, 0, 300)));
}

TEST(AnchoredSampling, draws_nothing_of_no_cause_but_leaks) {
  const NoisyOrNetwork network(NoisyOrNetwork({}, {{"x", 1}, {"y", 0}}, {}), CauseNetwork(), {});
  const data::BitColumns block = sample_anchored_rows(network, 1, 0, 70);
  for (std::size_t r = 0; r < 70; ++r) {
    EXPECT_TRUE(block.at(r, 0));
    EXPECT_FALSE(block.at(r, 1));
  }
  EXPECT_EQ(sample_cause_rows(network.cause_network(), 1, 0, 70).n_columns(), 0U);
}

}  // namespace
}  // namespace orrery::model
