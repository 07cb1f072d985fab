// Rows of a linear network.
#pragma once

#include <cstdint>

#include "orrery/data/dense_block.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::model {

/// Rows first_row ... first_row + n_rows - 1: a row is a function of (seed, its number) alone. The
/// innovations (with a coupling), the highest level's independent parts (whose triangular root of
/// the covariance mixes them) and the noise of hidden levels follow the network's law; the noise of
/// observed variables is normal. Cost: O(n k) a row.
data::DenseBlock sample_linear_rows(const LinearNetwork& network, std::uint64_t seed,
                                    std::uint64_t first_row, std::size_t n_rows);

}  // namespace orrery::model
