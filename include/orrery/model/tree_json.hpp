// Sign trees from and to JSON.
#pragma once

#include <filesystem>
#include <string>

namespace orrery::model {

struct LearnedTree;

/// {"format": "orrery-tree-1", "crossover": q, "variables": [{"name", "mean"}],
///  "edges": [[a, b, E[X_a X_b]], ...]}; a name, a mean (0) and the crossover (0) may be left out.
/// Optional, as a learner writes them: crossover_error, edge_errors (in the order of the edges;
/// null: not known), remarks, learner, n_samples, data_digest. Throws InputError naming file,
/// entry, value, need.
LearnedTree read_tree_json(const std::filesystem::path& path);
/// Numbers with round-trip precision.
std::string to_tree_json(const LearnedTree& learned);

}  // namespace orrery::model
