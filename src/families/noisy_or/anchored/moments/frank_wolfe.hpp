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
// linear or integer program now and then. Ranks and threads share the Hessians of the quadratic
// programs and the search for states (shared_steps.hpp). Linear and integer programs, each of which
// goes on from the one before, and the active sets of quadratic programs are rank 0's, so that
// ranks help little: of the 90 s that the marginal polytope of 50 causes takes with one thread
// (anchored:tree:50,120, a third of the anchors violated, 10,000 rows, rates by labels) toulbar2
// has some 44, and two threads leave 77 s, two ranks 81 s.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

class SharedSteps;

/// `known_bound`: f is nowhere in the polytope less; minus infinity where nothing is known. At rank
/// 0, while the other ranks are in steps.serve().
Recovery frank_wolfe(const Objective& objective, const ProductBasis& basis, LinearOracle& oracle,
                     const RecoveryOptions& options, double known_bound, SharedSteps& steps);

// ---- where it begins, and what it tries before a program (frank_wolfe_steps.cpp)

// A first point for Frank-Wolfe over the local polytope of pairs. Given the single P(1), each
// pair's best table is a problem of one unknown, P(both), between max(0, a + b - 1) and min(a, b):
// what is left is a convex function of the n singles, lowered one at a time. That is the polytope's
// minimum to the tolerance below, which one minimum cut then certifies; no step of Frank-Wolfe
// comes near it as cheaply. (The pairs' minima have kinks in the singles where a bound changes:
// there this may stop early, and Frank-Wolfe goes on.)
//
// Cost: a sweep takes 30 n^2 problems of one unknown, some 10 evaluations each.

/// Of order 1 or 2. Sweeps until one gains less than `gain` nats, at most 50.
Eigen::VectorXd pair_start(const Objective& objective, const ProductBasis& basis, double gain);

// States of the variables at which a linear function of their tables is low, by local search: no
// promise that a state is best, but any that lies below the present point is a step down for
// Frank-Wolfe, in every polytope that holds the marginal one, at a thousandth of a program's cost.

struct FoundState {
  std::vector<std::uint8_t> state;
  double value = 0;  ///< of the form
};

constexpr std::uint64_t starts_per_round = 200;

/// The state found from one start of a round: drawn with P(1) = `on`, every fourth start evenly,
/// and changed by single flips, then pairs of them, as long as one gains. The round and the start
/// number the draws. Cost: some n flips of n C(ones, K - 1).
FoundState search_from_start(const ProductBasis& basis, const LinearForm& form,
                             std::span<const double> on, std::uint64_t round, std::uint64_t start);

/// The best 60, distinct, lowest first (ties: by state).
std::vector<FoundState> best_states(std::vector<FoundState> found);

}  // namespace orrery::anchored
