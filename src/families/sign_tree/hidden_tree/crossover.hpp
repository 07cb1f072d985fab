// The crossover probability, where the data tell it.
//
// With one q for all variables and kappa = (1-2q)^2, Eq. (12) gives observed covariances
// c_ij = kappa cov(X_i, X_j) for every pair i != j. On a path i - k - j of the tree
// cov(X_i, X_j) = cov(X_i, X_k) cov(X_k, X_j) / var(X_k) and var(X_k) = 1 - E[Y_k]^2 / kappa, so
//   kappa = (c_ik c_kj + E[Y_k]^2 c_ij) / c_ij
// exactly: kappa is identified by any path of two edges whose correlations are not 0. A single edge
// does not tell it: kappa and the hidden correlation enter its table as a product only. So there is
// nothing to estimate with two variables, or in a forest of single edges.
#pragma once

#include <vector>

#include "families/sign_tree/hidden_tree/rows.hpp"

namespace orrery::hidden_tree {

struct Crossover {
  double q = 0;
  double error = 0;  ///< standard error; 0: q was given
};

/// Paths of two edges.
struct Path {
  std::uint32_t end;
  std::uint32_t middle;
  std::uint32_t other_end;
};
/// For each variable its neighbours in the tree in turn, each with the next one: p - 2 paths, on
/// which every edge is at most four times; of more than 4,096 that many, evenly spread.
[[nodiscard]] std::vector<Path> paths_of(const std::vector<Edge>& tree, std::size_t p);

/// Over all paths the least squares of kappa c_ij = c_ik c_kj + E[Y_k]^2 c_ij: strong paths count
/// most. Its bias (c_ij is in both) and its standard error are those of the jackknife over 50
/// groups of rows (Quenouille 1956, Tukey 1958), which knows that paths share rows. `uniform`: E[Y]
/// = 0. Throws InputError, saying why, if q is not identified. Collective.
[[nodiscard]] Crossover estimate_crossover(const learning::DataContext& context, const Rows& rows,
                                           const std::vector<Edge>& tree, bool uniform);

}  // namespace orrery::hidden_tree
