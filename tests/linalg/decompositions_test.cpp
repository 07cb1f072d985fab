// Each decomposition against what defines it: products give the matrix back.
#include "linalg/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace orrery::linalg {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Of matrices of up to 40 x 40 with entries near 1: some thousand roundings, not all one way.
constexpr double rounding = 1e-11;

/// Entries uniform on [-1, 1].
MatrixXd random_matrix(Index rows, Index columns, std::uint64_t number = 0) {
  RowRandom random(3, Stream::check, number);
  MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = 2 * random.uniform() - 1;
  return matrix;
}

MatrixXd random_symmetric(Index n) {
  const MatrixXd half = random_matrix(n, n);
  return half + half.transpose();
}

MatrixXd random_positive_definite(Index n) {
  const MatrixXd half = random_matrix(n, n);
  return half * half.transpose() + MatrixXd::Identity(n, n);
}

MatrixXd random_of_rank(Index rows, Index columns, Index rank) {
  return random_matrix(rows, rank) * random_matrix(rank, columns, 1);
}

void expect_equal(const MatrixXd& found, const MatrixXd& expected, double tolerance = rounding) {
  ASSERT_EQ(found.rows(), expected.rows());
  ASSERT_EQ(found.cols(), expected.cols());
  if (found.size() == 0) return;
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), tolerance);
}

void expect_orthonormal(const MatrixXd& columns) {
  expect_equal(columns.transpose() * columns, MatrixXd::Identity(columns.cols(), columns.cols()));
}

/// Moore's and Penrose's four conditions, which one matrix alone fulfils.
void expect_pseudo_inverse(const MatrixXd& found, const MatrixXd& matrix) {
  const MatrixXd onto_columns = matrix * found;
  const MatrixXd onto_rows = found * matrix;
  expect_equal(onto_columns * matrix, matrix, 1e-9);
  expect_equal(onto_rows * found, found, 1e-9);
  expect_equal(onto_columns.transpose(), onto_columns, 1e-9);
  expect_equal(onto_rows.transpose(), onto_rows, 1e-9);
}

TEST(Cholesky, root_times_its_transpose_is_the_matrix) {
  for (const Index n : {1, 2, 5, 40}) {
    const MatrixXd matrix = random_positive_definite(n);
    const Cholesky factors(matrix);
    ASSERT_TRUE(factors.is_positive_definite());
    const MatrixXd root = factors.root();
    expect_equal(root * root.transpose(), matrix);
    EXPECT_EQ(root.triangularView<Eigen::StrictlyUpper>().toDenseMatrix().norm(), 0);
    EXPECT_TRUE(factors.diagonal() == root.diagonal());
  }
}

TEST(Cholesky, solves_for_vectors_and_matrices) {
  const MatrixXd matrix = random_positive_definite(9);
  const MatrixXd right = random_matrix(9, 4);
  const Cholesky factors(matrix);
  expect_equal(matrix * factors.solve(right), right);
  const VectorXd first = right.col(0);
  expect_equal(matrix * factors.solve(first), first);
  expect_equal(factors.norms(right), (right.transpose() * factors.solve(right)).diagonal());
  expect_equal(factors.around_inverse(right.transpose()), right.transpose() * factors.solve(right));
}

TEST(Cholesky, knows_the_determinant) {
  MatrixXd matrix(2, 2);
  matrix << 4, 3, 3, 9;
  EXPECT_NEAR(Cholesky(matrix).log_determinant(), std::log(27), rounding);
}

TEST(Cholesky, refuses_what_is_not_positive_definite) {
  MatrixXd matrix(2, 2);
  matrix << 1, 2, 2, 1;
  EXPECT_FALSE(Cholesky(matrix).is_positive_definite());
}

TEST(Cholesky, reads_the_lower_triangle_alone) {
  MatrixXd matrix = random_positive_definite(6);
  const MatrixXd root = Cholesky(matrix).root();
  matrix.triangularView<Eigen::StrictlyUpper>().setConstant(
      std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(Cholesky(matrix).root() == root);
}

TEST(Cholesky, of_no_entry_is_positive_definite) {
  EXPECT_TRUE(Cholesky().is_positive_definite());
  EXPECT_EQ(Cholesky().root().size(), 0);
}

TEST(Ldlt, solves_and_inverts_an_indefinite_matrix) {
  const MatrixXd matrix = random_symmetric(7);
  const Ldlt factors(matrix);
  ASSERT_TRUE(factors.succeeded());
  const VectorXd right = random_matrix(7, 1).col(0);
  expect_equal(matrix * factors.solve(right), right, 1e-10);
  expect_equal(matrix * factors.inverse(), MatrixXd::Identity(7, 7), 1e-10);
  // Sylvester: as many negative pivots as negative eigenvalues.
  EXPECT_EQ((factors.pivots().array() < 0).count(), (eigenvalues_of(matrix).array() < 0).count());
}

TEST(Ldlt, condition_is_that_of_a_diagonal_matrix) {
  const MatrixXd matrix = VectorXd(Eigen::Vector3d(1, 10, 1e4)).asDiagonal();
  EXPECT_NEAR(Ldlt(matrix).reciprocal_condition(), 1e-4, 1e-12);
}

TEST(Ldlt, a_singular_matrix_has_a_pivot_of_next_to_nothing) {
  const MatrixXd half = random_matrix(6, 3);
  const VectorXd pivots = Ldlt(half * half.transpose()).pivots();
  EXPECT_EQ((pivots.array().abs() > 1e-9).count(), 3);
}

TEST(Lu, solves) {
  const MatrixXd matrix = random_matrix(8, 8);
  const VectorXd right = random_matrix(8, 1, 1).col(0);
  expect_equal(matrix * Lu(matrix).solve(right), right, 1e-10);
}

TEST(Lu, copies_share_the_factors) {
  const MatrixXd matrix = random_matrix(3, 3);
  Lu copy;
  {
    const Lu factors(matrix);
    copy = factors;
  }
  const VectorXd right = VectorXd::Ones(3);
  expect_equal(matrix * copy.solve(right), right, 1e-10);
}

TEST(FullPivoting, solves_for_vectors_and_matrices) {
  const MatrixXd matrix = random_matrix(6, 6);
  const MatrixXd right = random_matrix(6, 3, 1);
  expect_equal(matrix * solve_by_full_pivoting(matrix, right), right, 1e-10);
  const VectorXd first = right.col(0);
  expect_equal(matrix * solve_by_full_pivoting(matrix, first), first, 1e-10);
}

TEST(FullPivoting, solves_a_singular_system_that_has_a_solution) {
  const MatrixXd matrix = random_of_rank(6, 6, 4);
  const VectorXd right = matrix * VectorXd::Ones(6);
  expect_equal(matrix * solve_by_full_pivoting(matrix, right), right, 1e-10);
}

TEST(Kernel, spans_what_the_matrix_sends_to_0) {
  const MatrixXd matrix = random_of_rank(5, 7, 3);
  const MatrixXd kernel = kernel_of(matrix, 1e-9);
  ASSERT_EQ(kernel.rows(), 7);
  ASSERT_EQ(kernel.cols(), 4);
  expect_equal(matrix * kernel, MatrixXd::Zero(5, 4));
  EXPECT_GT(singular_values_of(kernel).minCoeff(), 1e-3);
}

TEST(Kernel, of_independent_columns_is_0) {
  expect_equal(kernel_of(random_matrix(5, 3), 1e-9), MatrixXd::Zero(3, 1));
}

TEST(Spectrum, vectors_and_values_give_the_matrix_back) {
  for (const Index n : {1, 2, 3, 10, 40}) {
    const MatrixXd matrix = random_symmetric(n);
    const Spectrum spectrum = spectrum_of(matrix);
    expect_equal(spectrum.vectors * spectrum.values.asDiagonal() * spectrum.vectors.transpose(),
                 matrix);
    expect_orthonormal(spectrum.vectors);
    EXPECT_TRUE(std::is_sorted(spectrum.values.begin(), spectrum.values.end()));
    expect_equal(eigenvalues_of(matrix), spectrum.values);
  }
}

TEST(Spectrum, inverse_root_makes_the_matrix_the_identity) {
  const MatrixXd matrix = random_positive_definite(6);
  const MatrixXd whitening = inverse_root_of(matrix);
  expect_equal(whitening.transpose(), whitening);
  expect_equal(whitening * matrix * whitening, MatrixXd::Identity(6, 6));
}

TEST(SingularValues, vectors_and_values_give_the_matrix_back) {
  for (const auto& [rows, columns] :
       std::vector<std::pair<Index, Index>>{{7, 4}, {4, 7}, {5, 5}, {30, 20}}) {
    const MatrixXd matrix = random_matrix(rows, columns);
    const Index k = std::min(rows, columns);
    const VectorXd values = singular_values_of(matrix);
    ASSERT_EQ(values.size(), k);
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end(), std::greater{}));
    const MatrixXd left = left_singular_vectors(matrix, k);
    const MatrixXd right = right_singular_vectors(matrix, k);
    expect_orthonormal(left);
    expect_orthonormal(right);
    // Signs: each decomposition has its own.
    expect_equal((left.transpose() * matrix * right).cwiseAbs(), values.asDiagonal());
    EXPECT_TRUE(left_singular_vectors(matrix, 2) == left.leftCols(2));
  }
}

TEST(SingularValues, of_a_small_matrix_give_it_back) {
  const Eigen::Matrix4d matrix = random_matrix(4, 4);
  const SmallSingularDecomposition found = singular_decomposition_of(matrix);
  expect_equal(found.left * found.values.asDiagonal() * found.right.transpose(), matrix);
  expect_orthonormal(found.left);
  expect_orthonormal(found.right);
  expect_equal(found.values, singular_values_of(matrix));
}

TEST(OrthonormalBasis, spans_the_columns) {
  const MatrixXd columns = random_matrix(9, 4);
  const MatrixXd basis = orthonormal_basis_of(columns);
  expect_orthonormal(basis);
  expect_equal(basis * (basis.transpose() * columns), columns);
}

TEST(LeastSquares, what_is_left_is_orthogonal_to_the_columns) {
  const MatrixXd matrix = random_matrix(9, 4);
  const MatrixXd right = random_matrix(9, 3, 1);
  for (const MatrixXd& found :
       {least_squares(matrix, right), least_squares_of_independent(matrix, right)}) {
    expect_equal(matrix.transpose() * (matrix * found - right), MatrixXd::Zero(4, 3));
  }
  const VectorXd first = right.col(0);
  expect_equal(least_squares(matrix, first), least_squares(matrix, right).col(0));
}

TEST(LeastSquares, of_many_solutions_the_shortest_is_found) {
  const MatrixXd matrix = random_of_rank(6, 5, 3);
  const VectorXd right = matrix * VectorXd::Ones(5);
  const VectorXd found = least_squares(matrix, right);
  expect_equal(matrix * found, right, 1e-10);
  // The shortest has no part in the kernel.
  expect_equal(kernel_of(matrix, 1e-9).transpose() * found, VectorXd::Zero(2), 1e-9);
}

TEST(PseudoInverse, fulfils_its_four_conditions) {
  for (const MatrixXd& matrix : {random_matrix(5, 5), random_matrix(7, 4), random_matrix(4, 7),
                                 random_of_rank(6, 5, 2), MatrixXd(MatrixXd::Zero(3, 2))}) {
    expect_pseudo_inverse(pseudo_inverse_of(matrix), matrix);
    expect_pseudo_inverse(pseudo_inverse_of_transpose(matrix), matrix.transpose());
  }
}

TEST(PivotedColumns, the_first_are_independent_and_as_many_as_the_rank) {
  const MatrixXd matrix = random_of_rank(8, 6, 4);
  const PivotedColumns found = pivoted_columns_of(matrix, 1e-9);
  EXPECT_EQ(found.rank, 4);
  std::vector<Index> sorted = found.order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, (std::vector<Index>{0, 1, 2, 3, 4, 5}));
  const std::vector<Index> first(found.order.begin(), found.order.begin() + found.rank);
  EXPECT_GT(singular_values_of(matrix(Eigen::all, first)).minCoeff(), 1e-3);
}

TEST(PivotedColumns, the_longest_column_is_first) {
  MatrixXd matrix(3, 3);
  matrix << 1, 0, 0, 0, 3, 0, 0, 0, 2;
  EXPECT_EQ(pivoted_columns_of(matrix, 0).order, (std::vector<Index>{1, 2, 0}));
}

}  // namespace
}  // namespace orrery::linalg
