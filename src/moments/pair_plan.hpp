// Which columns are counted row by row and which by tiles: what costs least by a model of the two.
// It depends on the data alone, so that every rank has the same units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"

namespace orrery::moments {

/// Share of rows with a one, a column; of evenly spread rows, some 65,536 if there are more.
[[nodiscard]] std::vector<double> column_densities(const data::BitPanels& values);

/// [s]: nanoseconds of one core for all pairs of `n_rows` rows, if the s first columns are counted
/// row by row (pair_rows.hpp) and the others among themselves by tiles (pair_tiles.hpp).
/// `densities`: ascending.
[[nodiscard]] std::vector<double> split_costs(std::span<const double> densities,
                                              std::uint64_t n_rows);

}  // namespace orrery::moments
