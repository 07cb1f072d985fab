#include "families/linear/linear_latent/sparse_vectors.hpp"

#include <fmt/format.h>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "learning/stages.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

/// Where vertices coincide the simplex method can go round in circles.
int most_pivots(int n, int k) { return 1000 + 20 * (n + k); }

// What CLP keeps from one program to the next (ClpSimplex::dual, startFinishOptions): its factors
// and work areas; these are used again as they are while no coefficient of the program changes.
constexpr int keep = 1;
constexpr int keep_and_use = 1 + 2 + 4;

}  // namespace

struct SparsePrograms::Model {
  Eigen::MatrixXd basis;
  ClpSimplex simplex;
  Eigen::VectorXd last;    // w of the last program; empty: none was solved
  Eigen::VectorXd column;  // c of the last program, with its sign; empty with `last`

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
  // Columns: z, and y. Rows: B^T z - c y = 0.
  CoinPackedMatrix matrix(true, 0, 0);
  matrix.setDimensions(k, 0);
  std::vector<int> rows(static_cast<std::size_t>(k));
  std::iota(rows.begin(), rows.end(), 0);
  for (int i = 0; i < n; ++i) {
    const Eigen::VectorXd row = model_->basis.row(i);
    matrix.appendCol(k, rows.data(), row.data());
  }
  // c is filled in later; no entry may be dropped.
  matrix.appendCol(k, rows.data(), std::vector<double>(rows.size(), 1).data());
  const auto n_columns = static_cast<std::size_t>(n) + 1;
  std::vector<double> lower(n_columns, -1);
  std::vector<double> upper(n_columns, 1);
  std::vector<double> objective(n_columns, 0);
  lower.back() = -COIN_DBL_MAX;
  upper.back() = COIN_DBL_MAX;
  objective.back() = -1;
  const std::vector<double> right(rows.size(), 0);
  model_->simplex = ClpSimplex();
  model_->simplex.setLogLevel(0);
  model_->simplex.setMaximumIterations(most_pivots(n, k));
  model_->simplex.loadProblem(matrix, lower.data(), upper.data(), objective.data(), right.data(),
                              right.data());
  model_->last.resize(0);
  model_->column.resize(0);
}

SparsePrograms::Solution SparsePrograms::solve(const Eigen::VectorXd& direction,
                                               const Eigen::VectorXd& weights) {
  const int n = model_->n();
  const int k = model_->k();
  ClpSimplex& simplex = model_->simplex;
  // The program is the same for c and -c but for the sign of w. With the sign for which the last w
  // need only be scaled, the last basis is dual feasible: its reduced costs are those of the last
  // program, scaled.
  const double sign = model_->last.size() > 0 && model_->last.dot(direction) < 0 ? -1 : 1;
  const Eigen::VectorXd column = sign * direction;
  const bool is_the_last_one = model_->column.size() == k && model_->column == column;
  if (!is_the_last_one) {
    for (int j = 0; j < k; ++j) simplex.modifyCoefficient(j, n, -column[j], true);
    model_->column = column;
  }
  for (int i = 0; i < n; ++i) simplex.setColumnBounds(i, -weights[i], weights[i]);
  const auto run = [&](int kept) {
    simplex.dual(0, kept);
    pivots_ += static_cast<std::uint64_t>(simplex.numberIterations());
  };
  run(is_the_last_one ? keep_and_use : keep);
  if (!simplex.isProvenOptimal()) {  // a basis that has become ill-conditioned: from scratch
    simplex.allSlackBasis(true);
    run(keep);
  }
  // Where no w has c^T w = 1, y has no upper limit.
  Solution solution;
  solution.status = simplex.isProvenOptimal()          ? Status::solved
                    : simplex.isProvenDualInfeasible() ? Status::infeasible
                                                       : Status::stopped;
  if (solution.status != Status::solved) {
    forget();
    return solution;
  }
  solution.w = sign * Eigen::Map<const Eigen::VectorXd>(simplex.dualRowSolution(), k);
  model_->last = solution.w;
  return solution;
}

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t unit_programs = 16;  // warm starts within a unit alone
constexpr int most_reweightings = 20;
constexpr int most_settlings = 5;

double score_of(const VectorXd& s, const VectorXd& noise_level) {
  const auto powers = s.cwiseQuotient(noise_level).array().square().square().square();
  return (powers / (powers + 1)).sum();
}

/// Scaled to a unit vector B w.
Candidate rated(const ColumnSearch& search, VectorXd w) {
  w /= (search.basis * w).norm();
  const VectorXd s = search.basis * w;
  return {std::move(w), score_of(s, search.noise_level)};
}

/// Programs with weights 1 / (|s_i| + e_i) of the last solution s, from `best` on, first with
/// coarse noise levels (shares of the largest entry), which let the search leave what is sparse by
/// accident. The constraint is the program's own, or (none) that of s itself, which no longer holds
/// the search to the side that it began on.
void reweight(const ColumnSearch& search, SparsePrograms& programs, const VectorXd* direction,
              Candidate& best) {
  VectorXd s = search.basis * best.w;
  for (const double coarse : {.2, .05, 0.0}) {
    for (int i = 0; i < most_reweightings; ++i) {
      const double largest = s.cwiseAbs().maxCoeff();
      const VectorXd smooth = search.noise_level.cwiseMax(coarse * largest);
      const VectorXd weights = largest * (s.cwiseAbs() + smooth).cwiseInverse();
      const auto solution = programs.solve(
          direction != nullptr ? *direction : VectorXd(search.basis.transpose() * s), weights);
      if (solution.status != SparsePrograms::Status::solved) break;
      Candidate next = rated(search, solution.w);
      const VectorXd found = search.basis * next.w;
      const bool moved = std::abs(found.dot(s)) < 1 - 1e-12;
      if (next.score < best.score) best = std::move(next);
      s = found;
      if (!moved) break;
    }
  }
}

/// The unit vector that is least on the entries of `best` that may be 0, while that is sparser: a
/// vertex has k - 1 entries of exactly 0, which are off by their noise and turn all others.
void settle(const ColumnSearch& search, Candidate& best) {
  const Index n = search.basis.rows();
  const Index k = search.basis.cols();
  std::vector<Index> order(static_cast<std::size_t>(n));
  for (int i = 0; i < most_settlings; ++i) {
    const VectorXd sizes = (search.basis * best.w).cwiseAbs().cwiseQuotient(search.noise_level);
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index row) { return sizes[row]; });
    const Index small = (sizes.array() < 1).count();
    const std::span<const Index> zeros(order.data(),
                                       static_cast<std::size_t>(std::clamp(small, k - 1, n)));
    const MatrixXd scaled =
        search.noise_level(zeros).cwiseInverse().asDiagonal() * search.basis(zeros, Eigen::all);
    Candidate next = rated(search, linalg::spectrum_of(scaled.transpose() * scaled).vectors.col(0));
    if (next.score >= best.score) return;
    best = std::move(next);
  }
}

bool wants(const Polish& polish, const ColumnSearch& search, const Candidate& found) {
  if (!polish.wanted) return false;
  return polish.known.cols() == 0 ||
         (polish.known.transpose() * (search.basis * found.w)).cwiseAbs().maxCoeff() < alike;
}

/// What a unit gives for a program: its status; w and its score, once from where the program's
/// constraint holds the search, and once from where it may leave, which can be another column, and
/// the sparser one, but is not the one that was looked for.
std::size_t numbers_of_a_program(std::size_t k) { return 1 + 2 * (k + 1); }

void put(const Candidate& found, std::span<double> values) {
  std::copy_n(found.w.data(), values.size() - 1, values.begin());
  values.back() = found.score;
}

void solve_program(const ColumnSearch& search, SparsePrograms& programs, const Start& start,
                   const Polish& polish, std::span<double> values) {
  const auto solution = programs.solve(start.direction, start.weights);
  const auto k = static_cast<std::size_t>(search.basis.cols());
  values[0] = static_cast<double>(solution.status);
  if (solution.status != SparsePrograms::Status::solved) return;
  Candidate found = rated(search, solution.w);
  if (wants(polish, search, found)) reweight(search, programs, &start.direction, found);
  Candidate free = found;
  if (wants(polish, search, free)) reweight(search, programs, nullptr, free);
  if (polish.wanted) {
    settle(search, found);
    settle(search, free);
  }
  put(found, values.subspan(1, k + 1));
  put(free, values.subspan(k + 2, k + 1));
}

}  // namespace

std::vector<Candidate> run_programs(const ColumnSearch& search, const Workers& workers,
                                    const std::vector<Start>& starts, const Polish& polish,
                                    const std::string& stage,
                                    const std::function<std::string(std::size_t)>& describe) {
  const auto k = static_cast<std::size_t>(search.basis.cols());
  const std::size_t size = numbers_of_a_program(k);
  const std::size_t n_units = (starts.size() + unit_programs - 1) / unit_programs;
  const std::vector<double> values = learning::unit_values(
      workers, {stage, "units of 16 programs", n_units, unit_programs * size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> out) {
        SparsePrograms programs(search.basis);
        const std::size_t first = static_cast<std::size_t>(unit) * unit_programs;
        const std::size_t last = std::min(first + unit_programs, starts.size());
        for (std::size_t i = first; i < last; ++i) {
          solve_program(search, programs, starts[i], polish, out.subspan((i - first) * size, size));
        }
      });
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const double* solution = values.data() + i * size;
    const auto status = static_cast<SparsePrograms::Status>(static_cast<int>(solution[0]));
    if (status != SparsePrograms::Status::solved && !describe) continue;
    if (status != SparsePrograms::Status::solved) {
      throw InputError(fmt::format(
          "the linear program {} is {}: the low-rank part of the covariance is too ill-conditioned "
          "for it; give fewer --causes, or leave out columns that nearly repeat others",
          describe(i),
          status == SparsePrograms::Status::infeasible ? "infeasible"
                                                       : "not solved within CLP's limits"));
    }
    for (const double* first = solution + 1; first < solution + size; first += k + 1) {
      candidates.push_back({Eigen::Map<const VectorXd>(first, static_cast<Index>(k)), first[k]});
      if (!polish.wanted) break;
    }
  }
  return candidates;
}

}  // namespace orrery::linear_latent
