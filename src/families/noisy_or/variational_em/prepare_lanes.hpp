// What all rows share in a pass, made from the parameters: each restart a lane. See
// e_step_lanes.hpp for the formulas.
#pragma once

#include "families/noisy_or/variational_em/lane_math.hpp"
#include "families/noisy_or/variational_em/lane_tables.hpp"

namespace orrery::variational_em {
namespace {

template <class Real, std::size_t n>
struct Gain {
  Bundle<Real, n> value, gain, slope;  // g, h, g'
};

template <class Real, std::size_t n>
inline Gain<Real, n> gain_at(const Bundle<Real, n>& strength, const Bundle<Real, n>& r,
                             Vec<Real> not_leaked, Vec<Real> minus_log_nu) {
  using F = Format<Real>;
  const auto s = clamp<Real>(strength / clamp<Real>(r, F::least_share, 1), 0, F::most_exponent);
  const auto off = exp(each([](Vec<Real> x) { return -x; }, s)) * not_leaked;
  const auto on = each([](Vec<Real> x) { return 1 - x; }, off);
  const auto value = log(on) + minus_log_nu;
  const auto slope = off / on;
  return {value, value - s * slope, slope};
}

inline Vec<float> narrow(Vec<double> x) { return __builtin_convertvector(x, Vec<float>); }
inline Vec<double> widen(Vec<float> x) { return __builtin_convertvector(x, Vec<double>); }

/// Lanes [lane, lane + width) of the tables: pointers are moved, strides stay.
inline LaneTables from_lane(LaneTables t, std::size_t lane) {
  double** const exact[] = {&t.all_off,        &t.log_odds,   &t.leak,
                            &t.minus_log_leak, &t.strength_0, &t.strength};
  for (double** table : exact) *table += lane;
  float** const fast[] = {&t.fast_not_leaked, &t.fast_minus_log_leak, &t.fast_strength,
                          &t.first_share,     &t.first_gain,          &t.first_term};
  for (float** table : fast) *table += lane;
  return t;
}

/// Tables of one variable; returns -theta_0. log_odds still holds the priors.
Vec<double> prepare_variable(const LaneTables& t, std::size_t a) {
  const std::size_t n = t.n_causes;
  const Vec<double> nu = load(t.leak + a * lanes);
  const Vec<double> minus_log_nu = -log<double>(nu);
  const Vec<double> log_not_leaked = log<double>(1 - nu);
  store<double>(t.minus_log_leak + a * lanes, minus_log_nu);
  store<double>(t.strength_0 + a * lanes, -log_not_leaked);
  store<float>(t.fast_not_leaked + a * lanes, narrow(1 - nu));
  store<float>(t.fast_minus_log_leak + a * lanes, narrow(minus_log_nu));
  Vec<double> total = {};
  for (std::size_t k = 0; k < n; ++k) {
    total += load(t.log_odds + k * lanes) * (1 - load(t.strength + (a * n + k) * lanes));
  }
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t edge = (a * n + k) * lanes;
    const Vec<double> failure = load(t.strength + edge);
    const Vec<double> theta = -log<double>(failure);
    const Vec<double> r = load(t.log_odds + k * lanes) * (1 - failure) / total;
    const auto at = gain_at<double, 1>({{theta}}, {{r}}, 1 - nu, minus_log_nu);
    store<double>(t.strength + edge, theta);
    store<float>(t.fast_strength + edge, narrow(theta));
    store<float>(t.first_share + edge, narrow(r));
    store<float>(t.first_gain + edge, narrow(at.gain.at[0]));
    store<float>(t.first_term + edge, narrow(theta + r * at.value.at[0]));
  }
  return log_not_leaked;
}

/// Variable m: always on by its leak, and no cause's child.
void prepare_none(const LaneTables& t) {
  const std::size_t none = t.n_observed * lanes;
  store<double>(t.leak + none, all_of(1.));
  store<double>(t.minus_log_leak + none, Vec<double>{});
  store<double>(t.strength_0 + none, Vec<double>{});
  store<float>(t.fast_not_leaked + none, Vec<float>{});
  store<float>(t.fast_minus_log_leak + none, Vec<float>{});
  for (std::size_t k = 0; k < t.n_causes; ++k) {
    const std::size_t edge = none * t.n_causes + k * lanes;
    store<double>(t.strength + edge, Vec<double>{});
    store<float>(t.fast_strength + edge, Vec<float>{});
    store<float>(t.first_share + edge, all_of(1.F));
    store<float>(t.first_gain + edge, Vec<float>{});
    store<float>(t.first_term + edge, Vec<float>{});
  }
}

void prepare(const LaneTables& tables) {
  for (std::size_t lane = 0; lane < lanes; lane += width) {
    const LaneTables t = from_lane(tables, lane);
    Vec<double> all_off = {};
    for (std::size_t a = 0; a < t.n_observed; ++a) all_off += prepare_variable(t, a);
    prepare_none(t);
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

}  // namespace
}  // namespace orrery::variational_em
