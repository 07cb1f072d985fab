// Sign trees from and to JSON; and files that may hold a model of any family.
#pragma once

#include <filesystem>
#include <string>

#include "orrery/model/any_model_fwd.hpp"

namespace orrery::model {

/// {"format": "orrery-tree-1", "crossover": q, "variables": [{"name", "mean"}],
///  "edges": [[a, b, E[X_a X_b]], ...]}; a name, a mean (0) and the crossover (0) may be left out.
/// Optional, as a learner writes them: crossover_error, edge_errors (in the order of the edges;
/// null: not known), remarks, learner, n_samples, data_digest. Throws InputError naming file,
/// entry, value, need.
LearnedTree read_tree_json(const std::filesystem::path& path);
/// That layout, a linear network's (linear_json.hpp), a categorical one's (categorical_json.hpp) or
/// a noisy-OR network's (network_json.hpp), told apart by "format". `entry`: as read_network_json.
AnyModel read_model_json(const std::filesystem::path& path, const std::string& entry = "");
/// Numbers with round-trip precision.
std::string to_tree_json(const LearnedTree& learned);

}  // namespace orrery::model
