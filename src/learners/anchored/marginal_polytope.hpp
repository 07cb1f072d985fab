// The marginal polytope: a linear function's minimum is an integral vertex of the local polytope
// (Halpern, Horng, Sontag 2015, Sec. 3.2 and App. F.2; Belanger et al. 2013), by branch and cut
// with COIN-OR's CBC on the single variables, whose integrality makes all products integral.
//
// The linear program with triangle inequalities (local_polytope.hpp) is the root; more triangles
// are separated at the nodes. A target prunes what is of no use. At most 500 nodes; if they are
// used up, the bound is that of the nodes left, and holds all the same. Exponential in the worst
// case: dense quadratic functions of 50 variables with coefficients of random sign take hours, but
// those that Frank-Wolfe ends with are sparse, as most tables then fit.
//
// Beside toulbar2, which the paper used, there is one program measured so far (30 causes in a tree,
// 2,000 rows, half of the anchors violated; two shared cores, AMD EPYC; CBC 2.10.8, CLP 1.17.6,
// toulbar2 1.1.1): local search .02 s, no state below the target (there is one, .0002 below); CBC
// 62 s, 500 nodes, not finished; toulbar2, costs rounded to 1e-6, 2.3 s, and proved. That speaks
// for toulbar2.
#pragma once

#include <filesystem>

#include "learners/anchored/local_polytope.hpp"
#include "learners/anchored/recovery.hpp"
#include "learners/anchored/toulbar2_program.hpp"

namespace orrery::anchored {

class MarginalPolytope : public LinearOracle {
 public:
  /// Throws EnvironmentError if the program is not installed.
  MarginalPolytope(const ProductBasis& basis, IntegerProgram program,
                   const Toulbar2Limits& limits = {});

  Minimum minimise(const LinearForm& form, double target) override;
  /// True where one table holds all variables and has no cell below 0, or of up to 4 where tables
  /// of pairs break no triangle inequality, which are all that there are (Deza, Laurent
  /// 1997, 30.6); else membership is as hard as the optimisation, and false.
  bool contains(const Eigen::VectorXd& products) override;
  /// Never before no state is found any more.
  [[nodiscard]] std::uint32_t steps_between() const override { return 0; }

 private:
  Minimum by_toulbar2(const LinearForm& form, double target);
  Minimum by_cbc(const LinearForm& form, double target);

  const ProductBasis& basis_;
  LocalPolytope root_;
  std::filesystem::path toulbar2_;  ///< empty: CBC
  Toulbar2Limits limits_;
};

}  // namespace orrery::anchored
