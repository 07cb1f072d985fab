// Moments with the learned causes subtracted off: JOINT and ADJUST of Jernite, Halpern, Sontag 2013
// (Algorithm 1, lines 4 and 5; Eq. 3) for one triplet or quartet.
#pragma once

#include <array>
#include <cstdint>

#include "moments/joint_table.hpp"
#include "moments/mixture.hpp"
#include "moments/moment_source.hpp"
#include "moments/subtraction.hpp"

namespace orrery::moments {

/// P(S off) for the sets S of `members`, divided by the factors of the learned causes; bit k of a
/// set's mask is members[k]. One triple moment.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members);
/// The same with that triple moment given.
TripletMoments adjusted_triplet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 3>& members, double triple);
/// The same for four variables. Four triple moments and one quartet moment.
QuartetMoments adjusted_quartet(const MomentSource& moments, const Subtraction& learned,
                                const std::array<std::uint32_t, 4>& members);

}  // namespace orrery::moments
