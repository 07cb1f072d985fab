// What a categorical network, or a table of categories, is, in a few lines; and what is said of a
// network that was just learned.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "orrery/model/categorical_network.hpp"
#include "orrery/store/categorical.hpp"

namespace orrery::cli {

/// Numbers of causes, variables, edges; evidence; where it came from.
nlohmann::json categorical_info_json(const model::LearnedCategorical& learned);
/// The same as text.
std::string describe_categorical_info(const nlohmann::json& info);

/// Of every column its categories, how often each is there, and how many values are missing.
nlohmann::json describe_table(const store::StoredTable& stored);
void print_table(const nlohmann::json& table, bool every_column);

/// A line a cause with the variables below it, what the learner remarks, and where it was written;
/// or JSON.
void print_categorical_summary(const Arguments& arguments, const model::LearnedCategorical& learned,
                               const std::string& output, double seconds);

}  // namespace orrery::cli
