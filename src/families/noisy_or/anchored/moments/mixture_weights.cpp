#include "families/noisy_or/anchored/moments/mixture_weights.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/decompositions.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class ActiveSet {
 public:
  ActiveSet(const MatrixXd& hessian, const VectorXd& gradient, const VectorXd& start)
      : hessian_(hessian),
        gradient_(gradient),
        start_(start),
        proximal_(1e-12 * hessian.diagonal().maxCoeff()),
        tolerance_(1e-14 * (1 + gradient.cwiseAbs().maxCoeff())),
        x_(start),
        free_(static_cast<std::size_t>(start.size())) {
    // All that wish to rise are let go at once; what then falls is held again in move().
    for (Index j = 0; j < start.size(); ++j) {
      free_[at(j)] = start[j] > 0 || gradient[j] < -tolerance_ ? 1 : 0;
    }
  }

  VectorXd minimise() {
    const Index limit = 3 * x_.size() + 20;
    for (Index changes = 0; changes < limit; ++changes) {
      if (!move()) continue;
      if (!let_go()) break;
      factored_.clear();
    }
    return x_;
  }

 private:
  static std::size_t at(Index j) { return static_cast<std::size_t>(j); }

  [[nodiscard]] VectorXd derivative() const {
    const VectorXd step = x_ - start_;
    return gradient_ + hessian_.selfadjointView<Eigen::Lower>() * step + proximal_ * step;
  }

  /// Frees entries at 0 whose rise would gain; false where none would. All of them, until a step
  /// was stopped at once; from then on the one that gains most, which ends in finitely many steps.
  bool let_go() {
    const VectorXd slope = derivative();
    Index best = -1;
    for (Index j = 0; j < x_.size(); ++j) {
      if (free_[at(j)] != 0 || slope[j] >= -tolerance_) continue;
      if (best < 0 || slope[j] < slope[best]) best = j;
      if (!one_by_one_) free_[at(j)] = 1;
    }
    if (best < 0) return false;
    free_[at(best)] = 1;
    return true;
  }

  /// Factors the Hessian of the free entries. Those held later are kept out of a step by one more
  /// solution each, not by another factor.
  void factor() {
    factored_.clear();
    for (Index j = 0; j < x_.size(); ++j) {
      if (free_[at(j)] != 0) factored_.push_back(j);
    }
    const auto n = static_cast<Index>(factored_.size());
    held_.clear();
    solutions_.resize(n, most_held);
    const double most = hessian_.diagonal().maxCoeff();
    double ridge = proximal_;
    while (ridge <= 1e3 * most) {
      MatrixXd part(n, n);
      for (Index j = 0; j < n; ++j) {  // factored_ rises: the lower triangle stays the lower one
        for (Index i = j; i < n; ++i) part(i, j) = hessian_(factored_[at(i)], factored_[at(j)]);
        part(j, j) += ridge;
      }
      factor_ = linalg::Cholesky(part);
      if (factor_.is_positive_definite()) return;
      ridge *= 100;
    }
  }

  void hold(Index place) {
    free_[at(factored_[at(place)])] = 0;
    if (held_.size() < most_held) {
      solutions_.col(static_cast<Index>(held_.size())) =
          factor_.solve(VectorXd(VectorXd::Unit(static_cast<Index>(factored_.size()), place)));
    }
    held_.push_back(place);
  }

  /// The step to the minimum over the free entries, which may leave the orthant; 0 for those held.
  [[nodiscard]] VectorXd aim() const {
    const VectorXd slope = derivative();
    VectorXd step = factor_.solve(VectorXd(-slope(factored_)));
    const auto n = static_cast<Index>(held_.size());
    if (n == 0) return step;
    const MatrixXd among = solutions_(held_, Eigen::seqN(0, n));
    const VectorXd forces = linalg::Ldlt(among).solve(step(held_));
    step -= solutions_.leftCols(n) * forces;
    step(held_).setZero();
    return step;
  }

  /// Towards the minimum over the free entries; false if some had to be held at 0 on the way.
  bool move() {
    if (factored_.empty() || held_.size() > most_held) factor();
    if (factored_.empty()) return true;
    const VectorXd step = aim();
    double share = 1;
    for (Index i = 0; i < step.size(); ++i) {
      const double from = x_[factored_[at(i)]];
      if (from + step[i] < 0) share = std::min(share, from / -step[i]);
    }
    if (share == 0) one_by_one_ = true;
    for (Index i = 0; i < step.size(); ++i) {
      double& entry = x_[factored_[at(i)]];
      if (free_[at(factored_[at(i)])] == 0) continue;
      const bool blocks = entry + step[i] < 0 && entry / -step[i] <= share;
      entry = blocks ? 0 : std::max(0.0, entry + share * step[i]);
      if (blocks) hold(i);
    }
    return share == 1;
  }

  static constexpr std::size_t most_held = 64;

  const MatrixXd& hessian_;
  const VectorXd& gradient_;
  const VectorXd& start_;
  double proximal_;
  double tolerance_;
  VectorXd x_;
  std::vector<char> free_;
  bool one_by_one_ = false;
  std::vector<Index> factored_;  // entries that the factor is of, rising
  std::vector<Index> held_;      // places among them, held since
  linalg::Cholesky factor_;
  MatrixXd solutions_;  // of the factor, for the unit vector of each held one
};

// Quadratic programs over the nonnegative orthant by an active set, as Lawson, Hanson 1974 (ch. 23)
// solve least squares.
//
// The x >= 0 that minimises g^T (x - start) + (x - start)^T H (x - start) / 2, which at x is at
// most 0. H: positive semidefinite, its lower triangle given; where it is singular 1e-12 of its
// largest diagonal entry is added. `start` >= 0. Written in steps from `start`, so that a small
// gradient keeps its digits. Cost: m^3 / 6 for each time that entries
// leave 0 or 64 of them return to it, 4 m^2 for each that returns; at most 3 m + 20 changes.
// Memory m^2.
VectorXd nonnegative_minimum(const MatrixXd& hessian, const VectorXd& gradient,
                             const VectorXd& start) {
  return ActiveSet(hessian, gradient, start).minimise();
}

/// phi at `to` less phi at `from`, with the digits of the difference.
double rise(const Mixture& mixture, const VectorXd& from, const VectorXd& to) {
  double sum = 0;
  for (Index a = 0; a < from.size(); ++a) {
    sum -= mixture.counts[a] * std::log1p((to[a] - from[a]) / from[a]);
  }
  return sum;
}

/// -dphi/dw: its mean under w is C, and nowhere does it exceed C by more than phi can fall.
VectorXd descent(const Mixture& mixture, const VectorXd& mean) {
  return mixture.components.transpose() * mixture.counts.cwiseQuotient(mean);
}

/// Where the search is, and what it sees from there.
struct Point {
  VectorXd weights;
  VectorXd mean;
  VectorXd down;
  double gap;
};

/// `weights`, brought to a sum of 1.
Point look(const Mixture& mixture, const VectorXd& weights) {
  Point point{weights / weights.sum(), {}, {}, HUGE_VAL};
  point.mean = mixture.components * point.weights;
  if (!(point.mean.minCoeff() > 0)) return point;  // phi is infinite
  point.down = descent(mixture, point.mean);
  point.gap = std::max(0.0, point.down.maxCoeff() - mixture.counts.sum());
  return point;
}

MixtureFit fit_of(const Point& point, std::uint32_t iterations) {
  return {point.weights, point.mean, point.gap, iterations};
}

/// w_j exp(step descent_j), to a sum of 1.
VectorXd multiplied(const VectorXd& weights, const VectorXd& descent, double step) {
  const double most = descent.maxCoeff();
  VectorXd result = weights.array() * ((descent.array() - most) * step).exp();
  return result / result.sum();
}

double relative_entropy(const VectorXd& p, const VectorXd& q) {
  double sum = 0;
  for (Index j = 0; j < p.size(); ++j) {
    if (p[j] > 0) sum += p[j] * std::log(p[j] / q[j]);
  }
  return sum;
}

}  // namespace

Eigen::MatrixXd hessian_of(const Mixture& mixture, const VectorXd& mean) {
  const Eigen::MatrixXd scaled =
      mixture.counts.cwiseSqrt().cwiseQuotient(mean).asDiagonal() * mixture.components;
  const Index m = mixture.components.cols();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(m, m);
  result.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  return result;
}

double best_step(const Eigen::Ref<const VectorXd>& counts, const VectorXd& from,
                 const VectorXd& to) {
  // The derivative in t rises: its zero is between `low` and `high`, found by Newton's method, or
  // by halving where that leaves the interval.
  double low = 0;
  double high = 1;
  double t = 1;
  for (int i = 0; i < 100 && high - low > 1e-16; ++i) {
    double slope = 0;
    double curvature = 0;
    for (Index a = 0; a < from.size(); ++a) {
      if (counts[a] <= 0) continue;
      const double change = to[a] - from[a];
      const double value = from[a] + t * change;
      if (value <= 0) {  // beyond the domain: away from it
        slope = change > 0 ? -HUGE_VAL : HUGE_VAL;
        break;
      }
      slope -= counts[a] * change / value;
      curvature += counts[a] * (change / value) * (change / value);
    }
    if (slope == 0 || (slope < 0 && t == 1)) return t;
    (slope < 0 ? low : high) = t;
    const double next = t - slope / curvature;
    const bool inside = std::isfinite(slope) && curvature > 0 && next > low && next < high;
    const double proposal = inside ? next : (low + high) / 2;
    if (inside && std::abs(proposal - t) < 1e-15) return proposal;
    t = proposal;
  }
  return low;
}

MixtureFit exponentiated_gradient(const Mixture& mixture, const VectorXd& start, double gap,
                                  std::uint32_t max_iterations) {
  Point at = look(mixture, start);
  double step = 1;
  for (std::uint32_t i = 0;; ++i) {
    if (at.gap <= gap || i >= max_iterations) return fit_of(at, i);
    // The step is right when phi lies below its model: linear, plus relative entropy over step.
    bool fits = false;
    for (step *= 2; !fits && step > 1e-12;) {
      const VectorXd weights = multiplied(at.weights, at.down, step);
      const double model =
          relative_entropy(weights, at.weights) / step - at.down.dot(weights - at.weights);
      fits = rise(mixture, at.mean, mixture.components * weights) <= model;
      if (fits) {
        at = look(mixture, weights);
      } else {
        step /= 2;
      }
    }
    if (!fits) return fit_of(at, i);  // no digits are left
  }
}

MixtureFit sequential_quadratic(const Mixture& mixture, const VectorXd& start, double gap,
                                std::uint32_t max_iterations, const HessianAt& hessian) {
  const double total = mixture.counts.sum();
  Point at = look(mixture, start);
  for (std::uint32_t i = 0;; ++i) {
    if (at.gap <= gap || i >= max_iterations) return fit_of(at, i);
    const MatrixXd curvature = hessian ? hessian(at.mean) : hessian_of(mixture, at.mean);
    const VectorXd target = nonnegative_minimum(
        curvature, VectorXd::Constant(at.down.size(), total) - at.down, at.weights);
    if (!(target.sum() > 0)) return fit_of(at, i);
    const Point full = look(mixture, target);
    if (full.gap <= at.gap / 2) {  // near the minimum, where a line search has no digits left
      at = full;
      continue;
    }
    const double step = best_step(mixture.counts, at.mean, full.mean);
    if (step <= 0) return fit_of(at, i);
    at = look(mixture, (1 - step) * at.weights + step * full.weights);
  }
}

}  // namespace orrery::anchored
