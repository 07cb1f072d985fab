// The M-step of one restart from the sums of a pass.
#pragma once

#include <span>

#include "families/noisy_or/variational_em/parameters.hpp"
#include "families/noisy_or/variational_em/start.hpp"

namespace orrery::variational_em {

/// The parameters that raise the bound from `at`, whose sums these are: `lane` of a group of
/// SumLayout::size() sums.
[[nodiscard]] Parameters maximise(const Parameters& at, const Counts& counts,
                                  std::span<const double> sums, std::size_t lane);

}  // namespace orrery::variational_em
