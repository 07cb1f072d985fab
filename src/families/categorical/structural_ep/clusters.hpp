// Which variables belong together: average linkage on their mutual information. It is only where
// inference starts from.
//
// Cost: N' D^2 / 2 for the information (N' = 4,096 rows at most, evenly spread), D^3 for the
// linkage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

/// N' times the mutual information of each two columns, less what independent ones are expected to
/// have ((L - 1) (L' - 1) / 2), not below 0: D x D.
[[nodiscard]] std::vector<double> mutual_information(const data::CategoricalTable& table);

/// A cluster's number for each of d variables, 0 to n_clusters - 1 (n_clusters <= d).
[[nodiscard]] std::vector<std::uint32_t> clusters(std::vector<double> similarity, std::size_t d,
                                                  std::size_t n_clusters);

/// Each similarity times an exponential draw: another start.
void disturb(std::vector<double>& similarity, std::size_t d, RowRandom& random);

}  // namespace orrery::structural_ep
