// Samples of categories in words.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "store/categorical.hpp"

namespace orrery::commands {

/// Of every column its categories, how often each is there, and how many values are missing.
nlohmann::json describe_table(const store::StoredTable& stored);
/// The same as text; the first columns only, unless all are asked for.
void print_table(const nlohmann::json& table, bool every_column);

}  // namespace orrery::commands
