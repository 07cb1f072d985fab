#include <cmath>

#include "families/linear/linear_latent/depth_one.hpp"
#include "families/linear/network/moments.hpp"
#include "learning/stages.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/model/linear_network.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Products, each form compiled once: as parts of expressions they are the most of what it takes to
// compile this source.
MatrixXd product(const MatrixXd& a, const MatrixXd& b) { return a * b; }
MatrixXd product_with_transpose(const MatrixXd& a, const MatrixXd& b) { return a * b.transpose(); }
MatrixXd product_of_transpose(const MatrixXd& a, const MatrixXd& b) { return a.transpose() * b; }

/// Sums over rows, flat, so that groups add up: 1, z, z^2, v, v v^T, z v^T, z^2 v^T, v x v x v (the
/// pairs a <= b of the first two by rows).
struct Layout {
  Index n;
  Index k;
  [[nodiscard]] Index pairs() const { return k * (k + 1) / 2; }
  [[nodiscard]] Index z() const { return 1; }
  [[nodiscard]] Index zz() const { return z() + n; }
  [[nodiscard]] Index v() const { return zz() + n; }
  [[nodiscard]] Index vv() const { return v() + k; }
  [[nodiscard]] Index zv() const { return vv() + pairs(); }
  [[nodiscard]] Index zzv() const { return zv() + n * k; }
  [[nodiscard]] Index vvv() const { return zzv() + n * k; }
  [[nodiscard]] Index size() const { return vvv() + pairs() * k; }
};

class ThirdSums {
 public:
  ThirdSums(const Layout& layout, const moments::Standard& standard, const MatrixXd& inverse)
      : layout_(layout), standard_(standard), inverse_(inverse) {}

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
    add_product(z_, sums + layout_.zv());
    z_ = z_.cwiseAbs2();
    Map<VectorXd>(sums + layout_.zz(), n) += z_.rowwise().sum();
    add_product(z_, sums + layout_.zzv());
    add_product(pairs_, sums + layout_.vvv());
    return n_rows - static_cast<std::uint64_t>(used);
  }

 private:
  /// Adds left v^T.
  void add_product(const MatrixXd& left, double* sums) const {
    Map<MatrixXd>(sums, left.rows(), layout_.k).noalias() += left * v_.transpose();
  }

  Layout layout_;
  const moments::Standard& standard_;
  const MatrixXd& inverse_;
  MatrixXd z_, v_, pairs_;
};

/// Third central moments from sums, less the noise's part.
Tensor tensor_from(const Layout& layout, const VectorXd& sums, const MatrixXd& loadings) {
  const Index n = layout.n;
  const Index k = layout.k;
  const VectorXd means = sums / sums[0];
  const auto z = means.segment(layout.z(), n);
  const auto zz = means.segment(layout.zz(), n);
  const auto v = means.segment(layout.v(), k);
  const Map<const MatrixXd> zv(means.data() + layout.zv(), n, k);
  const Map<const MatrixXd> zzv(means.data() + layout.zzv(), n, k);
  MatrixXd vv(k, k);
  Tensor raw(static_cast<std::size_t>(k), MatrixXd(k, k));
  Index pair = 0;
  for (Index b = 0; b < k; ++b) {
    for (Index a = 0; a <= b; ++a, ++pair) vv(a, b) = vv(b, a) = means[layout.vv() + pair];
  }
  for (Index c = 0; c < k; ++c) {
    MatrixXd& slice = raw[static_cast<std::size_t>(c)];
    pair = layout.vvv() + c * layout.pairs();
    for (Index b = 0; b < k; ++b) {
      for (Index a = 0; a <= b; ++a, ++pair) {
        slice(a, b) = slice(b, a) = means[pair] - v[a] * vv(b, c) - v[b] * vv(a, c) -
                                    v[c] * vv(a, b) + 2 * v[a] * v[b] * v[c];
      }
    }
  }
  MatrixXd squares(n, k);  // E[(z_i - mean)^2 (v_c - mean)]
  for (Index c = 0; c < k; ++c) {
    for (Index i = 0; i < n; ++i) {
      squares(i, c) = zzv(i, c) - 2 * (z[i] * zv(i, c)) - v[c] * zz[i] + 2 * v[c] * (z[i] * z[i]);
    }
  }
  return without_noise(raw, squares, loadings);
}

ThirdMomentSet of_network(const model::LinearNetwork& network, const Observations& observed,
                          const Loadings& loadings) {
  const model::ThirdMoments exact = model::exact_third_moments(network);
  const MatrixXd factors = observed.standard.scale.cwiseInverse().asDiagonal() * exact.factors;
  const MatrixXd v = product(linalg::pseudo_inverse_of(loadings.estimates), factors);
  Tensor raw;
  for (Index c = 0; c < v.rows(); ++c) {
    const VectorXd weights = exact.third.cwiseProduct(v.row(c).transpose());
    raw.push_back(product_with_transpose(v * weights.asDiagonal(), v));
  }
  const MatrixXd squares =
      product_with_transpose(factors.cwiseAbs2() * exact.third.asDiagonal(), v);
  return {without_noise(raw, squares, loadings.estimates), {}, 0};
}

}  // namespace

Tensor without_noise(const Tensor& raw, const MatrixXd& squares, const MatrixXd& loadings) {
  const Index n = loadings.rows();
  const Index k = loadings.cols();
  const MatrixXd inverse = linalg::pseudo_inverse_of(loadings);  // columns p_l
  MatrixXd left = -product(loadings, inverse).cwiseAbs2();
  left.diagonal().array() += 1;
  VectorXd right = VectorXd::Zero(n);
  for (Index c = 0; c < k; ++c) {
    const MatrixXd& slice = raw[static_cast<std::size_t>(c)];
    const VectorXd implied = product(loadings, slice).cwiseProduct(loadings).rowwise().sum();
    right += inverse.row(c).transpose().cwiseProduct(left.transpose() * (squares.col(c) - implied));
  }
  // Normal equations: (left^T left) o (inverse^T inverse).
  const MatrixXd normal =
      product_of_transpose(left, left).cwiseProduct(product_of_transpose(inverse, inverse));
  const VectorXd noise = linalg::least_squares(normal, right);
  Tensor clean;
  for (Index c = 0; c < k; ++c) {
    const VectorXd weights = noise.cwiseProduct(inverse.row(c).transpose());
    const MatrixXd weighted = inverse * weights.asDiagonal();
    clean.emplace_back(raw[static_cast<std::size_t>(c)] - weighted * inverse.transpose());
  }
  return clean;
}

Tensor transformed(const Tensor& tensor, const MatrixXd& m) {
  Tensor result(tensor.size(), MatrixXd::Zero(m.rows(), m.rows()));
  for (std::size_t c = 0; c < tensor.size(); ++c) {
    const MatrixXd slice = product_with_transpose(product(m, tensor[c]), m);
    for (std::size_t d = 0; d < tensor.size(); ++d) {
      result[d] += m(static_cast<Index>(d), static_cast<Index>(c)) * slice;
    }
  }
  return result;
}

ThirdMomentSet third_moments(const learning::DataContext& context, const Observations& observed,
                             const Loadings& loadings, const Workers& workers) {
  if (context.exact != nullptr) {
    return of_network(context.exact->as<model::LearnedLinear>()->network, observed, loadings);
  }
  const store::DenseReader reader(context.path);
  const Layout layout{loadings.estimates.rows(), loadings.estimates.cols()};
  const MatrixXd inverse = linalg::pseudo_inverse_of(loadings.estimates);
  std::vector<ThirdSums> own(static_cast<std::size_t>(workers.threads),
                             ThirdSums(layout, observed.standard, inverse));
  const std::uint64_t n_rows = observed.n_samples;
  const auto size = static_cast<std::size_t>(layout.size());
  const std::vector<double> sums = learning::unit_values(
      workers, {"third_moments", "groups of rows", n_groups(n_rows), size + 1},
      [&](std::uint64_t unit, int thread, std::span<double> out) {
        const RowRange rows = rows_of_group(unit, n_rows);
        reader.visit(rows.first, rows.last - rows.first,
                     [&](const double* values, std::size_t count) {
                       out[size] += static_cast<double>(
                           own[static_cast<std::size_t>(thread)].add(values, count, out.data()));
                     });
      });
  ThirdMomentSet set;
  const auto groups = static_cast<Index>(n_groups(n_rows));
  const Map<const MatrixXd> each(sums.data(), layout.size() + 1, groups);
  const VectorXd total = each.rowwise().sum();
  set.n_left_out = static_cast<std::uint64_t>(total[layout.size()]);
  set.full = tensor_from(layout, total, loadings.estimates);
  set.without.resize(static_cast<std::size_t>(groups));
#pragma omp parallel for schedule(dynamic) default(shared)
  for (Index g = 0; g < groups; ++g) {
    const auto at = static_cast<std::size_t>(g);
    // v was formed with all rows' A^+; A^+ without the group is that but for a transformation.
    const MatrixXd turn =
        product(linalg::pseudo_inverse_of(loadings.estimates_without[at]), loadings.estimates);
    set.without[at] =
        transformed(tensor_from(layout, total - each.col(g), loadings.estimates), turn);
  }
  return set;
}

}  // namespace orrery::linear_latent
