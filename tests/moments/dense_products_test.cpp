#include "moments/dense_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.hpp"

namespace orrery::moments {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Rows as the class takes them: a row after the other.
std::vector<double> random_rows(std::size_t n_rows, std::size_t n, double missing) {
  std::vector<double> rows;
  for (std::size_t r = 0; r < n_rows; ++r) {
    RowRandom random(5, Stream::rows, r);
    for (std::size_t c = 0; c < n; ++c) {
      const double value = 100 + random.uniform() * static_cast<double>(c + 1);
      rows.push_back(random.bernoulli(missing) ? nan : value);
    }
  }
  return rows;
}

/// From the definition: the mean of each pair's own rows.
double covariance_of_pair(const std::vector<double>& rows, std::size_t n, std::size_t a,
                          std::size_t b, double scale) {
  double sum_a = 0;
  double sum_b = 0;
  double count = 0;
  const auto each = [&](const auto& use) {
    for (std::size_t r = 0; r < rows.size() / n; ++r) {
      const double x = rows[r * n + a];
      const double y = rows[r * n + b];
      if (!std::isnan(x) && !std::isnan(y)) use(x, y);
    }
  };
  each([&](double x, double y) {
    sum_a += x;
    sum_b += y;
    ++count;
  });
  double products = 0;
  each([&](double x, double y) { products += (x - sum_a / count) * (y - sum_b / count); });
  return products / (count - 1) / scale;
}

void expect_covariances(double missing) {
  constexpr std::size_t n = 5;
  const std::vector<double> rows = random_rows(83, n, missing);
  const Standard standard{VectorXd::Constant(n, 101), VectorXd::LinSpaced(n, 1, 2)};
  const bool may_miss = missing > 0;
  ProductSums first(standard, may_miss);
  ProductSums second(standard, may_miss);
  first.add(rows.data(), 20);  // any pieces
  first.add(rows.data() + 20 * n, 13);
  second.add(rows.data() + 33 * n, 50);
  std::vector<double> sums(product_sums_size(n, may_miss), 0);
  second.move_to(sums);
  first.move_to(sums);
  first.move_to(sums);  // it has started anew
  const Covariance covariance = covariance_from(sums, n, may_miss);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const double scale =
          standard.scale[static_cast<Index>(a)] * standard.scale[static_cast<Index>(b)];
      EXPECT_NEAR(covariance.matrix(static_cast<Index>(a), static_cast<Index>(b)),
                  covariance_of_pair(rows, n, a, b, scale), 1e-12)
          << a << ' ' << b;
    }
  }
  if (may_miss) {
    EXPECT_LT(covariance.least_rows, 83);
  } else {
    EXPECT_EQ(covariance.least_rows, 83);
  }
}

TEST(dense_products, sums_in_parts_give_the_covariance) { expect_covariances(0); }

TEST(dense_products, each_pair_is_taken_from_the_rows_that_have_both) { expect_covariances(.2); }

}  // namespace
}  // namespace orrery::moments
