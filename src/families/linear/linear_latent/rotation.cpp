#include "families/linear/linear_latent/rotation.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_turns = 500;
constexpr int most_turn_halvings = 12;
constexpr double settled_gradient = 1e-6;  // length of the projected gradient
/// Of the criterion: starts that differ by less have come to the same place.
constexpr double same_value = 1e-9;

struct Criterion {
  double value = 0;
  MatrixXd gradient;  // n x k, by the loadings
};

Criterion complexity(const MatrixXd& loadings) {
  const MatrixXd squares = loadings.cwiseAbs2();
  const MatrixXd others = (-squares).colwise() + squares.rowwise().sum();  // of the row's others
  return {squares.cwiseProduct(others).sum() / 4, loadings.cwiseProduct(others)};
}

struct Rotation {
  MatrixXd turn;      // T
  MatrixXd inverse;   // T^-T: the columns are basis * inverse
  MatrixXd gradient;  // by T
  double value = 0;
};

Rotation rotated(const MatrixXd& basis, MatrixXd turn) {
  Rotation rotation;
  rotation.inverse = linalg::pseudo_inverse_of_transpose(turn);
  rotation.turn = std::move(turn);
  const MatrixXd loadings = basis * rotation.inverse;
  const Criterion found = complexity(loadings);
  rotation.value = found.value;
  rotation.gradient = -rotation.inverse * found.gradient.transpose() * loadings;
  return rotation;
}

/// What of the gradient keeps the lengths of T's columns.
MatrixXd projected(const Rotation& rotation) {
  const VectorXd along = rotation.turn.cwiseProduct(rotation.gradient).colwise().sum();
  return rotation.gradient - rotation.turn * along.asDiagonal();
}

Rotation descend(const MatrixXd& basis, MatrixXd start) {
  Rotation best = rotated(basis, std::move(start));
  double length = 1;
  for (int step = 0; step < most_turns; ++step) {
    const MatrixXd direction = projected(best);
    const double squared = direction.squaredNorm();
    if (std::sqrt(squared) < settled_gradient) break;
    length *= 2;
    bool lower = false;
    for (int half = 0; half < most_turn_halvings && !lower; ++half, length /= 2) {
      MatrixXd turn = best.turn - length * direction;
      turn.colwise().normalize();
      Rotation next = rotated(basis, std::move(turn));
      lower = best.value - next.value > squared * length / 2;
      if (!lower) continue;
      best = std::move(next);
      length *= 2;  // the loop halves it
    }
    if (!lower) break;
  }
  return best;
}

/// From draws of its own; number 0 is none.
MatrixXd first_turn(Index k, std::uint64_t seed, std::uint64_t number) {
  if (number == 0) return MatrixXd::Identity(k, k);
  RowRandom random(seed, Stream::restart, (std::uint64_t{1} << 34U) + number);
  MatrixXd draws(k, k);
  for (double& entry : draws.reshaped()) entry = 2 * random.uniform() - 1;
  return linalg::orthonormal_basis_of(draws);
}

}  // namespace

MatrixXd simplest_columns(const MatrixXd& basis, std::uint64_t seed) {
  const Index k = basis.cols();
  const double cost = static_cast<double>(basis.rows()) * static_cast<double>(k * k);
  const auto n_starts = static_cast<std::uint64_t>(std::clamp(1e6 / cost, 1.0, 20.0));
  Rotation best = descend(basis, first_turn(k, seed, 0));
  for (std::uint64_t start = 1; k > 1 && start < n_starts; ++start) {
    Rotation next = descend(basis, first_turn(k, seed, start));
    if (next.value < best.value - same_value) best = std::move(next);
  }
  return best.inverse;
}

}  // namespace orrery::linear_latent
