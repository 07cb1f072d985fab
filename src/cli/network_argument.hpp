// NETWORK on the command line: a generator, a JSON file (one network of several by FILE:NAME), or
// an HDF5 file with a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "orrery/parallel/team.hpp"

namespace orrery::cli {

/// A network of independent causes. `seed` is that of random generators. Throws InputError or
/// UsageError.
model::LearnedModel load_network(const std::string& argument, std::uint64_t seed);
/// The same at every rank. Collective.
model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed);
/// The file that `argument` names, without a network's name behind it; empty for a generator.
std::string network_file(const std::string& argument);

/// The place among `names`, the columns of `data_source`, of each observed variable of `network`.
/// Columns that the network does not have are counted in a warning. Throws InputError listing the
/// differences if the data lack a variable.
std::vector<std::size_t> places_in_data(const model::NoisyOrNetwork& network,
                                        const std::vector<std::string>& names,
                                        const std::string& source, const std::string& data_source);
/// The network with the data's variables, in their order; `places` are places_in_data. A variable
/// that is not the network's has no edge, and leak 0.
model::NoisyOrNetwork align_to_data(const model::NoisyOrNetwork& network,
                                    const std::vector<std::string>& names,
                                    const std::vector<std::size_t>& places);

}  // namespace orrery::cli
