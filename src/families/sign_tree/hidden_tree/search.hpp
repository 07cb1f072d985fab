// The maximum spanning tree over all pairs of variables.
#pragma once

#include <string>
#include <vector>

#include "families/sign_tree/hidden_tree/rows.hpp"
#include "families/sign_tree/hidden_tree/sign_pair.hpp"

namespace orrery::hidden_tree {

/// p - 1 edges, the heaviest first, the same at every rank. `name` is that of its stage and of what
/// a checkpoint has of it. Throws Stopped. Collective.
[[nodiscard]] std::vector<Edge> find_tree(const learning::DataContext& context, const Rows& rows,
                                          const UniformWeights& weights, const std::string& name);
[[nodiscard]] std::vector<Edge> find_tree(const learning::DataContext& context, const Rows& rows,
                                          const FreeWeights& weights, const std::string& name);

}  // namespace orrery::hidden_tree
