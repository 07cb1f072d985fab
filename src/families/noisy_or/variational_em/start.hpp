// Where a fit begins: the parameters of a restart, and what is asked of the rows before the first
// iteration: counts, and rows to begin from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "learning/row_sums.hpp"

namespace orrery::variational_em {

// The parameters of one restart: a noisy-OR network in which every cause may have every child.

struct Parameters {
  std::size_t n_causes = 0;
  std::size_t n_observed = 0;
  std::vector<double> prior;    ///< n
  std::vector<double> failure;  ///< m x n: that of cause k and variable a at a * n + k
  std::vector<double> leak;     ///< m

  bool operator==(const Parameters&) const = default;
};

/// What the parameters may be. Within these a bound is finite; a failure beyond is no edge.
inline constexpr double least_prior = 1e-6;
inline constexpr double least_failure = 1e-6;
inline constexpr double most_failure = 1 - 1e-9;
inline constexpr double least_leak = 1e-6;

// The rows.

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
