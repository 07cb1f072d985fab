// Networks as JSON: our own "orrery-network-1" (and what earlier versions wrote of anchored
// networks, "orrery-anchored-1"), and the layout of the published benchmark files (an object of
// named networks: priors, noise_failure = 1 - leak, failures[cause][observed]).
#pragma once

#include <filesystem>
#include <string>

#include "orrery/model/learned_model.hpp"

namespace orrery::model {

/// Reads either layout. `entry` selects one network of a benchmark file; it may be empty if the
/// file holds one only. Provenance ("depth", "quartet", "statistic", "support" of a cause),
/// standard errors, stability, and what follows are read if present:
///  "cause_tables": [{"parents": [causes], "on": [2^parents probabilities]}, ...]: bit i of the
///   place in "on" is the value of parent i; parents rise. A prior follows from the tables, and
///   must agree with them; only of causes too coupled for exact sums (cause_elimination.hpp) it is
///   needed;
///  "anchors": [{"cause", "observed", "columns": [names]}, ...], each with its off, on, off_error,
///   on_error and source where they are known;
///  "moments_order", "moments": [[causes], [2^causes probabilities]] of every set, by size, then in
///   colexicographic order.
/// Throws InputError naming file, line (syntax) or entry (`causes[3].prior`), value and remedy.
LearnedModel read_network_json(const std::filesystem::path& path, const std::string& entry = "");
/// orrery-network-1, numbers with round-trip precision, one cause, variable or edge a line.
std::string to_network_json(const LearnedModel& model);

}  // namespace orrery::model
