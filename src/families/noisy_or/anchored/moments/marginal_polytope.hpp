// The marginal polytope: a linear function's minimum is an integral vertex of the local polytope
// (Halpern, Horng, Sontag 2015, Sec. 3.2 and App. F.2; Belanger et al. 2013), found by toulbar2, as
// in the paper, or by COIN-OR's CBC.
//
// A target prunes what is of no use. If the backtracks or nodes are used up, the bound is that of
// what is left, and holds all the same; toulbar2's is then compared with that of the linear program
// with triangle inequalities (local_polytope.hpp). Exponential in the worst case: dense quadratic
// functions of 50 variables with coefficients of random sign take hours, but those that Frank-Wolfe
// ends with are sparse, as most tables then fit.
//
// Measured on `learn anchored` of anchored:tree:30,60, half of the anchors violated, 2,000 rows,
// rates by labels (two shared cores, AMD EPYC; CBC 2.10.8, CLP 1.17.6, toulbar2 1.1.1). Of 6 seeds
// 4 need integer programs; of 8 programs that they met:
//   CBC       53 to 90 s each, 7 not finished in 500 nodes; runs of 93 to 222 s, whose
//             gaps are 0.0037 to 0.0083 nats where 0.005 was asked for
//   toulbar2  0.8 to 2.6 s each, all proved; runs of 7 to 9 s, gaps of 0.0027 to 0.0037 nats
// The linear program first takes 0.3 to 2 s, pruned none of 12 programs, and so is left out.
#pragma once

#include <cstdint>
#include <filesystem>

#include "families/noisy_or/anchored/moments/local_polytope.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"
#include "families/noisy_or/anchored/moments/recovery.hpp"

namespace orrery::anchored {

// The least value of a polynomial of binary variables by the cost function networks of toulbar2
// (Hurley et al. 2016), a program of the system that is run once a polynomial: hybrid best-first
// search with soft local consistency, whose bounds are cheap, so that it looks at some ten thousand
// nodes a second.
//
// Its costs are integers. Coefficients are rounded down to multiples of a power of two, without
// error as numbers: the rounded polynomial is nowhere above the true one, so that its bounds hold
// for both. A state's value is that of the true one. Backtracks are limited, not seconds, so that
// the same polynomial has the same answer everywhere.

struct Toulbar2Limits {
  /// The rounded polynomial is at most this far below, unless the coefficients are so large that
  /// they would have more than 50 bits.
  double precision = 1e-4;
  /// About a minute for 50 variables.
  std::uint64_t backtracks = 500'000;
};

/// Where it is on the PATH. Throws EnvironmentError if it is not installed.
[[nodiscard]] std::filesystem::path find_toulbar2();

/// As LinearOracle::minimise, at most one vertex. Throws EnvironmentError if the program fails or
/// says what is not understood.
Minimum minimise_by_toulbar2(const std::filesystem::path& program, const ProductBasis& basis,
                             const LinearForm& form, double target, const Toulbar2Limits& limits);

// The polytope.

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
  [[nodiscard]] bool is_asked_at(std::uint32_t /*step*/) const override { return false; }

 private:
  Minimum by_toulbar2(const LinearForm& form, double target);
  Minimum by_cbc(const LinearForm& form, double target);

  const ProductBasis& basis_;
  LocalPolytope root_;
  std::filesystem::path toulbar2_;  ///< empty: CBC
  Toulbar2Limits limits_;
};

}  // namespace orrery::anchored
