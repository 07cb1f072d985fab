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

#include <type_traits>

#include "families/noisy_or/variational_em/batch_lanes.hpp"
#include "families/noisy_or/variational_em/lane_math.hpp"
#include "families/noisy_or/variational_em/lane_tables.hpp"
#include "families/noisy_or/variational_em/prepare_lanes.hpp"

namespace orrery::variational_em {
namespace {

/// 1 / temperature, by sweep.
constexpr std::size_t first_cold_sweep = 5;
inline float coldness(std::size_t sweep) {
  return sweep >= first_cold_sweep
             ? 1
             : static_cast<float>(1U << sweep) / static_cast<float>(1U << first_cold_sweep);
}

/// The local parameters of a batch.
struct Local {
  float* cause;           // n x cause_fields
  float* edge;            // on x n x local_fields
  float* not_leaked;      // on
  float* minus_log_leak;  // on
};

/// Log odds of each cause where all that is on were missing.
template <bool side_by_side>
inline Vec<double> odds_of_off(const LaneTables& t, const Batch& b, std::size_t k) {
  return add_missing<side_by_side>(gather<side_by_side>(t.log_odds + k * t.n_lanes, b.restart), b,
                                   t.strength + k * t.n_lanes, t.n_causes * t.n_lanes);
}

/// The first shares, and q by them, as hot as can be.
template <bool side_by_side>
inline void begin(const LaneTables& t, const Batch& b, const Local& local) {
  const std::size_t n = t.n_causes;
  for (std::size_t k = 0; k < n; ++k) {
    const Vec<float> off = narrow(odds_of_off<side_by_side>(t, b, k));
    store<float>(local.cause + (k * cause_fields + off_odds) * width, off);
    store<float>(local.cause + (k * cause_fields + odds) * width, off);
  }
  const auto of_edges = [&](const float* table, std::size_t i, std::size_t k) {
    return gather<side_by_side>(table + k * t.n_lanes, b.edge_at + i * width);
  };
  for (std::size_t i = 0; i < b.n_on; ++i) {
    store<float>(local.not_leaked + i * width,
                 gather<side_by_side>(t.fast_not_leaked, b.variable_at + i * width));
    store<float>(local.minus_log_leak + i * width,
                 gather<side_by_side>(t.fast_minus_log_leak, b.variable_at + i * width));
    for (std::size_t k = 0; k < n; ++k) {
      float* own = local.edge + (i * n + k) * local_fields * width;
      float* sum = local.cause + (k * cause_fields + odds) * width;
      store<float>(own + share * width, of_edges(t.first_share, i, k));
      store<float>(own + gain * width, of_edges(t.first_gain, i, k));
      store<float>(own + local_strength * width, of_edges(t.fast_strength, i, k));
      store<float>(sum, load(sum) + of_edges(t.first_term, i, k));
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    float* cause = local.cause + k * cause_fields * width;
    store<float>(cause + present * width, sigmoid<float>(load(cause + odds * width) * coldness(0)));
  }
}

/// One value of each cause or edge from the one that begins at `values`, `stride` fields apart.
template <std::size_t count, class Real>
inline Bundle<Real, count> load_bundle(const Real* values, std::size_t stride) {
  Bundle<Real, count> v;
  for (std::size_t i = 0; i < count; ++i) v.at[i] = load(values + i * stride * width);
  return v;
}
template <class Real, std::size_t count>
inline void store_bundle(Real* values, std::size_t stride, const Bundle<Real, count>& v) {
  for (std::size_t i = 0; i < count; ++i) store<Real>(values + i * stride * width, v.at[i]);
}

/// Calls work(k, count) for all causes, `bundled` at a time as long as there are so many.
template <class Work>
inline void in_bundles(std::size_t n, const Work& work) {
  std::size_t k = 0;
  for (; k + bundled <= n; k += bundled) work(k, std::integral_constant<std::size_t, bundled>());
  for (; k < n; ++k) work(k, std::integral_constant<std::size_t, 1>());
}

/// New shares of the i-th variables that are on, and what they add to the odds.
inline void share_out(std::size_t n, std::size_t i, const Local& local, Bits<float> done) {
  float* edges = local.edge + i * n * local_fields * width;
  Vec<float> total = {};
  in_bundles(n, [&](std::size_t k, auto count) {
    float* cause = local.cause + k * cause_fields * width;
    const float* own = edges + k * local_fields * width;
    const auto q = load_bundle<count>(cause + present * width, cause_fields);
    const auto w = load_bundle<count>(own + share * width, local_fields) *
                   exp(q * load_bundle<count>(own + gain * width, local_fields));
    store_bundle(cause + weight * width, cause_fields, w);
    for (const Vec<float>& one : w.at) total += one;
  });
  const Vec<float> scale = 1 / total;
  const Vec<float> not_leaked = load(local.not_leaked + i * width);
  const Vec<float> minus_log_nu = load(local.minus_log_leak + i * width);
  in_bundles(n, [&](std::size_t k, auto count) {
    float* cause = local.cause + k * cause_fields * width;
    float* own = edges + k * local_fields * width;
    const auto theta = load_bundle<count>(own + local_strength * width, local_fields);
    const auto r = each(
        [&](Vec<float> before, Vec<float> w) {
          return done ? before : clamp<float>(w * scale, Format<float>::least_share, 1);
        },
        load_bundle<count>(own + share * width, local_fields),
        load_bundle<count>(cause + weight * width, cause_fields));
    const auto at = gain_at(theta, r, not_leaked, minus_log_nu);
    store_bundle(own + share * width, local_fields, r);
    store_bundle(own + gain * width, local_fields, at.gain);
    float* sum = cause + odds * width;
    store_bundle(sum, cause_fields, load_bundle<count>(sum, cause_fields) + (theta + r * at.value));
  });
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

template <bool side_by_side>
inline void find_shares(const LaneTables& t, const EStepSettings& settings, const Batch& b,
                        const Local& local) {
  const std::size_t n = t.n_causes;
  begin<side_by_side>(t, b, local);
  Bits<float> done = {};
  for (std::size_t sweep = 1; sweep <= settings.sweeps && !all(done); ++sweep) {
    for (std::size_t k = 0; k < n; ++k) {
      float* cause = local.cause + k * cause_fields * width;
      store<float>(cause + odds * width, load(cause + off_odds * width));
    }
    for (std::size_t i = 0; i < b.n_on; ++i) share_out(n, i, local, done);
    const Vec<float> change = update_presence(n, local, coldness(sweep));
    if (sweep > first_cold_sweep) done |= change < settings.settled;
  }
}

/// The rows at their shares, in double precision.
struct Exact {
  double* odds;     // n
  double* present;  // n
  double* share;    // on x n; then what is added to the credit
  double* slope;    // on x n; then what is added to the excuse
};

template <bool side_by_side>
inline void evaluate(const LaneTables& t, const Batch& b, const Local& local, const Exact& exact) {
  const std::size_t n = t.n_causes;
  for (std::size_t k = 0; k < n; ++k) {
    store<double>(exact.odds + k * width, odds_of_off<side_by_side>(t, b, k));
  }
  for (std::size_t i = 0; i < b.n_on; ++i) {
    const float* edges = local.edge + i * n * local_fields * width;
    Vec<double> total = {};
    for (std::size_t k = 0; k < n; ++k) {
      total += widen(load(edges + (k * local_fields + share) * width));
    }
    const Vec<double> not_leaked = 1 - gather<side_by_side>(t.leak, b.variable_at + i * width);
    const Vec<double> minus_log_nu =
        gather<side_by_side>(t.minus_log_leak, b.variable_at + i * width);
    in_bundles(n, [&](std::size_t k, auto count) {
      Bundle<double, count> r;
      Bundle<double, count> theta;
      for (std::size_t l = 0; l < count; ++l) {
        r.at[l] = widen(load(edges + ((k + l) * local_fields + share) * width));
        theta.at[l] = gather<side_by_side>(t.strength + (k + l) * t.n_lanes, b.edge_at + i * width);
      }
      r = r / total;
      const auto at = gain_at(theta, r, not_leaked, minus_log_nu);
      store_bundle(exact.share + (i * n + k) * width, 1, r);
      store_bundle(exact.slope + (i * n + k) * width, 1, at.slope);
      double* sum = exact.odds + k * width;
      store_bundle(sum, 1, load_bundle<count>(sum, 1) + (theta + r * at.value));
    });
  }
  for (std::size_t k = 0; k < n; ++k) {
    store<double>(exact.present + k * width, sigmoid<double>(load(exact.odds + k * width)));
  }
}

template <bool side_by_side>
inline Vec<double> bound_of(const LaneTables& t, const Batch& b, const Exact& exact) {
  Vec<double> bound = gather<side_by_side>(t.all_off, b.restart);
  for (std::size_t i = 0; i < b.n_on; ++i) {
    bound += gather<side_by_side>(t.strength_0, b.variable_at + i * width) -
             gather<side_by_side>(t.minus_log_leak, b.variable_at + i * width);
  }
  bound = add_missing<side_by_side>(bound, b, t.strength_0, t.n_lanes);
  for (std::size_t k = 0; k < t.n_causes; ++k) bound += softplus(load(exact.odds + k * width));
  return bound;
}

/// What each variable that is on adds to credit and excuse.
template <bool side_by_side>
inline void find_credits(const LaneTables& t, const Batch& b, const Exact& exact) {
  const std::size_t n = t.n_causes;
  for (std::size_t i = 0; i < b.n_on; ++i) {
    const Vec<double> nu = gather<side_by_side>(t.leak, b.variable_at + i * width);
    for (std::size_t k = 0; k < n; ++k) {
      double* credit = exact.share + (i * n + k) * width;
      double* excuse = exact.slope + (i * n + k) * width;
      const Vec<double> q = load(exact.present + k * width);
      const Vec<double> inverse = 1 + load(excuse);  // 1 / D
      store<double>(credit, q * load(credit) * (1 - nu * inverse));
      store<double>(excuse, q * inverse);
    }
  }
}

/// Adds lanes [lane, lane + count) of a row to sums that begin at `restart`.
template <std::size_t count>
inline void add_lanes(const LaneTables& t, const RowLists& row, std::size_t lane,
                      std::size_t restart, const Exact& exact, const LaneSums& sums) {
  const std::size_t n = t.n_causes;
  const auto add = [lane, restart](double* sum, const double* terms) {
    for (std::size_t l = 0; l < count; ++l) sum[restart + l] += terms[lane + l];
  };
  for (std::size_t k = 0; k < n; ++k) add(sums.mass + k * t.n_lanes, exact.present + k * width);
  for (std::size_t i = 0; i < row.n_on; ++i) {
    double* credit = sums.credit + row.on[i] * n * t.n_lanes;
    double* excuse = sums.excuse + row.on[i] * n * t.n_lanes;
    for (std::size_t k = 0; k < n; ++k) {
      add(credit + k * t.n_lanes, exact.share + (i * n + k) * width);
      add(excuse + k * t.n_lanes, exact.slope + (i * n + k) * width);
    }
  }
  for (std::size_t j = 0; j < row.n_missing; ++j) {
    double* excuse = sums.excuse + row.missing[j] * n * t.n_lanes;
    for (std::size_t k = 0; k < n; ++k) add(excuse + k * t.n_lanes, exact.present + k * width);
  }
}

/// Row after row, so that the order in which a restart's rows are added depends on nothing else.
template <bool side_by_side>
inline void add_sums(const LaneTables& t, const Batch& b, Vec<double> bound, const Exact& exact,
                     const LaneSums& sums) {
  constexpr std::size_t step = side_by_side ? width : 1;
  for (std::size_t lane = 0; lane < b.n_used; lane += step) {
    const bool held_out = b.row[lane]->held_out;
    double* sum = (held_out ? sums.held_out : sums.bound) + b.restart[lane];
    for (std::size_t l = 0; l < step; ++l) sum[l] += bound[lane + l];
    if (held_out) continue;
    add_lanes<step>(t, *b.row[lane], lane, b.restart[lane], exact, sums);
  }
}

template <bool side_by_side>
void add_batches(const LaneTables& t, const EStepSettings& settings, const RowLists* rows,
                 std::size_t n_rows, const LaneScratch& scratch, const LaneSums& sums) {
  const std::size_t n = t.n_causes;
  const std::size_t n_pairs = n_rows * t.n_lanes;
  for (std::size_t first = 0; first < n_pairs; first += width) {
    const Batch b = batch_of(t, rows, first, n_pairs, scratch.places);
    float* edge = scratch.floats + n * cause_fields * width;
    float* leak = edge + b.n_on * n * local_fields * width;
    const Local local{scratch.floats, edge, leak, leak + b.n_on * width};
    const Exact exact{scratch.doubles, scratch.doubles + n * width, scratch.doubles + 2 * n * width,
                      scratch.doubles + (2 + b.n_on) * n * width};
    find_shares<side_by_side>(t, settings, b, local);
    evaluate<side_by_side>(t, b, local, exact);
    const Vec<double> bound = bound_of<side_by_side>(t, b, exact);
    find_credits<side_by_side>(t, b, exact);
    add_sums<side_by_side>(t, b, bound, exact, sums);
  }
}

void add_rows(const LaneTables& tables, const EStepSettings& settings, const RowLists* rows,
              std::size_t n_rows, const LaneScratch& scratch, const LaneSums& sums) {
  const auto add = tables.n_lanes % width == 0 ? add_batches<true> : add_batches<false>;
  add(tables, settings, rows, n_rows, scratch, sums);
}

}  // namespace
}  // namespace orrery::variational_em
