// Gaussian log densities of rows, complete or not, by the low rank of the covariance.
//
//   Sigma = F F^T + D    F = A L, E[h h^T] = L L^T; h = L f with f ~ N(0, I)
//
// Of the values that are there, P are those with noise, Z those with next to none (d below 1e-8 of
// the variance: dividing by it would lose the rest). With G = D_P^-1/2 F_P and y = D_P^-1/2 (x_P -
// mu_P):
//   M = I + G^T G,  m = M^-1 G^T y        f given x_P is N(m, M^-1)
//   log N(x_P) = -1/2 (|P| log 2 pi + sum log d + log det M + |y - G m|^2 + |m|^2)
// which is the identity of Woodbury with the square completed, so that nothing cancels, and
//   x_Z given x_P is N(mu_Z + F_Z m, F_Z M^-1 F_Z^T + D_Z), a small dense normal.
//
// Rows with the same values missing share their factors: chunks of 256 rows are grouped. Cost: O(n
// k) a complete row, and O(n k^2 + k^3) a set of missing values and chunk; O(n k) memory per
// thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <vector>

#include "families/linear/scores/scores.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t chunk_rows = 256;
constexpr double next_to_no_noise = 1e-8;  // of the variance
constexpr double singular = 1e-12;         // of the variance

}  // namespace

/// What densities of rows with the same values missing share.
struct LinearDensity::Model {
  struct Part {
    std::vector<Index> noisy;  // P
    std::vector<Index> exact;  // Z
    VectorXd precision;        // D_P^-1/2
    MatrixXd scaled;           // G
    MatrixXd exact_factors;    // F_Z
    linalg::Cholesky given;
    linalg::Cholesky exact_given;
    double constant = 0;  // what does not depend on the values
  };

  MatrixXd factors;  // F
  VectorXd means;
  VectorXd noise;
  VectorXd variances;
  Part complete;

  [[nodiscard]] Part part(const std::vector<Index>& there) const;
  [[nodiscard]] VectorXd densities(const Part& part, const Rows& rows) const;
  void densities_of_chunk(const Eigen::Map<const Rows>& rows, std::span<double> densities) const;
};

LinearDensity::Model::Part LinearDensity::Model::part(const std::vector<Index>& there) const {
  Part part;
  for (const Index i : there) {
    (noise(i) < next_to_no_noise * variances(i) || noise(i) == 0 ? part.exact : part.noisy)
        .push_back(i);
  }
  const VectorXd noise_there = noise(part.noisy);
  part.precision = noise_there.cwiseSqrt().cwiseInverse();
  part.scaled = part.precision.asDiagonal() * factors(part.noisy, Eigen::all);
  MatrixXd given = part.scaled.transpose() * part.scaled;
  given.diagonal().array() += 1;
  part.given = linalg::Cholesky(given);
  part.constant = static_cast<double>(there.size()) * std::log(2 * std::numbers::pi) +
                  noise_there.array().log().sum() + part.given.log_determinant();
  if (part.exact.empty()) return part;
  part.exact_factors = factors(part.exact, Eigen::all);
  MatrixXd left = part.given.around_inverse(part.exact_factors);
  left.diagonal() += noise(part.exact);
  part.exact_given = linalg::Cholesky(left);
  part.constant += part.exact_given.log_determinant();
  return part;
}

/// Of rows whose values of `part` are all there.
VectorXd LinearDensity::Model::densities(const Part& part, const Rows& rows) const {
  const auto centred = [&](const std::vector<Index>& columns) {
    return MatrixXd((rows(Eigen::all, columns).rowwise() - means(columns).transpose()).transpose());
  };
  const MatrixXd scaled = part.precision.asDiagonal() * centred(part.noisy);
  const MatrixXd projected = part.scaled.transpose() * scaled;
  const MatrixXd hidden = part.given.solve(projected);  // m, a column per row
  VectorXd squares =
      (scaled - part.scaled * hidden).colwise().squaredNorm() + hidden.colwise().squaredNorm();
  if (!part.exact.empty()) {
    const MatrixXd off = centred(part.exact) - part.exact_factors * hidden;
    squares += part.exact_given.norms(off);
  }
  // Values so large that their squares overflow leave no number: as unlikely as can be.
  return squares.unaryExpr([&](double square) {
    return std::isnan(square) ? -std::numeric_limits<double>::infinity()
                              : -(square + part.constant) / 2;
  });
}

void LinearDensity::Model::densities_of_chunk(const Eigen::Map<const Rows>& rows,
                                              std::span<double> densities_out) const {
  std::map<std::vector<Index>, std::vector<Index>> rows_of;  // by the values that are there
  std::vector<Index> there;
  for (Index r = 0; r < rows.rows(); ++r) {
    there.clear();
    for (Index c = 0; c < rows.cols(); ++c) {
      if (!std::isnan(rows(r, c))) there.push_back(c);
    }
    rows_of[there].push_back(r);
  }
  for (const auto& [values, members] : rows_of) {
    const bool all = static_cast<Index>(values.size()) == rows.cols();
    const Rows group = rows(members, Eigen::all);
    const VectorXd found = all ? densities(complete, group) : densities(part(values), group);
    for (std::size_t i = 0; i < members.size(); ++i) {
      densities_out[static_cast<std::size_t>(members[i])] = found(static_cast<Index>(i));
    }
  }
}

LinearDensity::LinearDensity(const model::LinearNetwork& network) {
  auto made = std::make_unique<Model>();
  const MatrixXd root = linalg::Cholesky(network.covariance()).root();
  made->factors = network.loadings() * root;
  made->means = network.means();
  made->noise = network.noise();
  made->variances = made->noise + made->factors.rowwise().squaredNorm();
  std::vector<Index> all;
  for (Index i = 0; i < made->noise.size(); ++i) {
    if (!std::isfinite(made->variances(i))) {
      throw InputError(fmt::format("the model's variance of '{}' is too large for a density",
                                   network.names()[static_cast<std::size_t>(i)]));
    }
    all.push_back(i);
  }
  made->complete = made->part(all);
  const std::vector<Index>& exact = made->complete.exact;
  for (std::size_t z = 0; z < exact.size(); ++z) {
    const auto at = static_cast<Index>(z);
    const double left = std::pow(made->complete.exact_given.diagonal()(at), 2);
    if (made->complete.exact_given.is_positive_definite() &&
        left > singular * made->variances(exact[z])) {
      continue;
    }
    throw InputError(fmt::format(
        "the model has no density: {} variables have no noise of their own ('{}' among them), and "
        "the causes leave nothing of one when the others are known; leave --data out",
        exact.size(), network.names()[static_cast<std::size_t>(exact[z])]));
  }
  model_ = std::move(made);
}

LinearDensity::~LinearDensity() = default;

void LinearDensity::log_densities(const double* rows, std::span<double> densities) const {
  const std::size_t n_columns = static_cast<std::size_t>(model_->noise.size());
  const std::size_t n_chunks = (densities.size() + chunk_rows - 1) / chunk_rows;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) {
    const std::size_t first = chunk * chunk_rows;
    const std::size_t n = std::min(chunk_rows, densities.size() - first);
    const Eigen::Map<const Rows> block(rows + first * n_columns, static_cast<Index>(n),
                                       model_->noise.size());
    model_->densities_of_chunk(block, densities.subspan(first, n));
  }
}

model::LinearNetwork without_causes(const model::LinearNetwork& network) {
  model::LinearParts parts;
  parts.names = network.names();
  parts.means = network.means();
  parts.loadings.resize(network.loadings().rows(), 0);
  const MatrixXd root = linalg::Cholesky(network.covariance()).root();
  parts.noise = network.noise() + (network.loadings() * root).rowwise().squaredNorm();
  return model::LinearNetwork(std::move(parts));
}

}  // namespace orrery::linear
