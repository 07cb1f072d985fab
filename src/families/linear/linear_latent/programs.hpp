// The linear programs of ALGORITHM 1, step 4, by COIN-OR's CLP:
//   min_w |B w|_1  subject to  c^T w = 1,   L = B B^T,
// with c = e_i^T B for the i-th. Any B with these products will do for L^1/2: w changes by a
// rotation and B w does not. As a program: s = B w = p - q with p, q >= 0, min u^T (p + q), with
// weights u (1 in the paper; columns.hpp).
//
// One object solves many programs: c is a row of it and u its objective, and the last solution,
// scaled, is a vertex of the next program; so the primal simplex method goes on from its basis.
// A program's solution depends on those solved before it in the last bits: who shares programs out
// must deal the same programs in the same order to an object (columns.cpp).
//
// Cost: n + 1 rows and k + 2n columns, of which k are dense; tens of pivots of O(n k) each from the
// last basis, some n + k from scratch.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

namespace orrery::linear_latent {

class SparsePrograms {
 public:
  enum class Status : std::uint8_t { solved, infeasible, unbounded, stopped };

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

}  // namespace orrery::linear_latent
