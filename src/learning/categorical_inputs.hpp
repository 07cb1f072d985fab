// What learners of categorical networks ask of their data.
#pragma once

#include <cstddef>
#include <string>

#include "orrery/data/categorical_table.hpp"

namespace orrery::learning {

/// Throws InputError naming `source`, and the column or row (the first is 0): fewer than 2 rows, a
/// column without any value or whose values are all the same, a row without any value, more causes
/// than columns.
void require_learnable(const data::CategoricalTable& table, std::size_t n_causes,
                       const std::string& source);

}  // namespace orrery::learning
