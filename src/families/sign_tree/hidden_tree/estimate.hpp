// From the edges of the tree and their counts to its distribution: the crossover probability, and
// the moments of the edges.
#pragma once

#include <vector>

#include "families/sign_tree/hidden_tree/options.hpp"
#include "families/sign_tree/hidden_tree/rows.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::hidden_tree {

// ---- the crossover probability, where the data tell it
//
// With one q for all variables and kappa = (1-2q)^2, Eq. (12) gives observed covariances
// c_ij = kappa cov(X_i, X_j) for every pair i != j. On a path i - k - j of the tree
// cov(X_i, X_j) = cov(X_i, X_k) cov(X_k, X_j) / var(X_k) and var(X_k) = 1 - E[Y_k]^2 / kappa, so
//   kappa = (c_ik c_kj + E[Y_k]^2 c_ij) / c_ij
// exactly: kappa is identified by any path of two edges whose correlations are not 0. A single edge
// does not tell it: kappa and the hidden correlation enter its table as a product only. So there is
// nothing to estimate with two variables, or in a forest of single edges.

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

// ---- edges

/// Edges whose observed signs are not independent at the level `alpha`: |z| of their correlation,
/// two-sided. The tree's edges are the largest of p (p-1) / 2 correlations, so the level is that of
/// all these tests together (Bonferroni): a tree over independent signs keeps an edge with
/// probability alpha at most. Hidden signs are independent where the observed ones are.
[[nodiscard]] std::vector<Edge> significant(const std::vector<Edge>& tree, double alpha,
                                            std::size_t p, Marginals marginals);

/// The estimator of Eq. (21), with standard errors by the delta method; with free marginals means
/// too. Says, at rank 0, what had to be clipped or brought into range. `path` names the data in
/// messages.
[[nodiscard]] model::LearnedTree estimate(const std::vector<Edge>& edges, const Rows& rows,
                                          const Crossover& crossover, Marginals marginals,
                                          const std::string& path, bool is_root);

}  // namespace orrery::hidden_tree
