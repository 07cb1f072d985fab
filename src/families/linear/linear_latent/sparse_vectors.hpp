// Sparse vectors of Col(L) by linear programs, made sparser by further ones (columns.hpp says how
// the columns of A are chosen among them).
//
// A solution s of a program is made sparser by programs with the weights 1 / (|s_i| + e_i)
// (reweighted l1: Candes, Wakin, Boyd 2008), first with its own c, then with c = B^T s, while it
// moves; then it is fitted to all its entries within e_i of 0, where a vertex has k - 1 that are
// exactly 0 and turns with their noise. The score of a unit vector is sum_i x_i / (x_i + 1) with
// x_i = (s_i / e_i)^8, about the number of its entries beyond e_i: a lower power would count what
// hundreds of entries have of noise.
//
// Cost: some thirty programs for one that is made sparser. Memory: k + 2 doubles a program, and a
// program of n k entries per thread. Programs are dealt in units of 16; beyond n / 16 threads
// over all ranks there is no more to share.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "learning/stages.hpp"

namespace orrery::linear_latent {

// The linear programs of ALGORITHM 1, step 4, by COIN-OR's CLP:
//   min_w |B w|_1  subject to  c^T w = 1,   L = B B^T,
// with c = e_i^T B for the i-th. Any B with these products will do for L^1/2: w changes by a
// rotation and B w does not. With weights u (1 in the paper; columns.hpp) the dual program is
//   max y  subject to  B^T z = y c,  |z_i| <= u_i,
// which has k rows instead of the n + 1 of s = B w = p - q with p, q >= 0; w is what its rows are
// worth. Both have the same solutions; this one takes a third of the time or less.
//
// One object solves many programs: c is a column of it and u its bounds. The last w, scaled, is a w
// of the next program, so that the last basis is dual feasible there, and the dual simplex method
// goes on from it. A program's solution depends on those solved before it in the last bits: who
// shares programs out must deal the same programs in the same order to an object (columns.cpp).
//
// Cost: k rows and n + 1 dense columns; pivots of O(n k), three to some k of them from the last
// basis, two to three k from scratch.

class SparsePrograms {
 public:
  enum class Status : std::uint8_t { solved, infeasible, stopped };

  /// `basis`: B, n x k.
  explicit SparsePrograms(const Eigen::MatrixXd& basis);
  SparsePrograms(const SparsePrograms&) = delete;
  SparsePrograms& operator=(const SparsePrograms&) = delete;
  ~SparsePrograms();

  /// w, k numbers; `weights`: n, more than 0.
  struct Solution {
    Status status = Status::stopped;
    Eigen::VectorXd w;
  };
  [[nodiscard]] Solution solve(const Eigen::VectorXd& direction, const Eigen::VectorXd& weights);
  /// The next program starts from scratch (benchmarks).
  void forget();
  /// Pivots so far.
  [[nodiscard]] std::uint64_t n_pivots() const noexcept { return pivots_; }

 private:
  struct Model;
  std::unique_ptr<Model> model_;
  std::uint64_t pivots_ = 0;
};

using learning::Workers;

struct ColumnSearch {
  Eigen::MatrixXd basis;        ///< B, n x k
  Eigen::VectorXd noise_level;  ///< e_i, n: of the entries of a unit vector of Col(B)
  std::vector<bool> explained;  ///< variables with a low-rank part: the others start no program
  bool polish = true;
  bool in_order = false;  ///< any independent solutions, in the order of the variables: the paper's
  double independent = .3;  ///< least sine of the angle to the span of the columns kept
  std::uint64_t seed = 1;
  std::string name;  ///< of the stage
};

/// A unit vector B w.
struct Candidate {
  Eigen::VectorXd w;
  double score = 0;
};

/// What a program begins with: c, and the weights u of its objective.
struct Start {
  Eigen::VectorXd direction;
  Eigen::VectorXd weights;
};

/// Two vectors are one column, but for noise, if their cosine is this at least.
inline constexpr double alike = .995;

/// Which solutions are made sparser: none, or those that are not like one of these unit vectors.
struct Polish {
  bool wanted = false;
  Eigen::MatrixXd known{};  ///< side by side
};

/// One candidate for each start, in units shared by ranks and threads. `describe` names a
/// program in the InputError for one that has no solution; without it such a program
/// gives no candidate. Collective.
[[nodiscard]] std::vector<Candidate> run_programs(
    const ColumnSearch& search, const Workers& workers, const std::vector<Start>& starts,
    const Polish& polish, const std::string& stage,
    const std::function<std::string(std::size_t)>& describe);

}  // namespace orrery::linear_latent
