// The observed variables and the edges of a noisy-OR network, as the JSON of every family with such
// loadings has them.
#pragma once

#include <string>
#include <vector>

#include "model/json_entry.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {

/// [{"name", "leak"}, ...], at least one; each throws InputError.
std::vector<Observed> read_observed(const JsonEntry& list);
/// [[cause, observed, failure], ...]
std::vector<Edge> read_edges(const JsonEntry& list);

/// The items of these lists; "leak_error" too where it is known.
std::vector<std::string> observed_items(const NoisyOrNetwork& network,
                                        const StandardErrors& errors);
std::vector<std::string> edge_items(const NoisyOrNetwork& network);

}  // namespace orrery::model
