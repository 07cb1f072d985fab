#include "orrery/model/tree_tables.hpp"

#include <algorithm>

#include "model/tree_signs.hpp"

namespace orrery::model {
namespace {

/// Cells that rounding made negative are 0.
ConditionalTable given_parent(double parent_mean, double mean, double moment) {
  ConditionalTable table;
  for (std::size_t up = 0; up < 2; ++up) {
    const double x = sign_of(up);
    std::array<double, 2> cell{};
    for (std::size_t value = 0; value < 2; ++value) {
      const double y = sign_of(value);
      cell[value] = std::max(0.0, 1 + x * parent_mean + y * mean + x * y * moment);
    }
    for (std::size_t value = 0; value < 2; ++value) {
      table[up][value] = cell[value] / (cell[0] + cell[1]);
    }
  }
  return table;
}

}  // namespace

TreeTables tables_of(const SignTree& tree) {
  TreeTables tables{tree.parents(), tree.after_parents(), {}};
  tables.given.reserve(tree.n_variables());
  for (std::size_t i = 0; i < tree.n_variables(); ++i) {
    const std::uint32_t parent = tree.parents()[i];
    const double mean = tree.means()[i];
    if (parent == SignTree::none) {
      const std::array<double, 2> own{(1 - mean) / 2, (1 + mean) / 2};
      tables.given.push_back({own, own});
    } else {
      tables.given.push_back(
          given_parent(tree.means()[parent], mean, tree.edges()[tree.parent_edges()[i]].moment));
    }
  }
  return tables;
}

}  // namespace orrery::model
