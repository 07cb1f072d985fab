// Where Frank-Wolfe (frank_wolfe.hpp) begins, and what it tries before a program: a first point of
// pairs, and states found by local search.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

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

struct VertexSearch {
  std::size_t n_starts = 200;
  std::size_t n_kept = 60;
};

/// The best states found, distinct, lowest first (ties: by state). Starts are drawn with P(1) =
/// `on`, every fourth evenly; from each, single flips, then pairs of them, as long as one gains.
/// `round` numbers the call, for the draws. Cost a start: some n flips of n C(ones, K - 1).
std::vector<FoundState> search_vertices(const ProductBasis& basis, const LinearForm& form,
                                        std::span<const double> on, std::uint64_t round,
                                        const VertexSearch& search);

}  // namespace orrery::anchored
