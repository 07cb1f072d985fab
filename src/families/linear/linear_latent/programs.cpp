#include "families/linear/linear_latent/programs.hpp"

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <vector>

namespace orrery::linear_latent {
namespace {

/// Where vertices coincide the simplex method can go round in circles.
int most_pivots(int n, int k) { return 1000 + 20 * (n + k); }

}  // namespace

struct SparsePrograms::Model {
  Eigen::MatrixXd basis;
  ClpSimplex simplex;
  Eigen::VectorXd last;  // w of the last program; empty: none was solved

  [[nodiscard]] int n() const { return static_cast<int>(basis.rows()); }
  [[nodiscard]] int k() const { return static_cast<int>(basis.cols()); }
};

SparsePrograms::SparsePrograms(const Eigen::MatrixXd& basis) : model_(std::make_unique<Model>()) {
  model_->basis = basis;
  forget();
}
SparsePrograms::~SparsePrograms() = default;

void SparsePrograms::forget() {
  const int n = model_->n();
  const int k = model_->k();
  // Columns: w, p, q. Rows: B w - p + q = 0, and c^T w = 1.
  CoinPackedMatrix matrix(true, 0, 0);
  matrix.setDimensions(n + 1, 0);
  std::vector<int> rows(static_cast<std::size_t>(n) + 1);
  std::vector<double> column(rows.size(), 1);  // c is filled in later; no entry may be dropped
  for (int i = 0; i <= n; ++i) rows[static_cast<std::size_t>(i)] = i;
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = model_->basis(i, j);
    matrix.appendCol(n + 1, rows.data(), column.data());
  }
  for (const double sign : {-1.0, 1.0}) {
    for (int i = 0; i < n; ++i) matrix.appendCol(1, &i, &sign);
  }
  const auto n_columns = static_cast<std::size_t>(k) + 2 * static_cast<std::size_t>(n);
  std::vector<double> lower(n_columns, 0);
  std::fill_n(lower.begin(), k, -COIN_DBL_MAX);
  const std::vector<double> upper(n_columns, COIN_DBL_MAX);
  const std::vector<double> objective(n_columns, 0);
  std::vector<double> right(static_cast<std::size_t>(n) + 1, 0);
  right.back() = 1;
  model_->simplex = ClpSimplex();
  model_->simplex.setLogLevel(0);
  model_->simplex.setMaximumIterations(most_pivots(n, k));
  model_->simplex.loadProblem(matrix, lower.data(), upper.data(), objective.data(), right.data(),
                              right.data());
  model_->last.resize(0);
}

SparsePrograms::Solution SparsePrograms::solve(const Eigen::VectorXd& direction,
                                               const Eigen::VectorXd& weights) {
  const int n = model_->n();
  const int k = model_->k();
  ClpSimplex& simplex = model_->simplex;
  // The program is the same for c and -c but for the sign of w: the one that the last w satisfies,
  // scaled, spares the search for a first vertex.
  const double sign = model_->last.size() > 0 && model_->last.dot(direction) < 0 ? -1 : 1;
  for (int j = 0; j < k; ++j) simplex.modifyCoefficient(n, j, sign * direction[j], true);
  double* objective = simplex.objective();
  for (int i = 0; i < n; ++i) {
    objective[k + i] = weights[i];
    objective[k + n + i] = weights[i];
  }
  const auto run = [&] {
    simplex.primal();
    pivots_ += static_cast<std::uint64_t>(simplex.numberIterations());
  };
  run();
  if (!simplex.isProvenOptimal()) {  // a basis that has become ill-conditioned: from scratch
    simplex.allSlackBasis(true);
    run();
  }
  Solution solution;
  solution.status = simplex.isProvenOptimal()            ? Status::solved
                    : simplex.isProvenPrimalInfeasible() ? Status::infeasible
                    : simplex.isProvenDualInfeasible()   ? Status::unbounded
                                                         : Status::stopped;
  if (solution.status != Status::solved) {
    forget();
    return solution;
  }
  solution.w = sign * Eigen::Map<const Eigen::VectorXd>(simplex.primalColumnSolution(), k);
  model_->last = solution.w;
  return solution;
}

}  // namespace orrery::linear_latent
