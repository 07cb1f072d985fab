// A distribution of binary variables along a forest as tables: each variable given its parent. What
// passes along a tree (samples, likelihoods, posteriors) starts from these.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// P(value | value of the parent), as [parent][value]; 1: on, the sign +1.
using ConditionalTable = std::array<std::array<double, 2>, 2>;

struct TreeTables {
  std::vector<std::uint32_t> parents;        ///< SignTree::none: a root
  std::vector<std::uint32_t> after_parents;  ///< the variables, each after its parent
  std::vector<ConditionalTable> given;       ///< of a root: both rows are its own distribution

  [[nodiscard]] std::size_t n_variables() const noexcept { return parents.size(); }
};

/// Of the hidden signs. Eq. (4), a pair over its parent.
TreeTables tables_of(const SignTree& tree);

}  // namespace orrery::model
