// The published benchmark networks as JSON: an object of named networks, {"NAME": {"priors": [n],
// "noise_failure": [m], "failures": [n][m]}, ...}, where noise_failure is 1 - leak and a failure of
// 1 is no edge. Keys that are not known are passed over.
#pragma once

#include <string>

#include "model/json_entry.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// One network of a file; `entry` may be empty if the file holds one only. Throws InputError naming
/// file, entry, value and remedy.
model::LearnedModel read_published_layout(const model::JsonEntry& root, const std::string& entry);

}  // namespace orrery::noisy_or
