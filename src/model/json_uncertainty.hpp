// How sure a learner is of a network, as optional parts of its JSON: standard errors and stability.
// Values of edges stand in lists of their own, in the order of "edges", so that an edge stays
// [cause, observed, failure] to every reader.
#pragma once

#include <string>
#include <vector>

#include "model/json_entry.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {

/// A standard error; NaN of null (not known). Throws InputError.
double read_error(const JsonEntry& entry);
/// The position in a file's list of each edge that the network keeps: by (cause, observed), those
/// of failure 1 left out.
std::vector<std::size_t> kept_edges(const std::vector<Edge>& listed);

/// "prior_error" of a cause, "leak_error" of an observed variable, "failure_errors" of the whole;
/// null or absent: not known. Empty if there are none. Throws InputError.
StandardErrors read_errors(const JsonEntry& root, const std::vector<std::size_t>& kept);
/// "resamples" of the whole; with it "stability" of every cause and "edge_stability" of the whole.
Stability read_stability(const JsonEntry& root, const std::vector<std::size_t>& kept);

/// ", \"KEY\": VALUE" of entry `index`; empty if there are no values, null for what is no number.
std::string optional_field(const char* key, const std::vector<double>& values, std::size_t index);
/// The value as JSON.
std::string number_or_null(double value);

}  // namespace orrery::model
