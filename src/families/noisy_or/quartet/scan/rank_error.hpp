// How far the rank statistic of a quartet may be off for the rows that were drawn.
#pragma once

#include <array>
#include <cstdint>

#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {

/// Standard error of rank_statistic() of the quartet with these causes subtracted off, whose
/// parameters count as exact; 0 of exact moments. Four triple moments and one quartet moment.
[[nodiscard]] double rank_statistic_error(const moments::MomentSource& moments,
                                          const moments::Subtraction& learned,
                                          const std::array<std::uint32_t, 4>& members);

}  // namespace orrery::quartet
