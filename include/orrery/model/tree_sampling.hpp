// Samples of a sign tree. Row r of seed s is the same whoever draws it.
#pragma once

#include <cstdint>

#include "orrery/data/bit_columns.hpp"
#include "orrery/model/sign_tree.hpp"

namespace orrery::model {

/// Rows [first_row, first_row + n_rows) of the infinite sample with this seed, as they are observed
/// (with the channel's noise), drawn by the OpenMP threads of the caller. A bit that is on is +1.
/// O(n_rows * p).
data::BitColumns sample_tree_rows(const SignTree& tree, std::uint64_t seed, std::uint64_t first_row,
                                  std::size_t n_rows);
/// The hidden signs of the same rows: they do not depend on the crossover.
data::BitColumns sample_hidden_rows(const SignTree& tree, std::uint64_t seed,
                                    std::uint64_t first_row, std::size_t n_rows);

}  // namespace orrery::model
