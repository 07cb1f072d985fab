// Decompositions of dense matrices: Eigen's, compiled once. Its templates take many seconds a
// source that names one; this room alone includes them.
//
// Every function is a function of its matrix alone: the same bits for any number of threads. Of a
// symmetric matrix the lower triangle is read. Nothing is thrown: a matrix that has no such
// decomposition (one with NaN, or a singular one where none may be) gives numbers without meaning,
// unless it says otherwise. Cost: O(m n min(m, n)) for m x n, O(n^2) to solve for a vector.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

namespace orrery::linalg {

/// A = R R^T of a symmetric positive definite matrix, R lower triangular. Copies share it.
class Cholesky {
 public:
  Cholesky() : Cholesky(Eigen::MatrixXd()) {}
  explicit Cholesky(const Eigen::MatrixXd& matrix);

  /// False: the factor ends at the first pivot that is not positive.
  [[nodiscard]] bool is_positive_definite() const;
  [[nodiscard]] Eigen::MatrixXd root() const;      ///< R, 0 above the diagonal
  [[nodiscard]] Eigen::VectorXd diagonal() const;  ///< of R
  [[nodiscard]] double log_determinant() const;    ///< of A
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;  ///< A^-1 b
  [[nodiscard]] Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;  ///< A^-1 B
  [[nodiscard]] Eigen::VectorXd norms(const Eigen::MatrixXd& b) const;  ///< b^T A^-1 b, by columns
  [[nodiscard]] Eigen::MatrixXd around_inverse(const Eigen::MatrixXd& b) const;  ///< B A^-1 B^T

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// P A P^T = L D L^T of a symmetric matrix, which may be all but singular. Copies share it.
class Ldlt {
 public:
  explicit Ldlt(const Eigen::MatrixXd& matrix);

  [[nodiscard]] bool succeeded() const;          ///< no pivot of 0 with something below it
  [[nodiscard]] Eigen::VectorXd pivots() const;  ///< the diagonal of D
  /// An estimate of 1 / (|A| |A^-1|), in the norm of the largest column sum.
  [[nodiscard]] double reciprocal_condition() const;
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  [[nodiscard]] Eigen::MatrixXd inverse() const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// P A = L U of a square regular matrix, by partial pivoting. Copies share it.
class Lu {
 public:
  Lu() : Lu(Eigen::MatrixXd()) {}
  explicit Lu(const Eigen::MatrixXd& matrix);

  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& right) const;

 private:
  struct Factors;
  std::shared_ptr<const Factors> factors_;
};

/// A x = b, with square A, by LU with full pivoting: where A is singular, one solution if there is
/// one.
[[nodiscard]] Eigen::VectorXd solve_by_full_pivoting(const Eigen::MatrixXd& matrix,
                                                     const Eigen::VectorXd& right);
[[nodiscard]] Eigen::MatrixXd solve_by_full_pivoting(const Eigen::MatrixXd& matrix,
                                                     const Eigen::MatrixXd& right);

/// A basis of the vectors x with A x = 0, a column each; one column of 0 if there is none but 0.
/// Pivots of at most `tolerance` times the largest count as 0.
[[nodiscard]] Eigen::MatrixXd kernel_of(const Eigen::MatrixXd& matrix, double tolerance);

/// A = V diag(values) V^T of a symmetric n x n matrix.
struct Spectrum {
  Eigen::VectorXd values;   ///< rising
  Eigen::MatrixXd vectors;  ///< V: column j, of length 1, belongs to value j; of either sign
};
[[nodiscard]] Spectrum spectrum_of(const Eigen::MatrixXd& symmetric);

/// The eigenvalues alone, rising: several times faster; their last digits may be others.
[[nodiscard]] Eigen::VectorXd eigenvalues_of(const Eigen::MatrixXd& symmetric);

/// The symmetric A^-1/2 of a symmetric positive definite matrix.
[[nodiscard]] Eigen::MatrixXd inverse_root_of(const Eigen::MatrixXd& symmetric);

/// min(m, n) singular values of an m x n matrix, falling.
[[nodiscard]] Eigen::VectorXd singular_values_of(const Eigen::MatrixXd& matrix);

/// m x k and n x k: the singular vectors of the k largest values, k <= min(m, n).
[[nodiscard]] Eigen::MatrixXd left_singular_vectors(const Eigen::MatrixXd& matrix, Eigen::Index k);
[[nodiscard]] Eigen::MatrixXd right_singular_vectors(const Eigen::MatrixXd& matrix, Eigen::Index k);

/// A = left diag(values) right^T of a 4 x 4 matrix, values falling; by Jacobi's rotations, without
/// memory of the heap.
struct SmallSingularDecomposition {
  Eigen::Matrix4d left;
  Eigen::Vector4d values;
  Eigen::Matrix4d right;
};
[[nodiscard]] SmallSingularDecomposition singular_decomposition_of(const Eigen::Matrix4d& matrix);

/// m x n, orthonormal columns that span what the n <= m independent columns do.
[[nodiscard]] Eigen::MatrixXd orthonormal_basis_of(const Eigen::MatrixXd& columns);

/// The X with the least |A X - B|, where the columns of A are independent (Householder QR).
[[nodiscard]] Eigen::MatrixXd least_squares_of_independent(const Eigen::MatrixXd& matrix,
                                                           const Eigen::MatrixXd& right);

/// The shortest x with the least |A x - b|, for A of any shape and rank (complete orthogonal
/// decomposition).
[[nodiscard]] Eigen::VectorXd least_squares(const Eigen::MatrixXd& matrix,
                                            const Eigen::VectorXd& right);
[[nodiscard]] Eigen::MatrixXd least_squares(const Eigen::MatrixXd& matrix,
                                            const Eigen::MatrixXd& right);

/// A^+ of Moore and Penrose, n x m for A of m x n, of any rank.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse_of(const Eigen::MatrixXd& matrix);
/// (A^T)^+, m x n; its last digits are not those of A^+ transposed.
[[nodiscard]] Eigen::MatrixXd pseudo_inverse_of_transpose(const Eigen::MatrixXd& matrix);

/// At least one column, as QR with column pivoting takes them: each time the one that is farthest
/// from the span of those before it.
struct PivotedColumns {
  std::vector<Eigen::Index> order;  ///< all columns
  Eigen::Index rank;                ///< the first so many are independent
};
/// Distances of at most `tolerance` times the largest count as 0.
[[nodiscard]] PivotedColumns pivoted_columns_of(const Eigen::MatrixXd& matrix, double tolerance);

}  // namespace orrery::linalg
