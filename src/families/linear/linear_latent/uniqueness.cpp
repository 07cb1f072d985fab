#include "families/linear/linear_latent/uniqueness.hpp"

#include <algorithm>

#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_share = .005;  // of a variance that noise is
constexpr double step_limit = 3;      // a step changes a variance by this factor at most
constexpr double settled = 1e-13;     // largest relative change

/// The eigenvectors and eigenvalues of S* that make up L.
struct Leading {
  MatrixXd vectors;  // n x k
  VectorXd excess;   // eigenvalue less 1, 0 at least
};

Leading leading(const MatrixXd& covariance, Index k, const VectorXd& noise) {
  const VectorXd root = noise.cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = root.asDiagonal() * covariance * root.asDiagonal();
  const linalg::Spectrum spectrum = linalg::spectrum_of(scaled);
  const Index n = covariance.rows();
  Leading found{spectrum.vectors.rightCols(k).rowwise().reverse(),
                spectrum.values.tail(k).reverse()};
  found.excess = (found.excess.array() - 1).max(0.0);
  // One sign of the two that an eigenvector has: its largest entry is positive.
  for (Index j = 0; j < k; ++j) {
    Index largest = 0;
    found.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (n > 0 && found.vectors(largest, j) < 0) found.vectors.col(j) *= -1;
  }
  return found;
}

MatrixXd basis_of(const Leading& found, const VectorXd& noise) {
  return noise.cwiseSqrt().asDiagonal() * found.vectors * found.excess.cwiseSqrt().asDiagonal();
}

/// Solves (Q o Q) e = r for the variables that are free; 0 for the others.
VectorXd newton_step(const Leading& found, const VectorXd& residual,
                     const std::vector<Index>& free) {
  const Index n = residual.size();
  MatrixXd q = -found.vectors * found.vectors.transpose();
  q.diagonal().array() += 1;
  const auto n_free = static_cast<Index>(free.size());
  MatrixXd squares(n_free, n_free);
  VectorXd right(n_free);
  for (Index j = 0; j < n_free; ++j) {
    for (Index i = 0; i < n_free; ++i) {
      const double entry = q(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
      squares(i, j) = entry * entry;
    }
    right[j] = residual[free[static_cast<std::size_t>(j)]];
  }
  const linalg::Ldlt factors(squares);
  const VectorXd pivots = factors.pivots();
  const bool singular =
      !factors.succeeded() || pivots.minCoeff() <= 1e-12 * std::max(pivots.maxCoeff(), 1e-300);
  const VectorXd solved = singular ? linalg::least_squares(squares, right) : factors.solve(right);
  VectorXd step = VectorXd::Zero(n);
  for (Index j = 0; j < n_free; ++j) step[free[static_cast<std::size_t>(j)]] = solved[j];
  return step;
}

}  // namespace

VectorXd first_noise(const MatrixXd& covariance, Index k) {
  const Index n = covariance.rows();
  const MatrixXd inverse = linalg::pseudo_inverse_of(covariance);
  const double share = 1 - static_cast<double>(k) / (2 * static_cast<double>(n));
  return share * inverse.diagonal().cwiseMax(1e-12).cwiseInverse();
}

FactorSplit split_at(const MatrixXd& covariance, Index k, const VectorXd& noise) {
  FactorSplit split;
  split.noise = noise;
  split.basis = basis_of(leading(covariance, k, noise), noise);
  return split;
}

FactorSplit fit_noise(const MatrixXd& covariance, Index k, VectorXd noise, int most_steps) {
  const Index n = covariance.rows();
  const VectorXd least = least_share * covariance.diagonal();
  noise = noise.cwiseMax(least).cwiseMin(covariance.diagonal());
  FactorSplit split;
  for (; split.steps < most_steps && !split.converged; ++split.steps) {
    const Leading found = leading(covariance, k, noise);
    const VectorXd diagonal =
        (found.vectors * found.excess.cwiseSqrt().asDiagonal()).rowwise().squaredNorm();
    const VectorXd residual =
        covariance.diagonal().cwiseQuotient(noise) - VectorXd::Ones(n) - diagonal;
    std::vector<Index> free;
    for (Index i = 0; i < n; ++i) {
      if (noise[i] > least[i] || residual[i] > 0) free.push_back(i);
    }
    split.n_at_bound = static_cast<int>(n) - static_cast<int>(free.size());
    const VectorXd step = newton_step(found, residual, free);
    VectorXd next = noise.cwiseProduct(VectorXd::Ones(n) + step);
    next = next.cwiseMax(noise / step_limit).cwiseMin(noise * step_limit).cwiseMax(least);
    split.converged = ((next - noise).cwiseAbs().cwiseQuotient(noise)).maxCoeff() < settled;
    noise = next;
  }
  split.noise = noise;
  split.basis = basis_of(leading(covariance, k, noise), noise);
  return split;
}

ResidualMap::ResidualMap(const FactorSplit& split) : root_(split.noise.cwiseSqrt().cwiseInverse()) {
  MatrixXd vectors = root_.asDiagonal() * split.basis;
  for (Index j = 0; j < vectors.cols(); ++j) {
    const double length = vectors.col(j).norm();
    if (length > 0) vectors.col(j) /= length;
  }
  q_ = -vectors * vectors.transpose();
  q_.diagonal().array() += 1;
  inverse_ = linalg::pseudo_inverse_of(q_.cwiseAbs2());
}

VectorXd ResidualMap::operator()(const MatrixXd& covariance) const {
  const Index n = root_.size();
  MatrixXd left = q_ * (root_.asDiagonal() * covariance * root_.asDiagonal()) * q_;
  const VectorXd moved = inverse_ * left.diagonal();
  left -= q_ * moved.asDiagonal() * q_;
  VectorXd entries(n * (n - 1) / 2);
  Index next = 0;
  for (Index b = 0; b < n; ++b) {
    for (Index a = 0; a < b; ++a) entries[next++] = left(a, b);
  }
  return entries;
}

}  // namespace orrery::linear_latent
