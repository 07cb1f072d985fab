// Moment recovery over a polytope by the fully corrective conditional gradient (Halpern, Horng,
// Sontag 2015, App. F.2, Algorithm 2; Frank, Wolfe 1956; Jaggi 2013).
//
//   mu^0: R^-1 observed where that lies within the polytope; else, of pairs, the best tables given
//   the singles (pair_start), drawn towards independence until they do; else independence;
//   s <- argmin <s', grad f(mu^k)>; mu^{k+1} <- argmin f over the hull of all points seen.
//
// Departures from the paper: the hull is re-optimised at each step, not only when a vertex returns
// (a line search is one of the combinations that this tries); states found by local search are
// taken for s, several at a time, and the program is solved every few steps (by its cost), when no
// state promises more than half the gap asked for, or when 20 steps have gained less than a tenth
// of it. The duality gap <mu - s, grad f> is that of the program's bound, and f >= every bound met
// on the way, so the gap told is f less the best of them. Where the integer program's limit is
// used up and it has found nothing, the search ends with the gap reached.
//
// Cost of a step with m points kept: cells m^2 / 2 for each of a few quadratic programs, and a
// linear or integer program now and then. One processor runs it: at 1,000 ranks the others wait.
#pragma once

#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

/// `known_bound`: f is nowhere in the polytope less; minus infinity where nothing is known.
Recovery frank_wolfe(const Objective& objective, const ProductBasis& basis, LinearOracle& oracle,
                     const RecoveryOptions& options, double known_bound);

}  // namespace orrery::anchored
