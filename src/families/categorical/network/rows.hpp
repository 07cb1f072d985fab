// Rows of a table as a network's variables and categories number them.
#pragma once

#include <string>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::model {

/// The table with the network's variables and categories, in their order; both are matched by name.
/// A category that the table lists but no row has may be unknown to the network. Throws InputError
/// naming `source` and the columns that it lacks, or the first row with an unknown category, its
/// column and the category; columns that the network has not are warned of. O(N D) time, a copy of
/// the table.
[[nodiscard]] data::CategoricalTable in_order_of(const CategoricalNetwork& network,
                                                 const data::CategoricalTable& table,
                                                 const std::string& source);

}  // namespace orrery::model
