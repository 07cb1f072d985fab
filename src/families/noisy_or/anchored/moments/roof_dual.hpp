// Linear functions over the local polytope of pairs, by a minimum cut instead of a linear program:
// its vertices have coordinates 0, 1/2 and 1, and the program's value is the roof dual of the
// quadratic function (Hammer, Hansen, Simeone 1984; network: Boros, Hammer 2002, Sec. 5).
//
// Each variable has a node for y and one for its complement; a term a u v of the posiform (a > 0;
// u, v: variables or complements) gives arcs u -> not v and v -> not u of capacity a / 2. Literals
// that the source reaches in the residual network are true; variables of which neither literal is
// reached are 1/2. Capacities are integers, 2^40 for the largest coefficient: exact flows, and the
// same on every machine.
//
// Cost: push-relabel on 2 n + 2 nodes and 2 n (n + 1) arcs; 50 variables: some ms. Memory n^2.
#pragma once

#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

class RoofDual : public LinearOracle {
 public:
  /// Of order 1 or 2. Must be outlived by `basis`.
  explicit RoofDual(const ProductBasis& basis) : basis_(basis) {}

  Minimum minimise(const LinearForm& form, double target) override;
  bool contains(const Eigen::VectorXd& products) override;
  [[nodiscard]] std::uint32_t steps_between() const override { return 1; }

 private:
  const ProductBasis& basis_;
};

/// Whether consistent tables have no cell below 0: all that the local polytope asks of them.
bool is_nonnegative(const ProductBasis& basis, const Eigen::VectorXd& products);

}  // namespace orrery::anchored
