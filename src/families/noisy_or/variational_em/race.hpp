// The race of the restarts: which of them are worth more iterations, and on how many rows that is
// found out. Bounds of restarts lie whole nats per row apart long before any of them has converged.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/variational_em/fit.hpp"

namespace orrery::variational_em {

/// The restarts race on every so many-th block of rows, and finish on all rows; 1: there are too
/// few rows for that.
[[nodiscard]] std::uint64_t race_step(std::uint64_t n_rows, std::size_t n_causes);
/// While they race; `tolerance` is raised.
[[nodiscard]] FitSettings race_settings(FitSettings settings);

/// Ends each restart that would not come to the best bound by `horizon` more gains like its last.
void give_up_hopeless(std::vector<Restart>& restarts, double horizon);

/// Those with about the highest bounds, to go on from their best parameters on other rows.
[[nodiscard]] std::vector<Restart> finalists(const std::vector<Restart>& raced);

}  // namespace orrery::variational_em
