// From sparse vectors of Col(L) to loadings in canonical form, with standard errors (ALGORITHM 1,
// steps 11 to 13, and what sampling errors ask for besides).
//
// A solution of a linear program is a vertex: k - 1 of its entries are exactly 0 and decide all
// others, however many more are 0 but for noise. So a column is fitted once more: of the unit
// vectors of Col(L) the one with the least sum of (s_i / e_i)^2 over all entries that are within
// two standard errors of 0, an eigenvector of k x k. Standard errors are those of the jackknife
// over groups of rows, with the same entries taken for 0; this is repeated until they settle.
//
// Canonical scaling: with A~ of these columns and B~ its left inverse, E[hh^T]~ = B~ L B~^T and
// A = A~ diag(E[hh^T]~)^1/2 (step 13; its L~ is L). The sign: a column's largest entry is positive.
// The order: by the first variable with a significant loading, then the next.
//
// Cost: G k (n k^2 + k^3) a repetition, G groups; at most ten repetitions. Memory: G n k.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "families/linear/linear_latent/low_rank_split.hpp"

namespace orrery::linear_latent {

/// The split of all rows, and without each group.
struct Splits {
  FactorSplit full;
  std::vector<FactorSplit> without;  ///< empty: exact moments
};

/// e_i: standard error of entry i of a unit vector of Col(L), on average over them: how far that
/// space turns away. 1e-7 at least.
[[nodiscard]] Eigen::VectorXd noise_level(const Splits& splits);

struct Loadings {
  Eigen::MatrixXd estimates;          ///< n x k
  Eigen::MatrixXd errors;             ///< n x k; empty: exact
  Eigen::MatrixXd significant;        ///< n x k: estimates, 0 where they are not significant
  Eigen::MatrixXd covariance;         ///< E[hh^T], k x k
  Eigen::MatrixXd covariance_errors;  ///< empty: exact
  /// E[hh^T] without each group, and A^+ of these, in the same order and with the same signs.
  std::vector<Eigen::MatrixXd> covariance_without;
  std::vector<Eigen::MatrixXd> estimates_without;
};

/// `w`: k x k, column j of A is B w_j up to scale, with B = splits.full.basis. `alpha`: level of
/// the tests of all n k entries together.
[[nodiscard]] Loadings fit_loadings(const Splits& splits, const Eigen::MatrixXd& w, double alpha);
/// Steps 11 to 13 to the letter: the columns are not fitted again. Standard errors are those of the
/// same vertices, the k - 1 least entries of each column being 0 without each group as well.
[[nodiscard]] Loadings loadings_as_solved(const Splits& splits, const Eigen::MatrixXd& w,
                                          double alpha);

}  // namespace orrery::linear_latent
