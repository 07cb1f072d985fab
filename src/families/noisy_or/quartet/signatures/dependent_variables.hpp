// Which variables of what the rows attribute to a cause, or to the leaks, depend on each other: the
// few in which a cause that hides there can be searched for.
//
// Cost: of the variables attributed in a row, their pairs, by all threads of all ranks, and a pass
// over the rows for each `band_pairs` pairs; memory 16 MB. At 1,000 ranks the sums break first:
// each rank sends m^2 / 2 counts of 4 bytes, and receives a thousandth of them.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/signatures/attribution.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// z of a count, variance stabilised (Anscombe 1948).
[[nodiscard]] double excess_z(double count, double expected);

/// Variables of pairs that come together more often than chance has it in the rows of all ranks,
/// ascending. m: variables. Collective; the same at every rank.
[[nodiscard]] std::vector<std::uint32_t> dependent_variables(const Attribution& rows, std::size_t m,
                                                             const parallel::Team& team,
                                                             int threads);

}  // namespace orrery::quartet
