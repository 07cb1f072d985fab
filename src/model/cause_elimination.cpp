// Purpose: exact sums over the states of a network of causes.
// Method: an order of elimination and a table for each step of it
//         (clique_tree.hpp), then passes through the tables with weights.
// Cost: O(sum of 2^|clique|) a pass.
// At 1,000 ranks: nothing here is shared; every rank that asks makes its own tables.
#include "model/cause_elimination.hpp"

#include <fmt/format.h>

#include <cassert>

#include "model/clique_tree.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
CauseElimination::CauseElimination(const CauseNetwork& network) : n_causes_(network.n_causes()) {
  const EliminationOrder order = min_fill_order(network, max_width);
  width_ = order.width;
  if (width_ > max_width) return;
  std::size_t n_cells = 0;
  for (const std::vector<std::uint32_t>& clique : order.cliques) {
    n_cells += std::size_t{1} << clique.size();
  }
  if (n_cells <= max_cells) tree_ = std::make_shared<const CliqueTree>(network, order);
}

const CliqueTree& CauseElimination::tree() const {
  if (tree_ != nullptr) return *tree_;
  throw InputError(fmt::format(
      "exact sums over {} causes need tables of {} of them or more at once ({} and {} numbers in "
      "all are possible): take a network with fewer parents per cause (a tree always works), or "
      "samples of it",
      n_causes_, width_, max_width, max_cells));
}

double CauseElimination::expectation(std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  return CliquePass(tree()).up(weights).value();
}

std::vector<double> CauseElimination::table(std::span<const std::uint32_t> set,
                                            std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  if (set.size() > max_width) {
    throw InputError(fmt::format("a table of {} causes at once; at most {} are possible",
                                 set.size(), max_width));
  }
  CliquePass pass(tree());
  std::vector<CauseWeight> with(weights.begin(), weights.end());
  std::vector<double> cells(std::size_t{1} << set.size());
  for (std::size_t state = 0; state < cells.size(); ++state) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::size_t value = (state >> i) & 1U;
      with[set[i]] = {0, 0};
      with[set[i]][value] = weights[set[i]][value];
    }
    cells[state] = pass.up(with).value();
  }
  return cells;
}

std::vector<double> CauseElimination::posteriors(std::span<const CauseWeight> weights) const {
  assert(weights.size() == n_causes_);
  CliquePass pass(tree());
  if (pass.up(weights).mantissa == 0) {
    throw InputError(
        "what is given of the causes has probability 0 in their network; look for probabilities of "
        "0 or 1 in its tables");
  }
  std::vector<double> on(n_causes_);
  pass.down(on);
  return on;
}

}  // namespace orrery::model
