// A first point for Frank-Wolfe over the local polytope of pairs. Given the single P(1), each
// pair's best table is a problem of one unknown, P(both), between max(0, a + b - 1) and min(a, b):
// what is left is a convex function of the n singles, lowered one at a time. That is the polytope's
// minimum to the tolerance below, which one minimum cut then certifies; no step of Frank-Wolfe
// comes near it as cheaply. (The pairs' minima have kinks in the singles where a bound changes:
// there this may stop early, and Frank-Wolfe goes on.)
//
// Cost: a sweep takes 30 n^2 problems of one unknown, some 10 evaluations each.
#pragma once

#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

/// Of order 1 or 2. Sweeps until one gains less than `gain` nats, at most 50.
Eigen::VectorXd pair_start(const Objective& objective, const ProductBasis& basis, double gain);

}  // namespace orrery::anchored
