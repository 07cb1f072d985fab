// The least value of a polynomial of binary variables by COIN-OR's CBC: branch and cut on the
// single variables, whose integrality makes all products integral. The linear program with triangle
// inequalities (local_polytope.hpp) is the root; more triangles are separated at the nodes. At most
// 500 nodes; if they are used up, the bound is that of the nodes left, and holds all the same.
#pragma once

#include "families/noisy_or/anchored/moments/linear_oracle.hpp"

class ClpSimplex;

namespace orrery::anchored {

/// As LinearOracle::minimise, at most one vertex. `root`: the program with the form as its
/// objective.
Minimum minimise_by_cbc(const ClpSimplex& root, const ProductBasis& basis, const LinearForm& form,
                        double target);

}  // namespace orrery::anchored
