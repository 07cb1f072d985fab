#include "families/noisy_or/anchored/moments/mixture_weights.hpp"

#include <algorithm>
#include <cmath>

#include "families/noisy_or/anchored/moments/nonnegative_program.hpp"

namespace orrery::anchored {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

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

/// Of phi, its lower triangle.
Eigen::MatrixXd hessian(const Mixture& mixture, const VectorXd& mean) {
  const Eigen::MatrixXd scaled =
      mixture.counts.cwiseSqrt().cwiseQuotient(mean).asDiagonal() * mixture.components;
  const Index m = mixture.components.cols();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(m, m);
  result.selfadjointView<Eigen::Lower>().rankUpdate(scaled.transpose());
  return result;
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
                                std::uint32_t max_iterations) {
  const double total = mixture.counts.sum();
  Point at = look(mixture, start);
  for (std::uint32_t i = 0;; ++i) {
    if (at.gap <= gap || i >= max_iterations) return fit_of(at, i);
    const VectorXd target = nonnegative_minimum(
        hessian(mixture, at.mean), VectorXd::Constant(at.down.size(), total) - at.down, at.weights);
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
