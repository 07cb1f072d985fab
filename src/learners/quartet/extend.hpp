// EXTEND: from a quartet to all children of its cause.
#pragma once

#include <vector>

#include "learners/quartet/candidate.hpp"
#include "learners/quartet/mixture.hpp"
#include "orrery/moments/moment_source.hpp"
#include "orrery/moments/subtraction.hpp"

namespace orrery::quartet {

/// P(S off) of three variables, divided by the factors of the learned causes (JOINT and ADJUST for
/// a triplet); bit k of the mask is the k-th argument.
std::array<double, 8> adjusted_triplet(const moments::MomentSource& moments,
                                       const moments::Subtraction& learned, std::size_t a,
                                       std::size_t b, std::size_t x);
/// JOINT and ADJUST for a quartet.
moments::QuartetMoments adjusted_quartet(const moments::MomentSource& moments,
                                         const moments::Subtraction& learned,
                                         const std::array<std::uint32_t, 4>& members);

/// Failures of the cause for all m observed variables, 1 where there is no edge. The quartet's own
/// come from `cause`; x is a child if PMI(a, b) > CPMI(a, b | x) + tau_e for the quartet's first
/// two members, after subtracting the learned causes off.
std::vector<double> extend(const moments::MomentSource& moments,
                           const moments::Subtraction& learned, const CauseEstimate& cause,
                           const std::array<std::uint32_t, 4>& members, double tau_e);

}  // namespace orrery::quartet
