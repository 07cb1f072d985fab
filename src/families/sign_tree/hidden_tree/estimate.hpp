// From the edges of the tree and their counts to its distribution.
#pragma once

#include <vector>

#include "families/sign_tree/hidden_tree/crossover.hpp"
#include "families/sign_tree/hidden_tree/options.hpp"
#include "families/sign_tree/hidden_tree/rows.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::hidden_tree {

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
