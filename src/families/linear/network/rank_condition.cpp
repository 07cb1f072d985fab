// Purpose: are there three blocks of variables, each of which tells all causes apart? (Condition 2)
// Source: Anandkumar, Hsu, Javanmard, Kakade 2013, Sec. 2.2.
// 1. By the graph: three blocks in each of which every cause has a variable of its own. It is
//    enough that each cause has three of its own (a flow); where it has not, a set S of causes with
//    |N(S)| < 3 |S| says so (Hall), whatever the loadings are.
// 2. By the numbers: loadings on such a graph may still be linearly dependent within a block.
//    From what is independent in the three blocks, rows are added (row_partition.hpp) until each
//    block has k independent rows, or none can be added: then no three blocks have them. The other
//    rows are dealt out; they can only help.
// Cost: an added row takes O(k^2 n), a singular value O(n k^2). Few are to be added: none, if the
//   loadings are generic.
#include <algorithm>
#include <limits>

#include "families/linear/network/expansion.hpp"
#include "families/linear/network/row_partition.hpp"
#include "families/linear/network/variable_owners.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::model {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Each cause's three variables, one per block.
RowBlocks first_blocks(const VariableOwners& owners) {
  RowBlocks blocks;
  for (const Rows& variables : owners.owned()) {
    for (std::size_t b = 0; b < n_row_blocks; ++b) blocks[b].push_back(variables[b]);
  }
  return blocks;
}

/// The rows that are in no block, each to the smallest.
void deal_out_the_rest(RowBlocks& blocks, std::size_t n) {
  std::vector<bool> is_dealt(n, false);
  for (const Rows& block : blocks) {
    for (const std::uint32_t row : block) is_dealt[row] = true;
  }
  for (std::uint32_t row = 0; row < n; ++row) {
    if (is_dealt[row]) continue;
    std::min_element(blocks.begin(), blocks.end(), [](const Rows& a, const Rows& b) {
      return a.size() < b.size();
    })->push_back(row);
  }
  for (Rows& block : blocks) std::sort(block.begin(), block.end());
}

/// The least singular value over the blocks, and whether none is singular as numbers go.
bool measure(const Eigen::MatrixXd& loadings, RankCondition& found) {
  bool regular = true;
  found.least_singular_value = std::numeric_limits<double>::infinity();
  for (const Rows& block : found.blocks) {
    const Eigen::VectorXd values = linalg::singular_values_of(rows_of(loadings, block));
    found.least_singular_value = std::min(found.least_singular_value, values.minCoeff());
    regular = regular && values.minCoeff() > rank_tolerance * values.maxCoeff();
  }
  return regular;
}

}  // namespace

RankCondition check_rank(const Eigen::MatrixXd& loadings) {
  RankCondition found;
  const Bipartite graph = bipartite_of(loadings);
  VariableOwners owners(graph);
  std::vector<std::uint32_t> lacking;
  for (std::uint32_t j = 0; j < graph.children.size(); ++j) {
    owners.give(j, n_row_blocks);
    if (owners.n_owned(j) < n_row_blocks) lacking.push_back(j);
  }
  if (!lacking.empty()) {
    found.holds = false;
    found.set = owners.reach(lacking);
    found.neighbours = neighbours_of(graph, found.set);
    return found;
  }
  if (loadings.cols() == 0) {
    deal_out_the_rest(found.blocks, graph.n_observed);
    return found;
  }
  RowPartition partition(loadings, first_blocks(owners));
  if (partition.complete()) {
    found.blocks = partition.blocks();
    deal_out_the_rest(found.blocks, graph.n_observed);
    found.holds = measure(loadings, found);
  } else {
    found.holds = false;
  }
  if (!found.holds) found.blocks = {};
  return found;
}

}  // namespace orrery::model
