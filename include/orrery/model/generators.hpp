// Built-in networks of the literature, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// img       8x8 grid, 8 causes: prior 0.25, failure 0.1, leak 0.001 (Singliar & Hauskrecht 2006;
///           Jernite et al. 2013, Fig. 3)
/// con:L     64 observed, 8 causes of L random children each: prior 1/8, failure 0.1, leak 0.001
///           (Buhai et al. 2020). con:L,causes=N,prior=P,leak=P,failure=P,observed=M: each may be
///           left out, and each but observed= may be a range such as 8-24, drawn from uniformly:
///           a network's number of causes, a cause's L and prior, a variable's leak, an edge's
///           failure
/// unif      64 observed, 8 causes, an edge with probability 0.25: priors U(0.1, 0.3), 1 - failure
///           U(0.8, 0.95), leak 0.001 (Buhai et al. 2020)
/// img-unif  the images beside the causes of unif at prior 0.05 (Buhai et al. 2020)
/// plnt      70 observed, 8 causes of 21 to 3 children, few of them shared: priors U(0.066, 0.175),
///           failures U(0.02, 0.5), leaks log-uniform on (0.0005, 0.25); resembles PLNT of Buhai et
///           al. 2020
/// bars:H    HxH grid, 2 H causes, each a full row or column: prior 1/H (at most 0.25), failure
/// 0.1,
///           leak 0.001
/// qmr       570 causes, 4,075 observed, 45,470 edges, as learnable as aQMR-DT (Jernite et al.
///           2013, Table 1); qmr:CAUSES,OBSERVED,EDGES: as many. src/model/qmr_network.cpp has the
///           distributions
/// independent:M   M observed, no cause: leaks U(0.05, 0.5)
/// Random parts are a function of `seed` alone. Empty if `spec` names no generator; throws
/// UsageError for a generator's name with arguments that it cannot take.
std::optional<NoisyOrNetwork> generate_network(const std::string& spec, std::uint64_t seed);
/// The names, for messages and help.
std::string generator_help();

}  // namespace orrery::model
