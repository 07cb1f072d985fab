// Counts of all views against rows looked at one by one; the jackknife against what theory says.
#include "families/noisy_or/anchored/moments/frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "families/noisy_or/anchored/rows.hpp"

namespace {

using namespace orrery;
using anchored::Column;
using anchored::Frequencies;
using anchored::Product;
using Kind = anchored::Column::Kind;

/// Random bits, more of them in later columns; labels of two thirds of the rows.
anchored::Observations random_rows(std::size_t n_columns, std::size_t n_rows) {
  const auto random_bit = [](std::size_t r, std::size_t c) {
    return RowRandom(7, Stream::check, 100 * r + c).bernoulli(.2 + .1 * static_cast<double>(c % 8));
  };
  auto observed = anchored::observe_rows(n_columns, 0, n_rows, random_bit);
  observed.labels = anchored::Labels{
      "labels",
      anchored::panels(1, n_rows, [&](auto r, auto) { return r % 3 < 2 && random_bit(r, 50); }),
      anchored::panels(1, n_rows, [](auto r, auto) { return r % 3 < 2; })};
  return observed;
}

bool is_on(const anchored::Observations& observed, std::size_t row, const Column& column) {
  switch (column.kind) {
    case Kind::observed:
      return observed.values.at(row, column.index);
    case Kind::label_on:
      return observed.labels->values.at(row, column.index);
    case Kind::labelled:
      return observed.labels->known.at(row, column.index);
    case Kind::every_row:
      break;
  }
  return true;
}

/// Share of the rows of a view in which all of `set` are on.
double look(const anchored::Observations& observed, std::size_t view, const Product& set) {
  const std::size_t groups = anchored::n_groups(observed.n_samples);
  double rows = 0;
  double on = 0;
  for (std::size_t r = 0; r < observed.n_samples; ++r) {
    if (view > 0 && r / 64 % groups == view - 1) continue;
    rows += 1;
    bool all = true;
    for (const Column& column : set) all = all && is_on(observed, r, column);
    on += all ? 1 : 0;
  }
  return on / rows;
}

class Rows : public testing::TestWithParam<std::size_t> {};

TEST_P(Rows, are_counted_in_every_view_as_if_one_by_one) {
  const auto observed = random_rows(11, GetParam());
  const std::vector<Product> products{{},
                                      {{Kind::observed, 0}},
                                      {{Kind::observed, 1}, {Kind::observed, 10}},
                                      {{Kind::label_on, 0}},
                                      {{Kind::labelled, 0}, {Kind::observed, 5}}};
  std::vector<Column> columns;
  for (std::uint32_t c = 0; c < 11; ++c) columns.push_back({Kind::observed, c});
  columns.push_back({Kind::every_row, 0});
  const Frequencies counts(observed, products, columns);
  ASSERT_EQ(counts.n_views(), anchored::n_views(GetParam()));
  for (std::size_t v = 0; v < counts.n_views(); ++v) {
    for (std::size_t p = 0; p < products.size(); ++p) {
      EXPECT_EQ(counts.alone(v, p), look(observed, v, products[p])) << v << ' ' << p;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        Product set = products[p];
        set.push_back(columns[c]);
        EXPECT_EQ(counts.on(v, p, c), look(observed, v, set)) << v << ' ' << p << ' ' << c;
      }
    }
  }
}

// Two groups, the last word ragged or full; all 32 groups, equal or not.
INSTANTIATE_TEST_SUITE_P(Ragged, Rows, testing::Values(127, 128, 129, 2048, 2049, 2500));

TEST(JackknifeTest, deviation_is_that_of_the_groups) {
  // Mean 2, squares 1 + 0 + 1: sqrt(2 / 3 * 2). The first value, of all rows, has no part in it.
  EXPECT_DOUBLE_EQ(anchored::jackknife_error(std::vector<double>{9, 1, 2, 3}), std::sqrt(4. / 3));
  const double nan = std::nan("");
  EXPECT_DOUBLE_EQ(anchored::jackknife_error(std::vector<double>{9, 1, nan, 2, 3}),
                   std::sqrt(4. / 3));
  EXPECT_EQ(anchored::jackknife_error(std::vector<double>{9}), 0);  // exact
  EXPECT_TRUE(std::isnan(anchored::jackknife_error(std::vector<double>{9, nan, 3})));
}

TEST(JackknifeTest, error_of_a_frequency_is_sqrt_of_p_q_over_n) {
  // Of 80 columns, each an estimate of the variance with 31 degrees of freedom: their mean ratio to
  // p q / N is off by sqrt(2 / 31 / 80) = .028; five times that.
  const std::size_t n_columns = 80;
  const std::size_t n_rows = 32 * 64 * 3;
  const auto observed = random_rows(n_columns, n_rows);
  std::vector<Product> products;
  for (std::uint32_t c = 0; c < n_columns; ++c) products.push_back({{Kind::observed, c}});
  const Frequencies counts(observed, products, {});
  double ratio = 0;
  for (std::size_t c = 0; c < n_columns; ++c) {
    std::vector<double> values;
    for (std::size_t v = 0; v < counts.n_views(); ++v) values.push_back(counts.alone(v, c));
    const double p = values[0];
    const double error = anchored::jackknife_error(values);
    ratio += error * error / (p * (1 - p) / static_cast<double>(n_rows)) / n_columns;
  }
  EXPECT_NEAR(ratio, 1, .14);
}

TEST(JackknifeTest, significance_is_of_student_t_with_31_degrees_of_freedom) {
  EXPECT_NEAR(anchored::tail_probability(2.0395, 100'000), .05, 1e-5);  // any table of t
  EXPECT_NEAR(anchored::tail_probability(-2.7440, 100'000), .01, 1e-5);
  EXPECT_EQ(anchored::tail_probability(0, 100'000), 1);
  EXPECT_EQ(anchored::tail_probability(INFINITY, 100'000), 0);
}

}  // namespace
