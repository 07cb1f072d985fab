// Sums over rows that third moments and fourth cumulants of the causes are made of.
//
// z is a row in the learner's units, v = A^+ z an unbiased guess of its causes with noise. Fourth
// cumulants are seen along pairs of directions (theta_r, phi_r) of the causes' space alone: with
// t_r = theta_r . v and u_r = phi_r . v neither n^4 nor k^4 numbers are formed.
//
// Cost: N (2 n k + k^3 / 2), and with R pairs N R (2 n + k^2 / 2) more. Memory: k^3 / 2 + 3 n k +
// R (2 n + k^2 / 2) doubles a group.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>

#include "families/linear/linear_latent/loadings.hpp"
#include "families/linear/linear_latent/observations.hpp"

namespace orrery::linear_latent {

/// theta_r and phi_r are the columns r.
struct Directions {
  Eigen::MatrixXd theta{};  ///< k x R
  Eigen::MatrixXd phi{};    ///< k x R
  [[nodiscard]] Eigen::Index size() const { return theta.cols(); }
};

/// Sums over rows, flat, so that groups add up: 1, z, z^2, v, v v^T, z v^T, z^2 v^T, v x v x v (the
/// pairs a <= b of the first two by rows); and for each pair of directions z t u, z^2 t u,
/// v v^T t u.
struct CauseLayout {
  Eigen::Index n;
  Eigen::Index k;
  Eigen::Index n_directions = 0;
  [[nodiscard]] Eigen::Index pairs() const { return k * (k + 1) / 2; }
  [[nodiscard]] Eigen::Index z() const { return 1; }
  [[nodiscard]] Eigen::Index zz() const { return z() + n; }
  [[nodiscard]] Eigen::Index v() const { return zz() + n; }
  [[nodiscard]] Eigen::Index vv() const { return v() + k; }
  [[nodiscard]] Eigen::Index zv() const { return vv() + pairs(); }
  [[nodiscard]] Eigen::Index zzv() const { return zv() + n * k; }
  [[nodiscard]] Eigen::Index vvv() const { return zzv() + n * k; }
  [[nodiscard]] Eigen::Index ztu() const { return vvv() + pairs() * k; }
  [[nodiscard]] Eigen::Index zztu() const { return ztu() + n * n_directions; }
  [[nodiscard]] Eigen::Index vvtu() const { return zztu() + n * n_directions; }
  [[nodiscard]] Eigen::Index size() const { return vvtu() + pairs() * n_directions; }
};

struct CauseSums {
  Eigen::VectorXd total;
  Eigen::MatrixXd each;          ///< a column a group of rows
  std::uint64_t n_left_out = 0;  ///< rows with missing values
};

/// The rows of `path` are read again, as the units of `stage`; `inverse`: A^+, k x n. Collective.
[[nodiscard]] CauseSums sum_causes(const std::string& path, const Observations& observed,
                                   const Eigen::MatrixXd& inverse, const Directions& directions,
                                   const Workers& workers, const std::string& stage);

}  // namespace orrery::linear_latent
