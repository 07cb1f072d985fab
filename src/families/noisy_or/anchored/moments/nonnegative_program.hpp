// Quadratic programs over the nonnegative orthant by an active set, as Lawson, Hanson 1974 (ch. 23)
// solve least squares.
#pragma once

#include <Eigen/Core>

namespace orrery::anchored {

/// The x >= 0 that minimises g^T (x - start) + (x - start)^T H (x - start) / 2, which at x is at
/// most 0. H: positive semidefinite, its lower triangle given; where it is singular 1e-12 of its
/// largest diagonal entry is added. `start` >= 0. Written in steps from `start`, so that a small
/// gradient keeps its digits. Cost: m^3 / 6 for each time that entries
/// leave 0 or 64 of them return to it, 4 m^2 for each that returns; at most 3 m + 20 changes.
/// Memory m^2.
Eigen::VectorXd nonnegative_minimum(const Eigen::MatrixXd& hessian, const Eigen::VectorXd& gradient,
                                    const Eigen::VectorXd& start);

}  // namespace orrery::anchored
