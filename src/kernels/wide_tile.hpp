// Two tiles at once: a row panel with two column panels. What is loaded of the rows is used twice.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.hpp"

namespace orrery::kernels {

/// Adds to sums[stride * r + c] the popcount of row lane r AND column lane c over n_words words,
/// where columns 0 to 7 are the lanes of the first column panel, 8 to 15 those of the second.
/// `next_rows`: the row panel that is likely to be asked for next, brought near meanwhile.
using WideTile = void (*)(const std::uint64_t* row_panel, const std::uint64_t* first_columns,
                          const std::uint64_t* second_columns, std::size_t n_words,
                          const std::uint64_t* next_rows, std::uint32_t* sums, std::size_t stride);
/// That of an instruction set which this machine has: its own, or two calls of its Kernel::tile.
[[nodiscard]] WideTile wide_tile(Isa isa) noexcept;

}  // namespace orrery::kernels
