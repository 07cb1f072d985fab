// Built-in networks of the literature, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// img       8x8 grid, 8 causes: prior .25, failure .1, leak .001 (Singliar & Hauskrecht 2006;
///           Jernite et al. 2013, Fig. 3)
/// con:L     64 observed, 8 causes of L random children each: prior 1/8, failure .1, leak .001
///           (Buhai et al. 2020)
/// unif      64 observed, 8 causes, an edge with probability .25: priors U(.1, .3), 1 - failure
///           U(.8, .95), leak .001
/// bars:H    HxH grid, 2 H causes, each a full row or column: prior 1/H (at most .25), failure .1,
///           leak .001
/// Random parts are a function of `seed` alone. Empty if `spec` names no generator; throws
/// UsageError for a generator's name with arguments that it cannot take.
std::optional<NoisyOrNetwork> generate_network(const std::string& spec, std::uint64_t seed);
/// The names, for messages and help.
std::string generator_help();

}  // namespace orrery::model
