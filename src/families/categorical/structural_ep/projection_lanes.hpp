// project() of dirichlet.cpp for eight rows at once, compiled once for each instruction set. Each
// lane does the operations of dirichlet.cpp in their order, and rests when it is done.
#pragma once

#include "families/categorical/structural_ep/lanes.hpp"
#include "families/categorical/structural_ep/polygamma.hpp"

namespace orrery::structural_ep {
namespace {

/// (1 - p) Dir(counts) + p Dir(counts + e_x), of `n` counts.
struct Mixture {
  const Lanes* counts;
  std::size_t n;
  const Lanes& x;
  const Lanes& p;
};

inline Mask is_below(const Lanes& x, double y) {
  return each_bit([&](std::size_t i) { return x.part[i] < y; });
}
inline Mask is_above(const Lanes& x, double y) {
  return each_bit([&](std::size_t i) { return x.part[i] > y; });
}
inline Mask without(const Mask& x, const Mask& y) {
  return each_bit([&](std::size_t i) { return x.part[i] & ~y.part[i]; });
}
inline bool any(Bits mask) {
  long long all = 0;
  for (std::size_t r = 0; r < ORRERY_LANES; ++r) all |= mask[r];
  return all != 0;
}
inline bool any(const Mask& mask) {
  Bits all = mask.part[0];
  for (std::size_t i = 1; i < n_vectors; ++i) all |= mask.part[i];
  return any(all);
}
inline Lanes sum_of(const Lanes* values, std::size_t n) {
  Lanes total = all(0);
  for (std::size_t l = 0; l < n; ++l) total += values[l];
  return total;
}

/// By mean and variance, in closed form.
void match_mean_variance(const Mixture& m, Lanes* result) {
  const Lanes total = sum_of(m.counts, m.n);
  const Lanes w0 = (1 - m.p) / total;
  const Lanes w1 = m.p / (total + all(1));
  const Lanes v0 = w0 / (total + all(1));
  const Lanes v1 = w1 / (total + all(2));
  Lanes second = all(0);
  Lanes squares = all(0);
  for (std::size_t l = 0; l < m.n; ++l) {
    const Lanes& c = m.counts[l];
    const Lanes d = choose(is_equal(m.x, static_cast<double>(l)), c + all(1), c);
    const Lanes mean = w0 * c + w1 * d;
    second += v0 * c * (c + all(1)) + v1 * d * (d + all(1));
    squares += mean * mean;
    result[l] = mean;
  }
  const Lanes precision = (1 - second) / (second - squares);
  const Mask none = is_below(m.p, no_share);
  const Mask whole = is_above(m.p, 1 - no_share);
  for (std::size_t l = 0; l < m.n; ++l) {
    const Lanes& c = m.counts[l];
    const Mask is_x = is_equal(m.x, static_cast<double>(l));
    result[l] = choose(none, c, result[l] * precision);
    result[l] = choose(whole, choose(is_x, c + all(1), c), result[l]);
  }
}

struct LanePolygamma {
  Lanes digamma, trigamma;
};
inline LanePolygamma polygamma(const Lanes& x) {
  LanePolygamma result;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n_vectors; ++i) {
    const auto of_part = polygamma_of<Vector, model::Places>(
        x.part[i], [](const Vector& part) { return any(part < 10); });
    result.digamma.part[i] = of_part.digamma;
    result.trigamma.part[i] = of_part.trigamma;
  }
  return result;
}

/// Newton's method of fit_mean_logs, for the lanes that are `active`. `room`: for 2 n.
void fit_mean_logs(const Lanes* logs, std::size_t n, Mask active, Lanes* counts, Lanes* room) {
  Lanes* gradient = room;
  Lanes* inverse_curvature = room + n;
  for (int steps = 0; steps < 100 && any(active); ++steps) {
    const LanePolygamma of_total = polygamma(sum_of(counts, n));
    Lanes weighted = all(0);
    Lanes inverse = all(0);
    for (std::size_t l = 0; l < n; ++l) {
      const LanePolygamma of_count = polygamma(counts[l]);
      gradient[l] = of_count.digamma - of_total.digamma - logs[l];
      inverse_curvature[l] = 1 / of_count.trigamma;
      weighted += gradient[l] * inverse_curvature[l];
      inverse += inverse_curvature[l];
    }
    const Lanes& z = of_total.trigamma;
    const Lanes shared = weighted * z / (1 - z * inverse);
    Lanes scale = all(1);
    Lanes largest = all(0);
    for (std::size_t l = 0; l < n; ++l) {
      gradient[l] = (gradient[l] + shared) * inverse_curvature[l];
      for (;;) {
        const Lanes left = counts[l] - scale * gradient[l];
        const Mask beyond = active & each_bit([&](std::size_t i) { return left.part[i] <= 0; });
        if (!any(beyond)) break;
        scale = choose(beyond, scale * all(.5), scale);
      }
      const Lanes size = larger(gradient[l], all(0) - gradient[l]);
      largest = larger(size / counts[l], largest);
    }
    for (std::size_t l = 0; l < n; ++l) {
      counts[l] = choose(active, counts[l] - scale * gradient[l], counts[l]);
    }
    active = without(active, is_below(largest, 1e-8));
  }
}

/// By the mean logarithms; `result` holds what match_mean_variance made. `room`: for 3 n.
void match_mean_logs(const Mixture& m, const Mask& fit, Lanes* result, Lanes* room) {
  const Mask active = without(without(fit, is_below(m.p, no_share)), is_above(m.p, 1 - no_share));
  if (!any(active)) return;
  const Lanes total = sum_of(m.counts, m.n);
  const Lanes of_total = polygamma(total).digamma;
  const Lanes of_none = m.p / total;
  for (std::size_t l = 0; l < m.n; ++l) {
    const Lanes& c = m.counts[l];
    const Lanes log = polygamma(c).digamma - of_total - of_none;
    room[l] = choose(is_equal(m.x, static_cast<double>(l)), log + m.p / c, log);
  }
  fit_mean_logs(room, m.n, active, result, room + m.n);
}

}  // namespace
}  // namespace orrery::structural_ep
