// Causes that hide behind others: one that no learned cause stands for leaves variables that leak
// together. It is a cause in a sample of its own, of what the rows attribute to the leaks, and is
// searched for there by pair signatures. (One that was learned as a part of another:
// row_mixture.hpp.)
//
// Cost: of the variables attributed in a row, their pairs; then a SignatureSearch of the few
// variables that depend on each other. At rank 0 alone.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/signatures/attribution.hpp"

namespace orrery::quartet {

/// z of a count, variance stabilised (Anscombe 1948).
[[nodiscard]] double excess_z(double count, double expected);

/// Variables of pairs that come together more often than chance has it, ascending. m: variables.
[[nodiscard]] std::vector<std::uint32_t> dependent_variables(const Attribution& rows,
                                                             std::size_t m);

/// Causes of these rows as if nothing else were known; priors are shares of them. m: variables.
/// Does not depend on the order of the rows.
std::vector<Elected> causes_within(const Attribution& rows, std::size_t m, int threads);

}  // namespace orrery::quartet
