// Noisy-OR networks on the command line, and what their variables are among the columns of data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "family/family.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"

namespace orrery::noisy_or {

/// The network of a model; throws InputError, naming `source` and what it holds, if the model is of
/// another family.
model::LearnedModel require_network(const family::AnyModel& loaded, const std::string& source);
/// Of independent causes too.
model::LearnedModel require_independent(const family::AnyModel& loaded, const std::string& source);
/// A network of independent causes that `argument` names. `seed` is that of random generators.
/// Throws InputError or UsageError.
model::LearnedModel load_network(const std::string& argument, std::uint64_t seed);
/// The same at every rank. Collective.
model::LearnedModel load_network(const parallel::Team& team, const std::string& argument,
                                 std::uint64_t seed);

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

}  // namespace orrery::noisy_or
