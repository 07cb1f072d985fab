// The parts that sampling and likelihood are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

#include "data/bits.hpp"
#include "model/numbers.hpp"
#include "model/oracle.hpp"
#include "model/row_likelihood.hpp"

namespace orrery::model {
namespace {

TEST(Transpose, moves_every_bit_across_the_diagonal) {
  std::mt19937_64 random(2);
  data::BitSquare square;
  for (std::uint64_t& word : square) word = random();
  data::BitSquare flipped = square;
  data::transpose(flipped);
  for (std::size_t r = 0; r < 64; ++r) {
    for (std::size_t c = 0; c < 64; ++c) {
      ASSERT_EQ((flipped[c] >> r) & 1U, (square[r] >> c) & 1U) << r << ", " << c;
    }
  }
}

TEST(ScaledReal, products_far_below_a_double_keep_their_logarithm) {
  ScaledReal product(1);
  for (int i = 0; i < 5000; ++i) product *= 1e-3;
  EXPECT_NEAR(product.log(), 5000 * std::log(1e-3), 1e-7);
  product *= std::numeric_limits<double>::denorm_min();
  EXPECT_NEAR(product.log(), 5000 * std::log(1e-3) - 1074 * std::log(2), 1e-7);
}

TEST(ScaledReal, sums_add_across_scales_in_either_order) {
  const auto power = [](int exponent) {
    ScaledReal value(1);
    for (int i = 0; i < exponent; ++i) value *= 0.5;
    return value;
  };
  for (const auto& [i, j] :
       std::vector<std::pair<int, int>>{{254, 256}, {256, 258}, {512, 515}, {10, 1000}, {3, 3}}) {
    ScaledReal forward = power(i);
    forward += power(j);
    ScaledReal backward = power(j);
    backward += power(i);
    const double expected = -i * std::log(2) + std::log1p(std::exp2(i - j));
    EXPECT_NEAR(forward.log(), expected, 1e-13 * std::abs(expected)) << i << ", " << j;
    EXPECT_EQ(forward.log(), backward.log());
  }
}

TEST(ScaledReal, zero_is_neutral_and_absorbing) {
  ScaledReal zero;
  EXPECT_EQ(zero.log(), -std::numeric_limits<double>::infinity());
  ScaledReal sum(0.25);
  sum += zero;
  zero += ScaledReal(0.25);
  EXPECT_EQ(sum.log(), std::log(0.25));
  EXPECT_EQ(zero.log(), std::log(0.25));
  sum *= 0;
  EXPECT_TRUE(sum.is_zero());
}

TEST(RowPatterns, count_each_distinct_row_and_mask_once) {
  std::mt19937_64 random(3);
  std::vector<oracle::Row> rows(3000, oracle::Row(5));
  for (oracle::Row& row : rows) {
    for (oracle::Value& value : row) value = static_cast<oracle::Value>(random() % 3);
  }
  const std::vector<std::uint32_t> columns{4, 1, 2};
  std::map<std::vector<oracle::Value>, std::uint64_t> expected;
  for (const oracle::Row& row : rows) ++expected[{row[4], row[1], row[2]}];

  const RowPatterns patterns(oracle::matrix(rows, true), columns);
  ASSERT_EQ(patterns.size(), expected.size());
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::vector<oracle::Value> row(3, oracle::Value::off);
    for (std::size_t a = 0; a < 3; ++a) {
      if (((patterns.values(i)[0] >> a) & 1U) != 0) row[a] = oracle::Value::on;
      if (((patterns.missing(i)[0] >> a) & 1U) != 0) row[a] = oracle::Value::missing;
    }
    EXPECT_EQ(patterns.count(i), expected[row]);
  }
}

TEST(RowPatterns, are_none_where_more_differ_than_are_wanted) {
  data::BitPanels values(70, 300);
  for (std::size_t r = 0; r < 300; ++r) values.set(r, 60 + r % 10, true);
  std::vector<std::uint32_t> columns(70);
  std::iota(columns.begin(), columns.end(), 0U);
  EXPECT_EQ(RowPatterns(values, nullptr, columns, 9).size(), 0);
  const RowPatterns ten(values, nullptr, columns, 10);
  ASSERT_EQ(ten.size(), 10);
  const data::SampleMatrix each = ten.as_samples();
  EXPECT_FALSE(each.missing);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(ten.count(i), 30);
    for (std::size_t a = 0; a < 70; ++a) EXPECT_EQ(each.values.at(i, a), a == 60 + i);
  }
  // Without the last four columns, rows that differ in them alone are none on.
  columns.resize(66);
  const RowPatterns seven(values, nullptr, columns, 9);
  ASSERT_EQ(seven.size(), 7);
  EXPECT_EQ(seven.count(6), 120);
  EXPECT_EQ(seven.as_samples().values.n_columns(), 66);
}

TEST(RowPatterns, see_nothing_below_the_mask) {
  data::BitPanels values(3, 200), missing(3, 200);
  for (std::size_t r = 0; r < 200; ++r) {
    values.set(r, 1, r % 2 == 0);
    missing.set(r, 1, true);
    missing.set(r, 2, r >= 150);
  }
  const RowPatterns patterns(values, &missing, std::vector<std::uint32_t>{0, 1, 2}, 5);
  ASSERT_EQ(patterns.size(), 2);
  EXPECT_EQ(patterns.values(0)[0], 0U);
  EXPECT_EQ(patterns.missing(0)[0], 2U);
  EXPECT_EQ(patterns.missing(1)[0], 6U);
  EXPECT_EQ(patterns.count(1), 50);
  EXPECT_TRUE(patterns.as_samples().missing->at(1, 2));
}

TEST(RowPatterns, many_wide_rows_all_differ) {
  constexpr std::size_t n_rows = 5000;
  data::SampleMatrix samples;
  samples.values = data::BitPanels(130, n_rows);
  std::vector<std::uint32_t> columns;
  for (std::uint32_t c = 0; c < 130; ++c) columns.push_back(c);
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t bit = 0; bit < 13; ++bit)
      samples.values.set(r, 10 * bit, ((r >> bit) & 1U) != 0);
  }
  const RowPatterns patterns(samples, columns);
  ASSERT_EQ(patterns.size(), n_rows);
  EXPECT_EQ(patterns.values(4097)[0], 1U);
  EXPECT_EQ(patterns.values(4097)[1], std::uint64_t{1} << (120 - 64));
  EXPECT_TRUE(patterns.missing(4097).empty());
}

TEST(Components, are_causes_that_share_children_directly_or_not) {
  // 0 and 3 share x1; 3 and 4 share x2; 1 and 5 share x4; 2 has no child; x0 has no parent.
  const NoisyOrNetwork network(std::vector<Cause>(6, {"u", 0.5}),
                               std::vector<Observed>(6, {"x", 0.1}),
                               {{0, 1, 0.5},
                                {3, 1, 0.5},
                                {3, 2, 0.5},
                                {4, 2, 0.5},
                                {4, 5, 0.5},
                                {1, 4, 0.5},
                                {5, 4, 0.5},
                                {5, 3, 0.25}});
  const std::vector<std::vector<std::uint32_t>> expected{{0, 3, 4}, {1, 5}, {2}};
  EXPECT_EQ(connected_causes(network), expected);
  EXPECT_EQ(orphans(network), (std::vector<std::uint32_t>{0}));

  const Component part = make_component(network, expected[1]);
  EXPECT_EQ(part.variables, (std::vector<std::uint32_t>{3, 4}));
  ASSERT_EQ(part.children(1).size(), 2U);
  EXPECT_EQ(part.children(1)[0].variable, 0U);
  EXPECT_EQ(part.children(1)[0].failure, 0.25);
  EXPECT_EQ(part.children(0)[0].variable, 1U);
}

}  // namespace
}  // namespace orrery::model
