// Weights of a mixture of known components: minimises over the probability simplex
//
//   phi(w) = - sum_a c_a log (A w)_a,        a: cells, columns of A: what each component gives
//   them.
//
// Every convex program of moment recovery has this form: one table within the simplex (A = R_Z, a
// component each joint state) and the corrective step of Frank-Wolfe (a component each vertex; a
// regulariser adds cells). Sources: exponentiated gradient, Kivinen, Warmuth 1997 (Information and
// Computation 132), with the step control of Lu, Freund, Nesterov 2018 (relative smoothness);
// sequential quadratic programming, Kim, Carbonetto, Stephens, Anitescu 2020 ("mix-SQP"): with C =
// sum_a c_a, min phi(w) + C sum_j w_j over w >= 0 has the same minimiser, whose weights add up
// to 1.
//
// Certificate: max_j (-dphi/dw_j) - C bounds phi(w) - min phi, as phi is convex (the duality gap of
// Frank-Wolfe, Jaggi 2013). It is computed from the gradient alone, whatever method gave w.
//
// Cost of an iteration, rows x m components: exponentiated gradient 2 rows m; quadratic programming
// rows m^2 / 2 for the Hessian and m^3 / 6 for each change of the set of positive weights. Memory:
// rows m. One processor solves one program; who has more brings the Hessian (shared_steps.hpp).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>

namespace orrery::anchored {

struct Mixture {
  Eigen::Ref<const Eigen::MatrixXd> components;  ///< A >= 0: cells x components
  Eigen::Ref<const Eigen::VectorXd> counts;      ///< c > 0: cells
};

struct MixtureFit {
  Eigen::VectorXd weights;
  Eigen::VectorXd mean;  ///< A w
  double gap = 0;        ///< phi is at most this far above its least value
  std::uint32_t iterations = 0;
};

/// From `start`, where every cell is positive, until the gap is at most `gap` or the iterations are
/// used up: multiplicative steps, which reach the boundary in the limit only, at a linear rate.
MixtureFit exponentiated_gradient(const Mixture& mixture, const Eigen::VectorXd& start, double gap,
                                  std::uint32_t max_iterations);

/// Of phi where A w is `mean`, its lower triangle: m x m.
Eigen::MatrixXd hessian_of(const Mixture& mixture, const Eigen::VectorXd& mean);

/// The same, by whoever has more processors than one.
using HessianAt = std::function<Eigen::MatrixXd(const Eigen::VectorXd& mean)>;

/// As above by quadratic programs: weights of exactly 0, and a quadratic rate near the minimum.
/// Ends early where rounding leaves nothing to be gained. `hessian`: hessian_of() without it.
MixtureFit sequential_quadratic(const Mixture& mixture, const Eigen::VectorXd& start, double gap,
                                std::uint32_t max_iterations, const HessianAt& hessian = {});

/// The t in [0, 1] that minimises - sum_a c_a log (from + t (to - from))_a: the exact line search.
double best_step(const Eigen::Ref<const Eigen::VectorXd>& counts, const Eigen::VectorXd& from,
                 const Eigen::VectorXd& to);

}  // namespace orrery::anchored
