// What is asked of the rows before the first iteration: counts, and rows to begin from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "families/noisy_or/variational_em/parameters.hpp"
#include "learning/row_sums.hpp"

namespace orrery::variational_em {

/// What is counted in the rows learned from.
struct Counts {
  double n_rows = 0;
  double n_held_out = 0;
  std::vector<double> on;        ///< rows in which a variable is on
  std::vector<double> observed;  ///< rows in which it is known
};

[[nodiscard]] constexpr bool is_held_out(std::uint64_t row) { return row % 10 == 9; }

/// Sums over the rows, or nothing if the run was asked to stop: the rows left are then skipped.
/// Collective.
[[nodiscard]] std::optional<std::vector<double>> sum_unless_stopped(
    const learning::RowPass& rows, std::size_t n_sums, const learning::RowPass::Work& work);

/// Nothing if the run was asked to stop in the middle. Collective.
[[nodiscard]] std::optional<Counts> count_rows(const learning::RowPass& rows,
                                               std::size_t n_observed, bool hold_out);
/// Where each restart begins: every cause as a likeness of a row, drawn by (seed, restart), of
/// those learned from. Nothing if the run was asked to stop in the middle. Collective.
[[nodiscard]] std::optional<std::vector<Parameters>> draw_starts(const learning::RowPass& rows,
                                                                 std::uint64_t seed,
                                                                 std::size_t n_restarts,
                                                                 std::size_t n_causes,
                                                                 const Counts& counts);

}  // namespace orrery::variational_em
