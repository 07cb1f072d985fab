// Where a start begins: which variables belong together, by average linkage on their mutual
// information, and a state of each cluster's cause in every row.
//
// Cost: N' D^2 / 2 for the information (N' = 4,096 rows at most, evenly spread), D^3 for the
// linkage.
#pragma once

#include <cstddef>
#include <vector>

#include "base/random.hpp"
#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

/// N' times the mutual information of each two columns, less what independent ones are expected to
/// have ((L - 1) (L' - 1) / 2), not below 0: D x D.
[[nodiscard]] std::vector<double> mutual_information(const WeightedRows& observed);

/// A single-parent network of `n_causes` clusters of variables. `as_it_is`: of the information
/// itself; else each entry is multiplied by an exponential draw first, for another start.
[[nodiscard]] Start first_start(const data::CategoricalTable& table, const learning::RowShare& rows,
                                std::vector<double> information, std::size_t n_causes,
                                std::size_t cardinality, RowRandom& random, bool as_it_is);

}  // namespace orrery::structural_ep
