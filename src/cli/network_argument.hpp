// NETWORK on the command line: a generator, a JSON file (one network of several by FILE:NAME), or
// an HDF5 file with a model.
#pragma once

#include <cstdint>
#include <string>

#include "orrery/model/learned_model.hpp"

namespace orrery::cli {

/// `seed` is that of random generators. Throws InputError or UsageError.
model::LearnedModel load_network(const std::string& argument, std::uint64_t seed);

}  // namespace orrery::cli
