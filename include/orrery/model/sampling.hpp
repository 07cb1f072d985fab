// Ancestral samples of a noisy-OR network. Row r of seed s is the same whoever draws it.
#pragma once

#include <cstdint>

#include "orrery/data/bit_columns.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// Rows [first_row, first_row + n_rows) of the infinite sample with this seed, drawn by the OpenMP
/// threads of the caller. O(n_rows * (n + m + active edges)) at most: see src/model/sampling.cpp.
data::BitColumns sample_rows(const NoisyOrNetwork& network, std::uint64_t seed,
                             std::uint64_t first_row, std::size_t n_rows);

}  // namespace orrery::model
