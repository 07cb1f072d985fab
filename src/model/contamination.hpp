// Rows that a model does not explain (IMG-FLIP of Buhai et al. 2020).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "orrery/data/bit_columns.hpp"

namespace orrery::model {

/// In a row, with probability `share`, the variables 0, step, 2 step, ... are the opposite of what
/// was drawn.
struct Contamination {
  double share = 0;
  std::size_t step = 1;
};

/// From "SHARE:STEP". UsageError naming option `form`, what is allowed, and `text`.
Contamination parse_contamination(std::string_view form, std::string_view text,
                                  std::size_t n_observed);

/// Flips them in the rows of `block`, of which the first is `first_row`. Whether a row is chosen
/// depends on the seed and its number alone.
void contaminate(data::BitColumns& block, const Contamination& contamination, std::uint64_t seed,
                 std::uint64_t first_row);

}  // namespace orrery::model
