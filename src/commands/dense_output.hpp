// Samples of numbers in words.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "store/dense.hpp"

namespace orrery::commands {

/// Rows, missing values, and what is known of each column (null: it has no value). Reads and
/// verifies every block.
nlohmann::json describe_dense(const store::DenseReader& samples);
/// The same as text; the first columns only, unless all are asked for.
void print_dense(const nlohmann::json& samples, bool every_column);

}  // namespace orrery::commands
