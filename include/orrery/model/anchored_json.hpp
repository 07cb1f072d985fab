// Anchored networks from and to JSON.
#pragma once

#include <filesystem>
#include <string>

#include "orrery/model/anchored_network.hpp"

namespace orrery::model {

/// {"format": "orrery-anchored-1",
///  "causes": [{"name", "prior"}], "observed": [{"name", "leak"}],
///  "cause_tables": [{"parents": [causes], "on": [2^parents probabilities]}, ...],
///  "anchors": [{"cause", "observed", "columns": [names]}], "edges": [[cause, observed, failure]]}
/// Bit i of the place in "on" is the value of parent i; parents rise. Names, columns and priors may
/// be left out: a prior follows from the tables, and must agree with them; only of causes too
/// coupled for exact sums (cause_elimination.hpp) it is needed. Optional, as a learner writes them:
/// prior_error of a cause, leak_error of an observed variable, failure_errors of the whole (null:
/// not known); off, on, off_error, on_error and source of every anchor; moments_order, moments
/// ([[causes], [2^causes probabilities]] of every set, by size, then in colexicographic order);
/// remarks, learner, n_samples, data_digest. Throws InputError naming file, entry, value, need.
LearnedAnchored read_anchored_json(const std::filesystem::path& path);
/// Numbers with round-trip precision.
std::string to_anchored_json(const LearnedAnchored& learned);

}  // namespace orrery::model
