// Networks as JSON: our own "orrery-network-1" and the layout of the published benchmark files
// (an object of named networks: priors, noise_failure = 1 - leak, failures[cause][observed]).
#pragma once

#include <filesystem>
#include <string>

#include "orrery/model/learned_model.hpp"

namespace orrery::model {

/// Reads either layout. `entry` selects one network of a benchmark file; it may be empty if the
/// file holds one only. Provenance ("depth", "quartet", "statistic", "support" of a
/// cause), standard errors and stability are read if present.
/// Throws InputError naming file, line (syntax) or entry (`causes[3].prior`), value and remedy.
LearnedModel read_network_json(const std::filesystem::path& path, const std::string& entry = "");
/// orrery-network-1, numbers with round-trip precision, one cause, variable or edge a line.
std::string to_network_json(const LearnedModel& model);

}  // namespace orrery::model
