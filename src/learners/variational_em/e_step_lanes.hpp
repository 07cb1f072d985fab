// The E-step. For a row x with theta_ak = -log f_ak, s = theta_ak / r_ak and, of a variable a,
//   E = (1 - nu) exp(-s),  D = 1 - E,  g(s) = log D - log nu,  h(s) = g(s) - s g'(s),  g' = E / D,
// Jensen's inequality for the concave log(1 - exp(-y)), with shares r_ak >= 0 that sum to 1 over k
// for each a that is on (Singliar & Hauskrecht 2006, the bound of the noisy-OR), gives
//   log P(x, u) >= log P(u) - sum_off (theta_a0 + sum_k theta_ak u_k)
//                           + sum_on (log nu_a + sum_k r_ak u_k g_a(theta_ak / r_ak)),
// which is linear in u. So, given the shares, the best q(u) is a product, all of it at once:
//   logit q(U_k) = logit p_k - sum_off theta_ak + sum_on r_ak g_a,
// and the row's bound, maximised over q, is the logarithm of the sum over u: a softplus a cause.
// Given q, shares are improved by r_ak <- r_ak exp(q_k h_ak) / Z_a: the maximiser of the linear
// approximation less KL(r' | r). The bound's curvature against the entropy, s^2 E / D^2 <= 1,
// makes that a lower bound of the bound: no sweep ever lowers it.
//
// Nothing is kept from pass to pass, which would take N n numbers a restart: every row begins from
// the shares r_ak ~ p_k (1 - f_ak). Where it ends should depend little on that beginning, so the
// log odds are divided by a temperature that is halved sweep by sweep until it is 1. Then a row is
// swept until no q changes by more than `settled`; a lane that is done keeps its shares and so
// repeats itself exactly.
#pragma once

#include "learners/variational_em/lane_math.hpp"
#include "learners/variational_em/lane_tables.hpp"

namespace orrery::variational_em {
namespace {

/// g, h and g' at s.
struct Gain {
  Vec value, gain, slope;
};

inline Gain gain_at(Vec s, const double* leak) {
  const Vec off = (1. - load(leak + leak_value * lanes)) * exp(-smaller(s, most_exponent));
  const Vec on = 1. - off;
  const Vec value = log(on) + load(leak + minus_log_leak * lanes);
  const Vec slope = off / on;
  return {value, value - s * slope, slope};
}

inline Vec strength_of(const double* edge, Vec share_of_it) {
  return load(edge + strength * lanes) / larger(share_of_it, 1e-200);
}

/// Lanes [lane, lane + width) of the tables: pointers are moved, strides stay.
inline LaneTables from_lane(LaneTables tables, std::size_t lane) {
  tables.all_off += lane;
  tables.log_odds += lane;
  tables.leak += lane;
  tables.edge += lane;
  return tables;
}

void prepare_lanes(const LaneTables& t) {
  const std::size_t n = t.n_causes;
  Vec all_off = {};
  for (std::size_t a = 0; a < t.n_observed; ++a) {
    double* leak = t.leak + a * leak_fields * lanes;
    const Vec nu = load(leak + leak_value * lanes);
    const Vec theta_0 = -log(1. - nu);
    store(leak + minus_log_leak * lanes, -log(nu));
    store(leak + strength_0 * lanes, theta_0);
    all_off -= theta_0;
    Vec total = {};
    for (std::size_t k = 0; k < n; ++k) {
      double* edge = t.edge + (a * n + k) * edge_fields * lanes;
      const Vec failure = load(edge + strength * lanes);
      const Vec wish = load(t.log_odds + k * lanes) * (1. - failure);  // log_odds: still the prior
      store(edge + first_share * lanes, wish);
      store(edge + strength * lanes, -log(failure));
      total += wish;
    }
    for (std::size_t k = 0; k < n; ++k) {
      double* edge = t.edge + (a * n + k) * edge_fields * lanes;
      const Vec r = load(edge + first_share * lanes) / total;
      const Gain gain_of_it = gain_at(strength_of(edge, r), leak);
      store(edge + first_share * lanes, r);
      store(edge + first_gain * lanes, gain_of_it.gain);
      store(edge + first_term * lanes, load(edge + strength * lanes) + r * gain_of_it.value);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    const Vec prior = load(t.log_odds + k * lanes);
    const Vec log_absent = log(1. - prior);
    Vec log_odds = log(prior) - log_absent;
    all_off += log_absent;
    for (std::size_t a = 0; a < t.n_observed; ++a) {
      log_odds -= load(t.edge + ((a * n + k) * edge_fields + strength) * lanes);
    }
    store(t.log_odds + k * lanes, log_odds);
  }
  store(t.all_off, all_off);
}

void prepare(const LaneTables& tables) {
  for (std::size_t lane = 0; lane < lanes; lane += width) prepare_lanes(from_lane(tables, lane));
}

/// 1 / temperature, by sweep.
constexpr std::size_t last_hot_sweep = 4;
inline double coldness(std::size_t sweep) {
  return sweep > last_hot_sweep ? 1 : static_cast<double>(std::size_t{1} << sweep) / 32;
}

/// The local parameters of a row, `width` lanes of them.
struct Local {
  double* edge;   // on x n x local_fields
  double* cause;  // n x cause_fields
};

/// The first shares, and q by them, as hot as can be.
inline void begin(const LaneTables& t, const RowLists& row, const Local& local) {
  const std::size_t n = t.n_causes;
  for (std::size_t k = 0; k < n; ++k) {
    Vec odds_off = load(t.log_odds + k * lanes);
    for (std::size_t i = 0; i < row.n_missing; ++i) {
      odds_off += load(t.edge + ((row.missing[i] * n + k) * edge_fields + strength) * lanes);
    }
    store(local.cause + (k * cause_fields + off_odds) * width, odds_off);
    store(local.cause + (k * cause_fields + odds) * width, odds_off);
  }
  for (std::size_t i = 0; i < row.n_on; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const double* edge = t.edge + (row.on[i] * n + k) * edge_fields * lanes;
      double* own = local.edge + (i * n + k) * local_fields * width;
      double* sum = local.cause + (k * cause_fields + odds) * width;
      store(own + share * width, load(edge + first_share * lanes));
      store(own + gain * width, load(edge + first_gain * lanes));
      store(sum, load(sum) + load(edge + first_term * lanes));
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* cause = local.cause + k * cause_fields * width;
    store(cause + present * width, sigmoid(load(cause + odds * width) * coldness(0)));
  }
}

/// New shares of one variable that is on, and what they add to the odds.
inline void share_out(const LaneTables& t, std::size_t a, double* edges, const Local& local,
                      Bits done) {
  const std::size_t n = t.n_causes;
  Vec total = {};
  for (std::size_t k = 0; k < n; ++k) {
    double* cause = local.cause + k * cause_fields * width;
    const double* own = edges + k * local_fields * width;
    const Vec w =
        load(own + share * width) * exp(load(cause + present * width) * load(own + gain * width));
    store(cause + weight * width, w);
    total += w;
  }
  const Vec scale = 1. / total;
  const double* leak = t.leak + a * leak_fields * lanes;
  for (std::size_t k = 0; k < n; ++k) {
    double* cause = local.cause + k * cause_fields * width;
    double* own = edges + k * local_fields * width;
    const double* edge = t.edge + (a * n + k) * edge_fields * lanes;
    const Vec r = done ? load(own + share * width) : load(cause + weight * width) * scale;
    const Gain gain_of_it = gain_at(strength_of(edge, r), leak);
    store(own + share * width, r);
    store(own + gain * width, gain_of_it.gain);
    store(own + slope * width, gain_of_it.slope);
    store(cause + odds * width,
          load(cause + odds * width) + (load(edge + strength * lanes) + r * gain_of_it.value));
  }
}

/// q from the odds; returns the largest change. The odds of the last sweep stay.
inline Vec update_presence(std::size_t n, const Local& local, double cold) {
  Vec change = {};
  for (std::size_t k = 0; k < n; ++k) {
    double* cause = local.cause + k * cause_fields * width;
    const Vec before = load(cause + present * width);
    const Vec now = sigmoid(load(cause + odds * width) * cold);
    const Vec step = now > before ? now - before : before - now;
    change = change > step ? change : step;
    store(cause + present * width, now);
  }
  return change;
}

inline void sweep_until_settled(const LaneTables& t, const EStepSettings& settings,
                                const RowLists& row, const Local& local) {
  const std::size_t n = t.n_causes;
  Bits done = {};
  for (std::size_t sweep = 1; sweep <= settings.sweeps && !all(done); ++sweep) {
    for (std::size_t k = 0; k < n; ++k) {
      double* cause = local.cause + k * cause_fields * width;
      store(cause + odds * width, load(cause + off_odds * width));
    }
    for (std::size_t i = 0; i < row.n_on; ++i) {
      share_out(t, row.on[i], local.edge + i * n * local_fields * width, local, done);
    }
    const Vec change = update_presence(n, local, coldness(sweep));
    if (coldness(sweep - 1) == 1) done |= change < settings.settled;
  }
}

inline Vec bound_of(const LaneTables& t, const RowLists& row, const Local& local) {
  Vec bound = load(t.all_off);
  for (std::size_t i = 0; i < row.n_on; ++i) {
    const double* leak = t.leak + row.on[i] * leak_fields * lanes;
    bound += load(leak + strength_0 * lanes) - load(leak + minus_log_leak * lanes);
  }
  for (std::size_t i = 0; i < row.n_missing; ++i) {
    bound += load(t.leak + (row.missing[i] * leak_fields + strength_0) * lanes);
  }
  for (std::size_t k = 0; k < t.n_causes; ++k) {
    bound += softplus(load(local.cause + (k * cause_fields + odds) * width));
  }
  return bound;
}

inline void add(double* sum, Vec term) { store(sum, load(sum) + term); }

/// What the M-step needs.
inline void add_sums(const LaneTables& t, const RowLists& row, const Local& local, double* sums) {
  const std::size_t n = t.n_causes;
  double* of_edges = sums + sum_mass + n * lanes;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec q = load(local.cause + (k * cause_fields + present) * width);
    add(sums + sum_mass + k * lanes, q);
  }
  for (std::size_t i = 0; i < row.n_on; ++i) {
    const Vec nu = load(t.leak + (row.on[i] * leak_fields + leak_value) * lanes);
    for (std::size_t k = 0; k < n; ++k) {
      const Vec q = load(local.cause + (k * cause_fields + present) * width);
      const double* own = local.edge + (i * n + k) * local_fields * width;
      double* credit = of_edges + 2 * (row.on[i] * n + k) * lanes;
      const Vec inverse = 1. + load(own + slope * width);  // 1 / D
      add(credit, q * load(own + share * width) * (1. - nu * inverse));
      add(credit + lanes, q * inverse);
    }
  }
  for (std::size_t i = 0; i < row.n_missing; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      add(of_edges + (2 * (row.missing[i] * n + k) + 1) * lanes,
          load(local.cause + (k * cause_fields + present) * width));
    }
  }
}

void add_row(const LaneTables& tables, const EStepSettings& settings, const RowLists& row,
             double* memory, double* sums) {
  const std::size_t n = tables.n_causes;
  const Local local{memory + n * cause_fields * lanes, memory};
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    const LaneTables t = from_lane(tables, lane);
    begin(t, row, local);
    sweep_until_settled(t, settings, row, local);
    const Vec bound = bound_of(t, row, local);
    if (row.held_out) {
      add(sums + sum_held_out + lane, bound);
      continue;
    }
    add(sums + sum_bound + lane, bound);
    add_sums(t, row, local, sums + lane);
  }
}

}  // namespace
}  // namespace orrery::variational_em
