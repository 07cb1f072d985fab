#include "families/linear/linear_latent/least_trace.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double first_barrier = 1;
constexpr int n_barriers = 16;  // down to 3e-11
constexpr double less_barrier = .2;
constexpr int most_steps = 30;     // of one barrier
constexpr double centred = 1e-3;   // squared Newton decrement, in units of the barrier
constexpr int most_halvings = 20;  // of a step; beyond, rounding errors are all there is

/// log det(C - diag(d)) and P; not inside where C - diag(d) is not positive definite.
struct Inside {
  bool holds = false;
  double log_determinant = 0;
  MatrixXd inverse;
};
Inside at(const MatrixXd& matrix, const VectorXd& d, bool wants_inverse) {
  MatrixXd left = matrix;
  left.diagonal() -= d;
  const linalg::Cholesky factors(left);
  Inside inside;
  inside.holds = factors.is_positive_definite();
  if (!inside.holds) return inside;
  inside.log_determinant = factors.log_determinant();
  if (wants_inverse) {
    inside.inverse = factors.solve(MatrixXd(MatrixXd::Identity(matrix.rows(), matrix.cols())));
  }
  return inside;
}

/// Newton's steps for one barrier, each as long as the value rises. False: no step rises any more.
bool centre(const MatrixXd& matrix, double barrier, VectorXd& d) {
  for (int i = 0; i < most_steps; ++i) {
    const Inside here = at(matrix, d, true);
    if (!here.holds) return false;  // a singular C leaves no room
    const VectorXd slope = VectorXd::Ones(d.size()) - barrier * here.inverse.diagonal();
    const VectorXd step = linalg::Cholesky(barrier * here.inverse.cwiseAbs2()).solve(slope);
    const double decrement = slope.dot(step);
    if (!(decrement > centred * barrier)) return std::isfinite(decrement);
    const double value = d.sum() + barrier * here.log_determinant;
    double share = 1;
    int halvings = 0;
    for (; halvings < most_halvings; ++halvings, share /= 2) {
      const VectorXd next = d + share * step;
      const Inside there = at(matrix, next, false);
      if (there.holds &&
          next.sum() + barrier * there.log_determinant >= value + .1 * share * decrement) {
        break;
      }
    }
    if (halvings == most_halvings) return false;
    d += share * step;
  }
  return true;
}

}  // namespace

VectorXd noise_by_least_trace(const MatrixXd& covariance) {
  const VectorXd scale = covariance.diagonal().cwiseSqrt();
  const VectorXd inverse = scale.cwiseInverse();
  const MatrixXd correlations = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  const double least = linalg::eigenvalues_of(correlations)[0];
  VectorXd d = VectorXd::Constant(covariance.rows(), .5 * std::max(least, 0.0));
  double barrier = first_barrier;
  for (int i = 0; i < n_barriers && centre(correlations, barrier, d); ++i) barrier *= less_barrier;
  return d.cwiseProduct(covariance.diagonal());
}

}  // namespace orrery::linear_latent
