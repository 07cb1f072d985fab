// MODEL and NETWORK on the command line: a generator, a JSON file, or an HDF5 file with a model.
// Which family an argument names is decided here alone.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "family/family.hpp"
#include "parallel/team.hpp"
#include "store/store.hpp"

namespace orrery::family {

/// A generator's name, a JSON file (one network of several by FILE:NAME), or an HDF5 file with the
/// group of a family. `seed` is that of random generators, `sample` the arguments of a command that
/// has their options. Throws InputError or UsageError.
AnyModel load_model(const std::string& argument, std::uint64_t seed,
                    const Arguments* sample = nullptr);
/// The same at every rank. Collective.
AnyModel load_model(const parallel::Team& team, const std::string& argument, std::uint64_t seed,
                    const Arguments* sample = nullptr);
/// True if an HDF5 file has one of the families' groups.
bool holds_model(const store::FileContents& contents);
/// The model of an HDF5 file, in whichever of the families' groups. Throws InputError.
AnyModel read_model_file(const std::string& path);
/// True if `argument` is a built-in network, whatever file has its name. Throws UsageError for one
/// that is not written as its generator needs.
bool is_generator(const std::string& argument);
/// The file that `argument` names, without a network's name behind it; empty for a generator.
std::string model_file(const std::string& argument);
/// The arguments of all generators, for help.
std::string generator_help();

/// A model as an option that a result depends on: what it says, not where its file is.
std::pair<std::string, std::string> identity_of(const std::string& option, const AnyModel& model);
/// Of what it says.
std::uint64_t digest_of(const AnyModel& model);

}  // namespace orrery::family
