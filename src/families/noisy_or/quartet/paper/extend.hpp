// EXTEND: from a quartet to all children of its cause.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/paper/mixture.hpp"
#include "moments/moment_source.hpp"
#include "moments/subtraction.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// f_{L,x} of first <= x < last; 1 where x is no child.
std::vector<double> failures_of(const moments::MomentSource& moments,
                                const moments::Subtraction& learned, const CauseEstimate& cause,
                                const std::array<std::uint32_t, 4>& members, double tau_e,
                                std::size_t first, std::size_t last);

/// Failures of the cause for all m observed variables, 1 where there is no edge. The quartet's own
/// come from `cause`; x is a child if PMI(a, b) > CPMI(a, b | x) + tau_e in the median over the
/// quartet's pairs a, b, after subtracting the learned causes off. Ranks and threads share the
/// variables x. Collective.
std::vector<double> extend(const parallel::Team& team, int threads,
                           const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e);

}  // namespace orrery::quartet
