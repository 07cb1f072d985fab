// Causes that many pairs of variables show together, and none of them clearly: two that were
// learned as one, where both switch on little.
//
//   E   m x m: covariances that the network expects; E = R R^T, R lower triangular
//   C   those of the rows
//   W   sqrt(N) R^-1 (C - E) R^-T, where C - E is 0 on the diagonal
//
// If the network is right, W is noise, whose largest eigenvalue is about 2 sqrt(m) + m / sqrt(N)
// (Marchenko and Pastur 1967). A cause that is missing adds an eigenvalue, in whose direction v the
// rows vary more than expected; the children of the cause have the largest R v. Where one cause
// stands for two, children of one are at one end of R v, and those of the other at the other end.
// In the direction of a rare cause a few rows are far out, by chance more or fewer of them: how
// much the square of v^T R^-1 (x - mean) varies over the rows x says how much of an eigenvalue is
// chance.
//
// Cost: some 4 m^2 operations per direction and iteration, m^3 / 3, and m per direction and row of
// a sample of the rows; memory 40 m^2 bytes. Every rank does all but the latter by itself.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Seeds of causes of four children or more, one at each end of a direction that stands out, the
/// clearest direction first. None of more than
/// `most_component_variables` variables. Collective.
[[nodiscard]] std::vector<Elected> causes_of_components(const learning::LearnContext& context,
                                                        const model::NoisyOrNetwork& network);

/// Adds such causes to `state`, whose parameters have settled, refines and settles it again, as
/// long as that is worth what causes and edges cost and there is time, on trial also as long as
/// most of the dependence that was left goes. Whether parameters have settled then; nothing if
/// `state` is as it was. `pause` is called before each pass; a resumed run begins anew. Collective.
std::optional<bool> add_components(const learning::LearnContext& context, double alpha, Settle what,
                                   const std::function<void()>& pause, State& state);

}  // namespace orrery::quartet
