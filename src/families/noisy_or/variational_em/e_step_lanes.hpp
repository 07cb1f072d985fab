// The E-step. For a row x with theta_ak = -log f_ak, s = theta_ak / r_ak and, of a variable a,
//   E = (1 - nu) exp(-s),  D = 1 - E,  g(s) = log D - log nu,  h(s) = g(s) - s g'(s),  g' = E / D,
// Jensen's inequality for the concave log(1 - exp(-y)), with shares r_ak >= 0 that sum to 1 over k
// for each a that is on (Singliar & Hauskrecht 2006, the bound of the noisy-OR), gives
//   log P(x, u) >= log P(u) - sum_off (theta_a0 + sum_k theta_ak u_k)
//                           + sum_on (log nu_a + sum_k r_ak u_k g_a(theta_ak / r_ak)),
// which is linear in u. So, given the shares, the best q(u) is a product, all of it at once:
//   logit q(U_k) = logit p_k - sum_off theta_ak + sum_on r_ak g_a,
// and the row's bound, maximised over q, is the logarithm of the sum over u: a softplus per cause.
// Given q, shares are improved by r_ak <- r_ak exp(q_k h_ak) / Z_a: the maximiser of the linear
// approximation less KL(r' | r). The bound's curvature against the entropy, s^2 E / D^2 <= 1,
// makes that a lower bound of the bound: no such step ever lowers it.
//
// Nothing is kept from pass to pass, which would take N n numbers a restart: every row begins from
// the shares r_ak ~ p_k (1 - f_ak). Where it ends should depend little on that beginning, so the
// log odds are divided by a temperature that is halved sweep by sweep until it is 1. Then a row is
// swept until no q changes by more than `settled`; a lane that is done keeps its shares and so
// repeats itself exactly.
//
// Any shares give a bound. So they are found in single precision, and the bound and the sums of
// the M-step are then evaluated in double precision.
#pragma once

#include "families/noisy_or/variational_em/lane_math.hpp"
#include "families/noisy_or/variational_em/lane_tables.hpp"

namespace orrery::variational_em {
namespace {

template <class Real>
struct Gain {
  Vec<Real> value, gain, slope;  // g, h, g'
};

template <class Real>
inline Gain<Real> gain_at(Vec<Real> strength, Vec<Real> r, Vec<Real> not_leaked,
                          Vec<Real> minus_log_nu) {
  using F = Format<Real>;
  const Vec<Real> s =
      clamp<Real>(strength / clamp<Real>(r, F::least_share, 1), 0, F::most_exponent);
  const Vec<Real> off = not_leaked * exp<Real>(-s);
  const Vec<Real> on = 1 - off;
  const Vec<Real> value = log<Real>(on) + minus_log_nu;
  const Vec<Real> slope = off / on;
  return {value, value - s * slope, slope};
}

inline Vec<float> narrow(Vec<double> x) { return __builtin_convertvector(x, Vec<float>); }
inline Vec<double> widen(Vec<float> x) { return __builtin_convertvector(x, Vec<double>); }

/// Lanes [lane, lane + width) of the tables: pointers are moved, strides stay.
inline LaneTables from_lane(LaneTables tables, std::size_t lane) {
  tables.all_off += lane;
  tables.log_odds += lane;
  tables.leak += lane;
  tables.strength += lane;
  tables.fast_leak += lane;
  tables.fast_edge += lane;
  return tables;
}

/// Tables of one variable; returns -theta_0. log_odds still holds the priors.
Vec<double> prepare_variable(const LaneTables& t, std::size_t a) {
  const std::size_t n = t.n_causes;
  double* leak = t.leak + a * leak_fields * lanes;
  const Vec<double> nu = load(leak + leak_value * lanes);
  const Vec<double> minus_log_nu = -log<double>(nu);
  const Vec<double> log_not_leaked = log<double>(1 - nu);
  store<double>(leak + minus_log_leak * lanes, minus_log_nu);
  store<double>(leak + strength_0 * lanes, -log_not_leaked);
  store<float>(t.fast_leak + 2 * a * lanes, narrow(1 - nu));
  store<float>(t.fast_leak + (2 * a + 1) * lanes, narrow(minus_log_nu));
  Vec<double> total = {};
  for (std::size_t k = 0; k < n; ++k) {
    total += load(t.log_odds + k * lanes) * (1 - load(t.strength + (a * n + k) * lanes));
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* strength = t.strength + (a * n + k) * lanes;
    float* edge = t.fast_edge + (a * n + k) * edge_fields * lanes;
    const Vec<double> failure = load(strength);
    const Vec<double> theta = -log<double>(failure);
    const Vec<double> r = load(t.log_odds + k * lanes) * (1 - failure) / total;
    const auto at = gain_at<double>(theta, r, 1 - nu, minus_log_nu);
    store<double>(strength, theta);
    store<float>(edge + fast_strength * lanes, narrow(theta));
    store<float>(edge + first_share * lanes, narrow(r));
    store<float>(edge + first_gain * lanes, narrow(at.gain));
    store<float>(edge + first_term * lanes, narrow(theta + r * at.value));
  }
  return log_not_leaked;
}

void prepare(const LaneTables& tables) {
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    const LaneTables t = from_lane(tables, lane);
    Vec<double> all_off = {};
    for (std::size_t a = 0; a < t.n_observed; ++a) all_off += prepare_variable(t, a);
    for (std::size_t k = 0; k < t.n_causes; ++k) {
      const Vec<double> prior = load(t.log_odds + k * lanes);
      const Vec<double> log_absent = log<double>(1 - prior);
      Vec<double> log_odds = log<double>(prior) - log_absent;
      for (std::size_t a = 0; a < t.n_observed; ++a) {
        log_odds -= load(t.strength + (a * t.n_causes + k) * lanes);
      }
      all_off += log_absent;
      store<double>(t.log_odds + k * lanes, log_odds);
    }
    store<double>(t.all_off, all_off);
  }
}

/// 1 / temperature, by sweep.
constexpr std::size_t first_cold_sweep = 5;
inline float coldness(std::size_t sweep) {
  return sweep >= first_cold_sweep
             ? 1
             : static_cast<float>(1U << sweep) / static_cast<float>(1U << first_cold_sweep);
}

/// The local parameters of a row, `width` lanes of them.
struct Local {
  float* cause;  // n x cause_fields
  float* edge;   // on x n x local_fields
};

/// Log odds of each cause where all that is on were missing.
inline Vec<double> odds_of_off(const LaneTables& t, const RowLists& row, std::size_t k) {
  Vec<double> sum = load(t.log_odds + k * lanes);
  for (std::size_t i = 0; i < row.n_missing; ++i) {
    sum += load(t.strength + (row.missing[i] * t.n_causes + k) * lanes);
  }
  return sum;
}

/// The first shares, and q by them, as hot as can be.
inline void begin(const LaneTables& t, const RowLists& row, const Local& local) {
  const std::size_t n = t.n_causes;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec<float> off = narrow(odds_of_off(t, row, k));
    store<float>(local.cause + (k * cause_fields + off_odds) * width, off);
    store<float>(local.cause + (k * cause_fields + odds) * width, off);
  }
  for (std::size_t i = 0; i < row.n_on; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const float* edge = t.fast_edge + (row.on[i] * n + k) * edge_fields * lanes;
      float* own = local.edge + (i * n + k) * local_fields * width;
      float* sum = local.cause + (k * cause_fields + odds) * width;
      store<float>(own + share * width, load(edge + first_share * lanes));
      store<float>(own + gain * width, load(edge + first_gain * lanes));
      store<float>(sum, load(sum) + load(edge + first_term * lanes));
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    float* cause = local.cause + k * cause_fields * width;
    store<float>(cause + present * width, sigmoid<float>(load(cause + odds * width) * coldness(0)));
  }
}

/// New shares of one variable that is on, and what they add to the odds.
inline void share_out(const LaneTables& t, std::size_t a, float* edges, const Local& local,
                      Bits<float> done) {
  const std::size_t n = t.n_causes;
  Vec<float> total = {};
  for (std::size_t k = 0; k < n; ++k) {
    float* cause = local.cause + k * cause_fields * width;
    const float* own = edges + k * local_fields * width;
    const Vec<float> w = load(own + share * width) *
                         exp<float>(load(cause + present * width) * load(own + gain * width));
    store<float>(cause + weight * width, w);
    total += w;
  }
  const Vec<float> scale = 1 / total;
  const Vec<float> not_leaked = load(t.fast_leak + 2 * a * lanes);
  const Vec<float> minus_log_nu = load(t.fast_leak + (2 * a + 1) * lanes);
  for (std::size_t k = 0; k < n; ++k) {
    float* cause = local.cause + k * cause_fields * width;
    float* own = edges + k * local_fields * width;
    const Vec<float> theta =
        load(t.fast_edge + ((a * n + k) * edge_fields + fast_strength) * lanes);
    const Vec<float> r =
        done ? load(own + share * width)
             : clamp<float>(load(cause + weight * width) * scale, Format<float>::least_share, 1);
    const auto at = gain_at<float>(theta, r, not_leaked, minus_log_nu);
    store<float>(own + share * width, r);
    store<float>(own + gain * width, at.gain);
    store<float>(cause + odds * width, load(cause + odds * width) + (theta + r * at.value));
  }
}

/// q from the odds; returns the largest change.
inline Vec<float> update_presence(std::size_t n, const Local& local, float cold) {
  Vec<float> change = {};
  for (std::size_t k = 0; k < n; ++k) {
    float* cause = local.cause + k * cause_fields * width;
    const Vec<float> before = load(cause + present * width);
    const Vec<float> now = sigmoid<float>(load(cause + odds * width) * cold);
    const Vec<float> step = now > before ? now - before : before - now;
    change = change > step ? change : step;
    store<float>(cause + present * width, now);
  }
  return change;
}

inline bool all(Bits<float> mask) {
  std::int32_t every = -1;
  for (std::size_t i = 0; i < width; ++i) every &= mask[i];
  return every != 0;
}

inline void find_shares(const LaneTables& t, const EStepSettings& settings, const RowLists& row,
                        const Local& local) {
  const std::size_t n = t.n_causes;
  begin(t, row, local);
  Bits<float> done = {};
  for (std::size_t sweep = 1; sweep <= settings.sweeps && !all(done); ++sweep) {
    for (std::size_t k = 0; k < n; ++k) {
      float* cause = local.cause + k * cause_fields * width;
      store<float>(cause + odds * width, load(cause + off_odds * width));
    }
    for (std::size_t i = 0; i < row.n_on; ++i) {
      share_out(t, row.on[i], local.edge + i * n * local_fields * width, local, done);
    }
    const Vec<float> change = update_presence(n, local, coldness(sweep));
    if (sweep > first_cold_sweep) done |= change < settings.settled;
  }
}

/// The row at its shares, in double precision.
struct Exact {
  double* odds;     // n, then q
  double* present;  // n
  double* share;    // on x n
  double* slope;    // on x n
};

inline void evaluate(const LaneTables& t, const RowLists& row, const Local& local,
                     const Exact& exact) {
  const std::size_t n = t.n_causes;
  for (std::size_t k = 0; k < n; ++k) {
    store<double>(exact.odds + k * width, odds_of_off(t, row, k));
  }
  for (std::size_t i = 0; i < row.n_on; ++i) {
    const float* edges = local.edge + i * n * local_fields * width;
    Vec<double> total = {};
    for (std::size_t k = 0; k < n; ++k) {
      total += widen(load(edges + (k * local_fields + share) * width));
    }
    const double* leak = t.leak + row.on[i] * leak_fields * lanes;
    const Vec<double> not_leaked = 1 - load(leak + leak_value * lanes);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec<double> r = widen(load(edges + (k * local_fields + share) * width)) / total;
      const Vec<double> theta = load(t.strength + (row.on[i] * n + k) * lanes);
      const auto at = gain_at<double>(theta, r, not_leaked, load(leak + minus_log_leak * lanes));
      store<double>(exact.share + (i * n + k) * width, r);
      store<double>(exact.slope + (i * n + k) * width, at.slope);
      store<double>(exact.odds + k * width, load(exact.odds + k * width) + (theta + r * at.value));
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    store<double>(exact.present + k * width, sigmoid<double>(load(exact.odds + k * width)));
  }
}

inline Vec<double> bound_of(const LaneTables& t, const RowLists& row, const Exact& exact) {
  Vec<double> bound = load(t.all_off);
  for (std::size_t i = 0; i < row.n_on; ++i) {
    const double* leak = t.leak + row.on[i] * leak_fields * lanes;
    bound += load(leak + strength_0 * lanes) - load(leak + minus_log_leak * lanes);
  }
  for (std::size_t i = 0; i < row.n_missing; ++i) {
    bound += load(t.leak + (row.missing[i] * leak_fields + strength_0) * lanes);
  }
  for (std::size_t k = 0; k < t.n_causes; ++k) bound += softplus(load(exact.odds + k * width));
  return bound;
}

inline void add(double* sum, Vec<double> term) { store<double>(sum, load(sum) + term); }

/// What the M-step needs.
inline void add_sums(const LaneTables& t, const RowLists& row, const Exact& exact, double* sums) {
  const std::size_t n = t.n_causes;
  double* of_edges = sums + sum_mass + n * lanes;
  for (std::size_t k = 0; k < n; ++k) {
    add(sums + sum_mass + k * lanes, load(exact.present + k * width));
  }
  for (std::size_t i = 0; i < row.n_on; ++i) {
    const Vec<double> nu = load(t.leak + (row.on[i] * leak_fields + leak_value) * lanes);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec<double> q = load(exact.present + k * width);
      const Vec<double> inverse = 1 + load(exact.slope + (i * n + k) * width);  // 1 / D
      double* credit = of_edges + 2 * (row.on[i] * n + k) * lanes;
      add(credit, q * load(exact.share + (i * n + k) * width) * (1 - nu * inverse));
      add(credit + lanes, q * inverse);
    }
  }
  for (std::size_t i = 0; i < row.n_missing; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      add(of_edges + (2 * (row.missing[i] * n + k) + 1) * lanes, load(exact.present + k * width));
    }
  }
}

void add_row(const LaneTables& tables, const EStepSettings& settings, const RowLists& row,
             float* floats, double* doubles, double* sums) {
  const std::size_t n = tables.n_causes;
  const Local local{floats, floats + n * cause_fields * width};
  const Exact exact{doubles, doubles + n * width, doubles + 2 * n * width,
                    doubles + (2 + row.n_on) * n * width};
  for (std::size_t lane = 0; lane < tables.n_lanes; lane += width) {
    const LaneTables t = from_lane(tables, lane);
    find_shares(t, settings, row, local);
    evaluate(t, row, local, exact);
    const Vec<double> bound = bound_of(t, row, exact);
    if (row.held_out) {
      add(sums + sum_held_out + lane, bound);
    } else {
      add(sums + sum_bound + lane, bound);
      add_sums(t, row, exact, sums + lane);
    }
  }
}

}  // namespace
}  // namespace orrery::variational_em
