#include "moments/dense_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "moments/matrix_products.hpp"

namespace orrery::moments {
namespace {

std::size_t triangle(std::size_t n) { return n * (n + 1) / 2; }

void move_triangle(Eigen::MatrixXd& upper, double*& out) {
  for (Eigen::Index b = 0; b < upper.cols(); ++b) {
    for (Eigen::Index a = 0; a <= b; ++a) *out++ += upper(a, b);
  }
  upper.setZero();
}

}  // namespace

std::size_t product_sums_size(std::size_t n, bool may_miss) {
  return triangle(n) + (may_miss ? triangle(n) + n * n : 1 + n);
}

ProductSums::ProductSums(const Standard& standard, bool may_miss)
    : standard_(standard), may_miss_(may_miss) {
  const Eigen::Index n = standard.shift.size();
  products_ = Eigen::MatrixXd::Zero(n, n);
  if (may_miss) {
    counts_ = Eigen::MatrixXd::Zero(n, n);
    with_ = Eigen::MatrixXd::Zero(n, n);
  } else {
    totals_ = Eigen::VectorXd::Zero(n);
  }
  use_one_blas_thread();
}

void ProductSums::add(const double* rows, std::size_t n_rows) {
  const auto n = static_cast<std::size_t>(standard_.shift.size());
  piece_.resize(n_rows * n);
  if (may_miss_) present_.resize(n_rows * n);
  for (std::size_t r = 0; r < n_rows; ++r) {
    const double* row = rows + r * n;
    double* z = piece_.data() + r * n;
    for (std::size_t c = 0; c < n; ++c) {
      const auto i = static_cast<Eigen::Index>(c);
      z[c] = (row[c] - standard_.shift[i]) / standard_.scale[i];
      if (!may_miss_) continue;
      const bool here = !std::isnan(row[c]);
      if (!here) z[c] = 0;
      present_[r * n + c] = here ? 1 : 0;
    }
    if (!may_miss_) totals_ += Eigen::Map<const Eigen::VectorXd>(z, totals_.size());
  }
  const int width = static_cast<int>(n);
  const int depth = static_cast<int>(n_rows);
  add_outer_products(width, depth, piece_.data(), products_);
  n_rows_ += static_cast<double>(n_rows);
  if (!may_miss_) return;
  add_outer_products(width, depth, present_.data(), counts_);
  add_products(width, depth, piece_.data(), present_.data(), with_);
}

void ProductSums::move_to(std::span<double> sums) {
  double* out = sums.data();
  move_triangle(products_, out);
  if (may_miss_) {
    move_triangle(counts_, out);
    for (double value : with_.reshaped()) *out++ += value;
    with_.setZero();
  } else {
    *out++ += n_rows_;
    for (double value : totals_) *out++ += value;
    totals_.setZero();
  }
  n_rows_ = 0;
}

Covariance covariance_from(std::span<const double> sums, std::size_t n, bool may_miss) {
  Covariance covariance{Eigen::MatrixXd(n, n), std::numeric_limits<double>::infinity()};
  const double* products = sums.data();
  const double* rest = products + triangle(n);
  const double* with = rest + triangle(n);  // where values may be missing
  std::size_t pair = 0;
  for (std::size_t b = 0; b < n; ++b) {
    for (std::size_t a = 0; a <= b; ++a, ++pair) {
      const double rows = may_miss ? rest[pair] : rest[0];
      const double sum_a = may_miss ? with[b * n + a] : rest[1 + a];
      const double sum_b = may_miss ? with[a * n + b] : rest[1 + b];
      const double value = (products[pair] - sum_a * sum_b / rows) / (rows - 1);
      covariance.matrix(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) = value;
      covariance.matrix(static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(a)) = value;
      covariance.least_rows = std::min(covariance.least_rows, rows);
    }
  }
  return covariance;
}

}  // namespace orrery::moments
