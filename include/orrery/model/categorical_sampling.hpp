// Rows drawn from a categorical network; a row is a function of (seed, row) alone.
#pragma once

#include <cstdint>
#include <vector>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::model {

/// Rows [first_row, first_row + n_rows). `missing`: probability that a value is not there, each on
/// its own. `states`, if given, gets n_rows x n_causes.
[[nodiscard]] data::CategoricalTable sample_categorical(
    const CategoricalNetwork& network, std::uint64_t seed, std::uint64_t first_row,
    std::uint64_t n_rows, double missing = 0, std::vector<std::uint8_t>* states = nullptr);

}  // namespace orrery::model
