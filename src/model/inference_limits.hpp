// What exact inference of one row may take, whichever way it goes.
#pragma once

namespace orrery::model {

/// Numbers that a thread may hold: 256 MiB by itself, 4 GiB if it must be exact.
inline constexpr double automatic_cells = 0x1p25;
inline constexpr double most_exact_cells = 0x1p29;
/// Multiply-adds of a row that must be exact: an hour or so.
inline constexpr double most_exact_work = 0x1p41;

}  // namespace orrery::model
