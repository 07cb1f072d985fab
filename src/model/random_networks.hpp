// Networks whose structure or parameters are drawn: a function of `seed` alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// Rows of the random streams; the causes have those below.
inline constexpr std::uint64_t network_row = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t first_observed_row = std::uint64_t{1} << 41U;

std::vector<Observed> default_observed(std::uint32_t n, double leak);
std::vector<Cause> default_causes(std::uint32_t n, double prior);

/// con:L and its ranges; `argument` is what follows "con:".
NoisyOrNetwork constant_degree_network(std::string_view argument, std::uint64_t seed);
/// 64 variables, 8 causes, an edge with probability 0.25.
NoisyOrNetwork uniform_network(std::uint64_t seed);
/// 70 variables, 8 causes, resembling the network that Buhai et al. (2020) learned from Plants.
NoisyOrNetwork plant_network(std::uint64_t seed);
/// `n` independent variables, no cause.
NoisyOrNetwork independent_network(std::uint32_t n, std::uint64_t seed);

}  // namespace orrery::model
