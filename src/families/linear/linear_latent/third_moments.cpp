#include <cmath>

#include "families/linear/linear_latent/cause_sums.hpp"
#include "families/linear/linear_latent/depth_one.hpp"
#include "families/linear/network/moments.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/model/linear_network.hpp"

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

/// Third central moments from sums, less the noise's part.
Tensor tensor_from(const CauseLayout& layout, const VectorXd& sums, const MatrixXd& loadings) {
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
  return without_noise(raw, squares, loadings, linalg::pseudo_inverse_of(loadings));
}

Tensor without_noise(const Tensor& raw, const MatrixXd& squares, const MatrixXd& loadings,
                     const MatrixXd& shares) {
  const Index n = loadings.rows();
  const MatrixXd inverse = linalg::pseudo_inverse_of(loadings);  // columns p_l
  MatrixXd left = -product(loadings, inverse).cwiseAbs2();
  left.diagonal().array() += 1;
  VectorXd right = VectorXd::Zero(n);
  for (Index c = 0; c < shares.rows(); ++c) {
    const MatrixXd& slice = raw[static_cast<std::size_t>(c)];
    const VectorXd implied = product(loadings, slice).cwiseProduct(loadings).rowwise().sum();
    right += shares.row(c).transpose().cwiseProduct(left.transpose() * (squares.col(c) - implied));
  }
  // Normal equations: (left^T left) o (shares^T shares).
  const MatrixXd normal =
      product_of_transpose(left, left).cwiseProduct(product_of_transpose(shares, shares));
  const VectorXd noise = linalg::least_squares(normal, right);
  Tensor clean;
  for (Index c = 0; c < shares.rows(); ++c) {
    const VectorXd weights = noise.cwiseProduct(shares.row(c).transpose());
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
  const CauseLayout layout{loadings.estimates.rows(), loadings.estimates.cols()};
  const CauseSums sums =
      sum_causes(context.path, observed, linalg::pseudo_inverse_of(loadings.estimates), {}, workers,
                 "third_moments");
  const Index groups = sums.each.cols();
  ThirdMomentSet set;
  set.n_left_out = sums.n_left_out;
  set.full = tensor_from(layout, sums.total, loadings.estimates);
  set.without.resize(static_cast<std::size_t>(groups));
#pragma omp parallel for schedule(dynamic) default(shared)
  for (Index g = 0; g < groups; ++g) {
    const auto at = static_cast<std::size_t>(g);
    // v was formed with all rows' A^+; A^+ without the group is that but for a transformation.
    const MatrixXd turn =
        product(linalg::pseudo_inverse_of(loadings.estimates_without[at]), loadings.estimates);
    set.without[at] =
        transformed(tensor_from(layout, sums.total - sums.each.col(g), loadings.estimates), turn);
  }
  return set;
}

}  // namespace orrery::linear_latent
