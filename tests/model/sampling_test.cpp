#include "orrery/model/sampling.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <bit>
#include <cmath>

#include "model/block_words.hpp"
#include "model/oracle.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::model {
namespace {

double all_off_share(const data::BitColumns& block, const std::vector<std::uint32_t>& set) {
  std::size_t n_off = 0;
  for (std::size_t r = 0; r < block.n_rows(); ++r) {
    bool off = true;
    for (const std::uint32_t a : set) off = off && !block.at(r, a);
    if (off) ++n_off;
  }
  return static_cast<double>(n_off) / static_cast<double>(block.n_rows());
}

void expect_moment(const NoisyOrNetwork& network, const data::BitColumns& block,
                   const std::vector<std::uint32_t>& set) {
  const double expected = network.negative_moment(set);
  const double error = std::sqrt(expected * (1 - expected) / static_cast<double>(block.n_rows()));
  EXPECT_NEAR(all_off_share(block, set), expected, 5 * error + 1e-12)
      << testing::PrintToString(set);
}

// Failures and leaks on both sides of 1/2 and at the ends; more variables than a word has bits.
NoisyOrNetwork varied() {
  std::vector<Observed> observed(70, {"x", 0});
  std::vector<Edge> edges;
  for (std::uint32_t a = 0; a < 70; ++a) {
    observed[a].leak = std::array{0.0, 0.001, 0.2, 0.6}[a % 4];
    edges.push_back({a % 3, a, std::array{0.02, 0.3, 0.5, 0.8, 0.95}[a % 5]});
    if (a % 2 == 0) edges.push_back({3, a, 0.4});
  }
  observed[66].leak = 1;
  edges.push_back({4, 0, 0});
  return {{{"u", 0.2}, {"v", 0.7}, {"w", 0.5}, {"y", 0.05}, {"z", 0.3}}, observed, edges};
}

TEST(SampleRows, moments_match_the_network) {
  const NoisyOrNetwork network = varied();
  const data::BitColumns block = sample_rows(network, 11, 0, 200000);
  for (std::uint32_t a = 0; a < 70; ++a) {
    expect_moment(network, block, {a});
    expect_moment(network, block, {a, (a + 3) % 70});
  }
  for (std::uint32_t a = 0; a < 16; ++a) {
    expect_moment(network, block, {a, a + 6, a + 50});
    expect_moment(network, block, {4 * a, 4 * a + 1, 4 * a + 4, 4 * a + 5});
  }
}

TEST(SampleRows, every_row_of_a_small_network_has_its_probability) {
  const NoisyOrNetwork network({{"u", 0.3}, {"v", 0.6}}, {{"a", 0.1}, {"b", 0}, {"c", 0.7}},
                               {{0, 0, 0.2}, {0, 1, 0.7}, {1, 1, 0.1}, {1, 2, 0.5}});
  constexpr std::size_t n_rows = 200000;
  const data::BitColumns block = sample_rows(network, 3, 0, n_rows);
  std::array<double, 8> share{};
  for (std::size_t r = 0; r < n_rows; ++r) {
    const unsigned cell =
        (block.at(r, 0) ? 1U : 0U) + (block.at(r, 1) ? 2U : 0U) + (block.at(r, 2) ? 4U : 0U);
    share[cell] += 1.0 / n_rows;
  }
  for (unsigned cell = 0; cell < 8; ++cell) {
    oracle::Row row(3, oracle::Value::off);
    for (unsigned a = 0; a < 3; ++a) {
      if (((cell >> a) & 1U) != 0) row[a] = oracle::Value::on;
    }
    const auto expected = static_cast<double>(oracle::probability(network, row));
    EXPECT_NEAR(share[cell], expected, 5 * std::sqrt(expected * (1 - expected) / n_rows))
        << "cell " << cell;
  }
}

TEST(SampleRows, rows_of_one_variable_are_independent) {
  const NoisyOrNetwork network({{"u", 0.5}}, {{"a", 0}}, {{0, 0, 0}});
  const data::BitColumns block = sample_rows(network, 5, 0, 200000);
  std::size_t n_equal = 0;
  for (std::size_t r = 1; r < block.n_rows(); ++r) {
    if (block.at(r, 0) == block.at(r - 1, 0)) ++n_equal;
  }
  // A fair coin: standard deviation sqrt(N) / 2 = 224.
  EXPECT_NEAR(static_cast<double>(n_equal), 100000, 5 * 224);
}

TEST(SampleRows, thousands_of_fair_variables_are_fair_to_the_last) {
  // P(all off) = 2^-3000 is not a double: the draw must go by parts.
  constexpr std::size_t n_observed = 3000;
  constexpr std::size_t n_rows = 4096;
  const NoisyOrNetwork network({}, std::vector<Observed>(n_observed, {"x", 0.5}), {});
  const data::BitColumns block = sample_rows(network, 2, 0, n_rows);
  for (std::size_t c = 0; c < n_observed; c += 23) {
    int n_on = 0;
    for (const std::uint64_t word : block.column(c)) n_on += std::popcount(word);
    EXPECT_NEAR(n_on, n_rows / 2, 5 * 32) << "column " << c;  // standard deviation sqrt(N) / 2
  }
}

TEST(SampleRows, certain_values_never_vary) {
  const NoisyOrNetwork network({{"never", 0}, {"always", 1}},
                               {{"off", 0}, {"leak", 1}, {"by_always", 0}, {"by_never", 0}},
                               {{1, 2, 0}, {0, 3, 0}});
  const data::BitColumns block = sample_rows(network, 1, 0, 1000);
  EXPECT_EQ(all_off_share(block, {0}), 1);
  EXPECT_EQ(all_off_share(block, {1}), 0);
  EXPECT_EQ(all_off_share(block, {2}), 0);
  EXPECT_EQ(all_off_share(block, {3}), 1);
}

TEST(SampleRows, any_split_of_the_rows_gives_the_same_bits) {
  const NoisyOrNetwork network = varied();
  const data::BitColumns whole = sample_rows(network, 9, 0, 700);
  for (const auto& [first, n_rows] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 1}, {0, 64}, {1, 63}, {37, 129}, {64, 65}, {511, 189}, {699, 1}}) {
    const data::BitColumns part = sample_rows(network, 9, first, n_rows);
    ASSERT_EQ(part.n_rows(), n_rows);
    for (std::size_t r = 0; r < n_rows; ++r) {
      for (std::size_t c = 0; c < 70; ++c) {
        ASSERT_EQ(part.at(r, c), whole.at(first + r, c)) << "row " << first + r << " col " << c;
      }
    }
  }
}

TEST(SampleRows, bits_beyond_the_last_row_are_zero) {
  const NoisyOrNetwork network({}, {{"a", 1}}, {});
  EXPECT_EQ(words(sample_rows(network, 1, 0, 67)), (std::vector<std::uint64_t>{~0ULL, 7}));
}

TEST(SampleRows, the_number_of_threads_changes_nothing) {
  const NoisyOrNetwork network = generate_network("img", 0).value();
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<std::uint64_t> expected = words(sample_rows(network, 4, 100, 5000));
  for (const int n_threads : {2, 3, 7}) {
    omp_set_num_threads(n_threads);
    EXPECT_EQ(words(sample_rows(network, 4, 100, 5000)), expected) << n_threads << " threads";
  }
  omp_set_num_threads(before);
}

TEST(SampleRows, seeds_differ) {
  const NoisyOrNetwork network = generate_network("img", 0).value();
  EXPECT_NE(words(sample_rows(network, 1, 0, 100)), words(sample_rows(network, 2, 0, 100)));
}

TEST(SampleRows, empty_shapes_are_no_trouble) {
  EXPECT_EQ(sample_rows(NoisyOrNetwork(), 1, 0, 100).n_rows(), 100U);
  EXPECT_EQ(sample_rows(varied(), 1, 0, 0).n_rows(), 0U);
}

}  // namespace
}  // namespace orrery::model
