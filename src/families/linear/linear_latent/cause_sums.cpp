#include "families/linear/linear_latent/cause_sums.hpp"

#include <span>
#include <vector>

#include "learning/stages.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class RowSums {
 public:
  RowSums(const CauseLayout& layout, const moments::Standard& standard, const MatrixXd& inverse,
          const Directions& directions)
      : layout_(layout), standard_(standard), inverse_(inverse), directions_(directions) {}

  /// Adds rows without missing values to `sums`; returns how many had some.
  std::uint64_t add(const double* rows, std::size_t n_rows, double* sums) {
    z_.resize(layout_.n, static_cast<Index>(n_rows));
    Index used = 0;
    for (std::size_t r = 0; r < n_rows; ++r) {
      const Map<const VectorXd> row(rows + r * static_cast<std::size_t>(layout_.n), layout_.n);
      if (row.hasNaN()) continue;
      z_.col(used++) = (row - standard_.shift).cwiseQuotient(standard_.scale);
    }
    z_.conservativeResize(Eigen::NoChange, used);
    v_.noalias() = inverse_ * z_;
    pairs_.resize(layout_.pairs(), used);
    Index pair = 0;
    for (Index b = 0; b < layout_.k; ++b) {
      for (Index a = 0; a <= b; ++a) pairs_.row(pair++) = v_.row(a).cwiseProduct(v_.row(b));
    }
    const Index n = layout_.n;
    const Index k = layout_.k;
    sums[0] += static_cast<double>(used);
    Map<VectorXd>(sums + layout_.z(), n) += z_.rowwise().sum();
    Map<VectorXd>(sums + layout_.v(), k) += v_.rowwise().sum();
    Map<VectorXd>(sums + layout_.vv(), layout_.pairs()) += pairs_.rowwise().sum();
    add_product(z_, v_, sums + layout_.zv());
    if (layout_.n_directions > 0) {
      tu_ = (directions_.theta.transpose() * v_).cwiseProduct(directions_.phi.transpose() * v_);
      add_product(z_, tu_, sums + layout_.ztu());
    }
    z_ = z_.cwiseAbs2();
    Map<VectorXd>(sums + layout_.zz(), n) += z_.rowwise().sum();
    add_product(z_, v_, sums + layout_.zzv());
    add_product(pairs_, v_, sums + layout_.vvv());
    if (layout_.n_directions > 0) {
      add_product(z_, tu_, sums + layout_.zztu());
      add_product(pairs_, tu_, sums + layout_.vvtu());
    }
    return n_rows - static_cast<std::uint64_t>(used);
  }

 private:
  /// Adds left right^T.
  static void add_product(const MatrixXd& left, const MatrixXd& right, double* sums) {
    Map<MatrixXd>(sums, left.rows(), right.rows()).noalias() += left * right.transpose();
  }

  CauseLayout layout_;
  const moments::Standard& standard_;
  const MatrixXd& inverse_;
  const Directions& directions_;
  MatrixXd z_, v_, pairs_, tu_;
};

}  // namespace

CauseSums sum_causes(const std::string& path, const Observations& observed, const MatrixXd& inverse,
                     const Directions& directions, const Workers& workers,
                     const std::string& stage) {
  const store::DenseReader reader(path);
  const CauseLayout layout{inverse.cols(), inverse.rows(), directions.size()};
  std::vector<RowSums> own(static_cast<std::size_t>(workers.threads),
                           RowSums(layout, observed.standard, inverse, directions));
  const std::uint64_t n_rows = observed.n_samples;
  const auto size = static_cast<std::size_t>(layout.size());
  const std::vector<double> sums = learning::unit_values(
      workers, {stage, "groups of rows", n_groups(n_rows), size + 1},
      [&](std::uint64_t unit, int thread, std::span<double> out) {
        const RowRange rows = rows_of_group(unit, n_rows);
        reader.visit(rows.first, rows.last - rows.first,
                     [&](const double* values, std::size_t count) {
                       out[size] += static_cast<double>(
                           own[static_cast<std::size_t>(thread)].add(values, count, out.data()));
                     });
      });
  CauseSums result;
  result.each =
      Map<const MatrixXd>(sums.data(), layout.size() + 1, static_cast<Index>(n_groups(n_rows)));
  result.total = result.each.rowwise().sum();
  result.n_left_out = static_cast<std::uint64_t>(result.total[layout.size()]);
  return result;
}

}  // namespace orrery::linear_latent
