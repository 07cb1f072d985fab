#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <limits>

#include "base/random.hpp"
#include "families/linear/linear_latent/sparse_vectors.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(Index rows, Index columns, std::uint64_t seed) {
  RowRandom random(seed, Stream::check, 0);
  MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = 2 * random.uniform() - 1;
  return matrix;
}

/// The least |diag(u) B w|_1 with c^T w = 1 for k = 3: at a vertex two entries of B w are 0, so all
/// pairs of rows are tried.
double least_by_vertices(const MatrixXd& basis, const VectorXd& direction,
                         const VectorXd& weights) {
  double least = std::numeric_limits<double>::infinity();
  for (Index a = 0; a < basis.rows(); ++a) {
    for (Index b = a + 1; b < basis.rows(); ++b) {
      const Eigen::Vector3d across =
          Eigen::Vector3d(basis.row(a)).cross(Eigen::Vector3d(basis.row(b)));
      const double product = direction.dot(across);
      if (std::abs(product) < 1e-12) continue;
      least = std::min(least, weights.cwiseProduct(basis * across / product).lpNorm<1>());
    }
  }
  return least;
}

TEST(programs, find_the_least_of_all_vertices_also_from_the_last_solution) {
  const MatrixXd basis = random_matrix(9, 3, 1);
  SparsePrograms programs(basis);
  for (std::uint64_t seed = 2; seed < 40; ++seed) {
    const VectorXd direction = random_matrix(3, 1, seed);
    const VectorXd weights = random_matrix(9, 1, seed + 100).cwiseAbs().array() + .1;
    const auto solution = programs.solve(direction, weights);
    ASSERT_EQ(solution.status, SparsePrograms::Status::solved);
    EXPECT_NEAR(direction.dot(solution.w), 1, 1e-9);
    EXPECT_NEAR(weights.cwiseProduct(basis * solution.w).lpNorm<1>(),
                least_by_vertices(basis, direction, weights), 1e-7);
  }
}

TEST(programs, a_direction_that_no_vector_has_is_infeasible) {
  SparsePrograms programs(random_matrix(9, 3, 1));
  const VectorXd ones = VectorXd::Ones(9);
  EXPECT_EQ(programs.solve(VectorXd::Zero(3), ones).status, SparsePrograms::Status::infeasible);
  EXPECT_EQ(programs.solve(VectorXd::Ones(3), ones).status, SparsePrograms::Status::solved);
}

TEST(programs, go_on_from_the_last_basis_in_fewer_pivots) {
  const MatrixXd basis = random_matrix(60, 8, 3);
  const VectorXd ones = VectorXd::Ones(60);
  SparsePrograms warm(basis);
  SparsePrograms cold(basis);
  // Weights that follow the last solution, as where one is made sparser.
  VectorXd weights = ones;
  for (int i = 0; i < 6; ++i) {
    const VectorXd s = basis * warm.solve(basis.row(0), weights).w;
    cold.forget();
    EXPECT_NEAR(s.dot(basis * cold.solve(basis.row(0), weights).w), s.squaredNorm(),
                1e-9 * s.squaredNorm());
    weights = (s.cwiseAbs().array() + .1).inverse();
  }
  EXPECT_LT(warm.n_pivots(), cold.n_pivots() / 2);
}

}  // namespace
}  // namespace orrery::linear_latent
