#include "families/noisy_or/anchored/moments/frank_wolfe.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/noisy_or/anchored/moments/mixture_weights.hpp"
#include "families/noisy_or/anchored/moments/objective.hpp"
#include "families/noisy_or/anchored/moments/product_basis.hpp"
#include "families/noisy_or/anchored/moments/shared_steps.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// The corrective step of Frank-Wolfe (Halpern, Horng, Sontag 2015, App. F.2): the point of least
// objective among the convex combinations of points of the polytope seen so far. As the objective
// is a sum of logarithms of linear functions, that is a mixture's weights (mixture_weights.hpp).
// Points that come out with weight 0 are dropped.
//
// Memory, m points (at most one more than the number of coordinates keep weight at a minimum):
// (cells + coordinates) m numbers; order 2, 50 variables: 6,300 a point.

class Hull {
 public:
  /// `start` must have a finite objective. References must outlive it.
  Hull(const Objective& objective, const ProductBasis& basis, const VectorXd& start,
       SharedSteps& steps)
      : points_(objective, basis), weights_(VectorXd::Ones(1)), steps_(steps) {
    points_.add(start);
  }

  void add(const VectorXd& products) {
    points_.add(products);
    weights_.conservativeResize(points_.size());
    weights_[points_.size() - 1] = 0;
  }

  /// Re-optimises over all points to a duality gap within their hull, or until `max_iterations`.
  void correct(double gap, std::uint32_t max_iterations) {
    const MixtureFit fit = sequential_quadratic(
        {points_.components(), points_.counts()}, weights_, gap, max_iterations,
        [this](const VectorXd& mean) { return steps_.hessian(points_, mean); });
    std::vector<Index> kept;
    for (Index j = 0; j < points_.size(); ++j) {
      if (fit.weights[j] > 0) kept.push_back(j);
    }
    points_.keep(kept);
    weights_ = fit.weights(kept);
  }

  [[nodiscard]] Index n_points() const { return points_.size(); }
  [[nodiscard]] VectorXd products() const { return points_.points() * weights_; }

 private:
  HullPoints points_;
  VectorXd weights_;
  SharedSteps& steps_;
};

/// Steps of quadratic programming between two steps of Frank-Wolfe: the hull changes anyway.
constexpr std::uint32_t corrections = 4;

const char* name_of(Polytope polytope) {
  switch (polytope) {
    case Polytope::simplex:
      return "simplex";
    case Polytope::local:
      return "local";
    case Polytope::local_cycles:
      return "local+cycles";
    case Polytope::marginal:
      return "marginal";
  }
  return "";
}

/// R^-1 observed of every set: no table fits better.
VectorXd unconstrained(const Objective& objective, const ProductBasis& basis) {
  model::SubsetTables tables = objective.anchors().observed;
  for (const auto& set : basis.sets()) remove_noise(tables.table(set), objective.rates_of(set));
  return basis.products(tables);
}

/// The fraction of the way from the independent tables to `target` that stays within the polytope.
VectorXd pulled_inside(const VectorXd& independent, const VectorXd& target, LinearOracle& oracle) {
  if (oracle.contains(target)) return target;
  double inside = 0;
  double outside = 1;
  while (outside - inside > 1e-3) {
    const double middle = (inside + outside) / 2;
    (oracle.contains(independent + middle * (target - independent)) ? inside : outside) = middle;
  }
  return independent + inside * (target - independent);
}

VectorXd first_point(const Objective& objective, const ProductBasis& basis, LinearOracle& oracle,
                     double gap) {
  VectorXd independent = basis.products(objective.independent());
  if (objective.regularise() == 0) {
    VectorXd exact = unconstrained(objective, basis);
    if (oracle.contains(exact)) return exact;
  }
  if (basis.order() > 2) return independent;
  return pulled_inside(independent, pair_start(objective, basis, gap / 100), oracle);
}

class Run {
 public:
  Run(const Objective& objective, const ProductBasis& basis, LinearOracle& oracle,
      const RecoveryOptions& options, double known_bound, SharedSteps& steps)
      : objective_(objective),
        basis_(basis),
        oracle_(oracle),
        options_(options),
        bound_(std::max(known_bound, 0.0)),  // KL is at least 0
        steps_(steps),
        hull_(objective, basis, first_point(objective, basis, oracle, options.gap), steps),
        progress_(std::string("cause_moments, ") + name_of(options.polytope), options.gap, "nats") {
  }

  Recovery minimise() {
    std::uint32_t step = 0;
    while (true) {
      look();
      if (gap() <= options_.gap || step >= options_.max_iterations) break;
      ++step;
      progress_.set(step, gap());
      if (!descend(step)) break;
      hull_.correct(options_.gap / 10, corrections);
    }
    return {std::move(tables_), value_, std::max(0.0, gap()), step};
  }

 private:
  [[nodiscard]] double gap() const { return value_ - bound_; }

  void look() {
    point_ = hull_.products();
    tables_ = basis_.tables(point_);
    for (double& cell : tables_.cells()) cell = std::max(cell, 0.0);  // rounding
    value_ = objective_.value(tables_);
  }

  /// Adds points that lie below; false if there are none, or the gap is small enough.
  bool descend(std::uint32_t step) {
    const LinearForm form = basis_.form(objective_.gradient(tables_));
    const double here = form(point_);
    const Index before = hull_.n_points();
    const bool stands = stands_still(step);
    const bool asks = stands || oracle_.is_asked_at(step);
    if (add_states(form, here, step) && !asks) return true;
    const Minimum minimum = oracle_.minimise(form, here - options_.gap / 2);
    bound_ = std::max(bound_, value_ - std::max(0.0, here - minimum.bound));
    log::verbose("Frank-Wolfe step {}: objective {:.6f}, gap {:.6f} nats, {} points", step, value_,
                 gap(), hull_.n_points());
    if (gap() <= options_.gap) return false;
    for (const VectorXd& vertex : minimum.vertices) hull_.add(vertex);
    if (stands && minimum.vertices.empty()) return false;  // the gap reached is told
    return hull_.n_points() > before;
  }

  /// States lie below, yet the last 20 steps have gained little by them.
  bool stands_still(std::uint32_t step) {
    if (step % 20 != 0) return false;
    const bool stands = before_ - value_ < options_.gap / 10;
    before_ = value_;
    return stands;
  }

  bool add_states(const LinearForm& form, double here, std::uint32_t step) {
    std::vector<double> on(basis_.n_variables());
    for (std::size_t i = 0; i < on.size(); ++i) {
      on[i] = std::clamp(point_[static_cast<Index>(i)], 0.0, 1.0);
    }
    bool any = false;
    for (const FoundState& found : steps_.search(form, on, step)) {
      if (here - found.value <= options_.gap / 2) break;
      hull_.add(basis_.vertex(found.state));
      any = true;
    }
    return any;
  }

  const Objective& objective_;
  const ProductBasis& basis_;
  LinearOracle& oracle_;
  const RecoveryOptions& options_;
  double bound_;
  SharedSteps& steps_;
  Hull hull_;
  VectorXd point_;
  model::SubsetTables tables_;
  double value_ = 0;
  double before_ = HUGE_VAL;  // value_ twenty steps ago
  GapProgress progress_;
};

}  // namespace

Recovery frank_wolfe(const Objective& objective, const ProductBasis& basis, LinearOracle& oracle,
                     const RecoveryOptions& options, double known_bound, SharedSteps& steps) {
  return Run(objective, basis, oracle, options, known_bound, steps).minimise();
}

}  // namespace orrery::anchored
