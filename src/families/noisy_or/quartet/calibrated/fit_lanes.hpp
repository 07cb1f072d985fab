// Generalised least squares of one cause, one lane per quartet (quartet_fit.hpp). Plain operations
// in a fixed order and no contraction into fused multiply-adds: every instruction set gives the
// same bits, whatever is in the other lanes. About 10,000 vector operations a batch.
#pragma once

#include <limits>

#include "families/noisy_or/quartet/calibrated/quartet_fit.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/scan/lanes.hpp"
#include "kernels/logarithm.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t n_parameters = 5;  // prior, four failures

inline Doubles larger(Doubles x, Doubles y) { return choose(x < y, y, x); }
inline Doubles smaller(Doubles x, Doubles y) { return choose(y < x, y, x); }
inline Doubles all(double value) { return Doubles{} + value; }
inline Doubles load(const double* values) {
  Doubles lanes;
  std::memcpy(&lanes, values, sizeof lanes);
  return lanes;
}
inline void store(Doubles lanes, double* values) { std::memcpy(values, &lanes, sizeof lanes); }

// v[S] <- sum over T in S of (-1)^{|S \ T|} v[T].
inline void to_cumulants(Doubles* v) {
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) != 0) v[set] -= v[set ^ bit];
    }
  }
}

struct Parameters {
  Doubles value[n_parameters];  // prior, failures
};

// c[S] = 1 - p + p * (product of the failures in S), and those products.
inline void factors_of(const Parameters& at, Doubles* product, Doubles* factor) {
  product[0] = all(1);
  factor[0] = all(1);
  for (std::size_t set = 1; set < 16; ++set) {
    const auto k = static_cast<std::size_t>(__builtin_ctz(static_cast<unsigned>(set)));
    product[set] = product[set & (set - 1)] * at.value[1 + k];
    factor[set] = (1.0 - at.value[0]) + at.value[0] * product[set];
  }
}

// Cholesky factor of the covariance of the eleven cumulants: row i at [i (i + 1) / 2], the diagonal
// inverted.
struct Whitening {
  Doubles factor[n_covariances];
  DoubleMask sound;  // lanes whose matrix is positive definite
};

// From covariances over all rows to those over the rows that observed S, T and both.
inline void spread_over_rows(const FitBatch& batch, std::size_t lane, Doubles (*matrix)[16]) {
  Doubles share[16];
  Doubles inverse[16];
  const Doubles one_row = 1.0 / load(batch.rows[0].data() + lane);
  for (std::size_t s = 0; s < 16; ++s) {
    share[s] = load(batch.rows[s].data() + lane) * one_row;
    inverse[s] = 1.0 / share[s];
  }
  for (std::size_t s = 0; s < 16; ++s) {
    for (std::size_t t = 0; t < 16; ++t) matrix[s][t] *= share[s | t] * (inverse[s] * inverse[t]);
  }
}

// `moment`: P(S off) from which the delta method takes the covariance.
inline Whitening whitening_of(const Doubles* moment, const FitBatch& batch, std::size_t lane) {
  Doubles inverse[16];
  for (std::size_t s = 0; s < 16; ++s) inverse[s] = 1.0 / moment[s];
  const Doubles one_row = 1.0 / load(batch.rows[0].data() + lane);
  Doubles matrix[16][16];
  for (std::size_t s = 0; s < 16; ++s) {
    for (std::size_t t = 0; t <= s; ++t) {
      const Doubles ratio = moment[s | t] * (inverse[s] * inverse[t]) - 1.0;
      matrix[s][t] = matrix[t][s] = ratio * one_row;
    }
  }
  if (batch.has_missing) spread_over_rows(batch, lane, matrix);
  for (auto& row : matrix) to_cumulants(row);
  Whitening result;
  result.sound = ~DoubleMask{};
  for (std::size_t j = 0; j < n_cumulants; ++j) {
    Doubles column[16];
    for (std::size_t s = 0; s < 16; ++s) column[s] = matrix[s][coupled_sets[j]];
    to_cumulants(column);
    for (std::size_t i = j; i < n_cumulants; ++i) {
      const std::size_t at = i * (i + 1) / 2 + j;
      result.factor[at] = column[coupled_sets[i]];
      if (batch.has_learned) result.factor[at] += load(batch.extra[at].data() + lane);
    }
  }
  Doubles* l = result.factor;
  for (std::size_t i = 0; i < n_cumulants; ++i) {
    Doubles* row = l + i * (i + 1) / 2;
    for (std::size_t j = 0; j <= i; ++j) {
      const Doubles* other = l + j * (j + 1) / 2;
      Doubles sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) {
        row[j] = sum * other[j];
      } else {
        const DoubleMask positive = sum > 0;
        result.sound &= positive;
        row[i] = 1.0 / square_root(choose(positive, sum, all(1)));
      }
    }
  }
  return result;
}

// v <- L^-1 v.
inline void whiten(const Whitening& w, Doubles* v) {
  for (std::size_t i = 0; i < n_cumulants; ++i) {
    const Doubles* row = w.factor + i * (i + 1) / 2;
    for (std::size_t k = 0; k < i; ++k) v[i] -= row[k] * v[k];
    v[i] *= row[i];
  }
}

inline constexpr std::size_t packed(std::size_t i, std::size_t j) { return i * (i + 1) / 2 + j; }

// Half the weighted square's quadratic form at a point: residual^2, J^T J (lower triangle) and
// J^T r, all whitened.
struct Normal {
  Doubles chi_square;
  Doubles matrix[15];
  Doubles gradient[n_parameters];
};

inline Normal normal_at(const Parameters& at, const Doubles* observed, const Whitening& w) {
  Doubles product[16];
  Doubles factor[16];
  factors_of(at, product, factor);
  Doubles model[16];
  Doubles slope[n_parameters][16];
  model[0] = all(0);
  for (auto& column : slope) column[0] = all(0);
  for (std::size_t set = 1; set < 16; ++set) {
    const Doubles inverse = 1.0 / factor[set];
    model[set] = kernels::logarithm<Doubles, DoubleMask>(factor[set]);
    slope[0][set] = (product[set] - 1.0) * inverse;
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t bit = std::size_t{1} << k;
      slope[1 + k][set] = (set & bit) != 0 ? at.value[0] * product[set ^ bit] * inverse : all(0);
    }
  }
  to_cumulants(model);
  Doubles residual[n_cumulants];
  for (std::size_t i = 0; i < n_cumulants; ++i) residual[i] = observed[i] - model[coupled_sets[i]];
  whiten(w, residual);
  Doubles jacobian[n_parameters][n_cumulants];
  for (std::size_t p = 0; p < n_parameters; ++p) {
    to_cumulants(slope[p]);
    for (std::size_t i = 0; i < n_cumulants; ++i) jacobian[p][i] = slope[p][coupled_sets[i]];
    whiten(w, jacobian[p]);
  }
  const auto dot = [](const Doubles* x, const Doubles* y) {
    Doubles sum = x[0] * y[0];
    for (std::size_t i = 1; i < n_cumulants; ++i) sum += x[i] * y[i];
    return sum;
  };
  Normal normal;
  normal.chi_square = dot(residual, residual);
  for (std::size_t p = 0; p < n_parameters; ++p) {
    for (std::size_t q = 0; q <= p; ++q)
      normal.matrix[packed(p, q)] = dot(jacobian[p], jacobian[q]);
    normal.gradient[p] = dot(jacobian[p], residual);
  }
  return normal;
}

// Cholesky factor of the 5 x 5 matrix with its diagonal times 1 + damping; diagonal inverted.
inline void factorise(const Doubles* matrix, Doubles damping, Doubles* l) {
  for (std::size_t i = 0; i < n_parameters; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      Doubles sum = matrix[packed(i, j)];
      if (i == j) sum += sum * damping;
      for (std::size_t k = 0; k < j; ++k) sum -= l[packed(i, k)] * l[packed(j, k)];
      // A direction that the data do not see gets no step.
      l[packed(i, j)] =
          i == j ? 1.0 / square_root(larger(sum, all(1e-12) + 1e-12 * matrix[packed(i, i)]))
                 : sum * l[packed(j, j)];
    }
  }
}

inline void solve(const Doubles* l, Doubles* x) {
  for (std::size_t i = 0; i < n_parameters; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[packed(i, k)] * x[k];
    x[i] *= l[packed(i, i)];
  }
  for (std::size_t i = n_parameters; i-- > 0;) {
    for (std::size_t k = i + 1; k < n_parameters; ++k) x[i] -= l[packed(k, i)] * x[k];
    x[i] *= l[packed(i, i)];
  }
}

// The parameters of one cause from the ratios P(S) / product of P(a) alone: with t_a = the child's
// effect times sqrt(p (1 - p)), the second central moments are t_a t_b and the third
// -(1 - 2p) / sqrt(p (1 - p)) t_a t_b t_x.
inline Parameters first_guess(const Doubles* cumulant) {
  const auto expm1 = [](Doubles x) {  // a guess needs no more: |x| is small, or the quartet strange
    return x * (1.0 + x * (0.5 + x * (1.0 / 6 + x * (1.0 / 24))));
  };
  Doubles pair[16] = {};
  for (const std::size_t set : {3U, 5U, 6U, 9U, 10U, 12U}) {
    pair[set] = larger(expm1(smaller(cumulant[set], all(1.5))), all(1e-9));
  }
  Doubles skew = all(0);
  Doubles scale = all(0);
  Doubles effect[4];
  const auto joint = [&](std::size_t i, std::size_t j) {
    return pair[(std::size_t{1} << i) | (std::size_t{1} << j)];
  };
  for (std::size_t a = 0; a < 4; ++a) {
    const std::size_t b = (a + 1) % 4;
    const std::size_t c = (a + 2) % 4;
    const std::size_t d = (a + 3) % 4;
    const Doubles ab = joint(a, b);
    const Doubles ac = joint(a, c);
    const Doubles ad = joint(a, d);
    effect[a] =
        square_root((ab * ac + ab * ad + ac * ad) / (joint(b, c) + joint(b, d) + joint(c, d)));
  }
  for (std::size_t a = 0; a < 4; ++a) {  // the triple without a
    const std::size_t b = (a + 1) % 4;
    const std::size_t c = (a + 2) % 4;
    const std::size_t d = (a + 3) % 4;
    const std::size_t triple = 15U ^ (std::size_t{1} << a);
    const Doubles pairs = joint(b, c) + joint(b, d) + joint(c, d);
    const Doubles log_ratio = cumulant[triple] + cumulant[(1U << b) | (1U << c)] +
                              cumulant[(1U << b) | (1U << d)] + cumulant[(1U << c) | (1U << d)];
    skew += pairs - expm1(smaller(log_ratio, all(1.5)));
    scale += effect[b] * effect[c] * effect[d];
  }
  const Doubles gamma = skew / scale;
  Parameters guess;
  const Doubles prior = 0.5 - 0.5 * gamma / square_root(4.0 + gamma * gamma);
  guess.value[0] = smaller(larger(prior, all(1e-4)), all(.55));
  const Doubles deviation = square_root(guess.value[0] * (1.0 - guess.value[0]));
  for (std::size_t a = 0; a < 4; ++a) {
    const Doubles delta = effect[a] / deviation;
    const Doubles failure = 1.0 - delta / (1.0 + guess.value[0] * delta);
    guess.value[1 + a] = smaller(larger(failure, all(.01)), all(.95));
  }
  return guess;
}

// Levenberg-Marquardt from `best` on; lanes that are done stay as they are.
inline Normal minimise(const Doubles* observed, const Whitening& w, Parameters& best,
                       DoubleMask active) {
  Normal at_best = normal_at(best, observed, w);
  Doubles damping = all(1e-3);
  for (int step = 0; step < constants::calibrated::most_fit_steps && any(active); ++step) {
    Doubles l[15];
    Doubles move[n_parameters];
    factorise(at_best.matrix, damping, l);
    Doubles gain = all(0);
    for (std::size_t p = 0; p < n_parameters; ++p) move[p] = at_best.gradient[p];
    solve(l, move);
    for (std::size_t p = 0; p < n_parameters; ++p) gain += move[p] * at_best.gradient[p];
    // Nothing to gain, or far from ever fitting.
    active &=
        (gain > .002 + 1e-4 * at_best.chi_square) & (at_best.chi_square - 2.0 * gain < 1000.0);
    Parameters next;
    next.value[0] = smaller(larger(best.value[0] + move[0], best.value[0] * .2), all(.7));
    for (std::size_t p = 1; p < n_parameters; ++p) {
      next.value[p] = smaller(larger(best.value[p] + move[p], all(0)), all(.99));
    }
    const Normal there = normal_at(next, observed, w);
    const DoubleMask better = active & (there.chi_square < at_best.chi_square);
    damping = choose(active, choose(better, damping * .1, damping * 10.0), damping);
    at_best.chi_square = choose(better, there.chi_square, at_best.chi_square);
    for (std::size_t i = 0; i < 15; ++i) {
      at_best.matrix[i] = choose(better, there.matrix[i], at_best.matrix[i]);
    }
    for (std::size_t p = 0; p < n_parameters; ++p) {
      at_best.gradient[p] = choose(better, there.gradient[p], at_best.gradient[p]);
      best.value[p] = choose(better, next.value[p], best.value[p]);
    }
  }
  return at_best;
}

// Moments of the fit: what the singles, the learned causes and the fitted cause make together.
inline void fitted_moments(const Parameters& at, const Doubles* moment, const Doubles* learned,
                           Doubles* fitted) {
  Doubles product[16];
  Doubles factor[16];
  factors_of(at, product, factor);
  Doubles leaks[16];
  leaks[0] = all(1);
  fitted[0] = all(1);
  for (std::size_t set = 1; set < 16; ++set) {
    const std::size_t rest = set & (set - 1);
    const std::size_t bit = set ^ rest;
    leaks[set] = leaks[rest] * (moment[bit] / (learned[bit] * factor[bit]));
    fitted[set] = leaks[set] * (learned[set] * factor[set]);
  }
}

void fit_lanes(const FitBatch& batch, FitResult& result, std::size_t lane) {
  Doubles moment[16];
  Doubles learned[16];
  Doubles logs[16];
  for (std::size_t set = 0; set < 16; ++set) {
    moment[set] = load(batch.moment[set].data() + lane);
    learned[set] = batch.has_learned ? load(batch.learned[set].data() + lane) : all(1);
    logs[set] = kernels::logarithm<Doubles, DoubleMask>(moment[set]);
    if (batch.has_learned) logs[set] -= kernels::logarithm<Doubles, DoubleMask>(learned[set]);
  }
  to_cumulants(logs);
  Doubles observed[n_cumulants];
  for (std::size_t i = 0; i < n_cumulants; ++i) observed[i] = logs[coupled_sets[i]];

  Parameters at = first_guess(logs);
  // The covariance is that of the fit (Pearson): that of the data (Neyman) leans towards what
  // happens to be rare in them.
  DoubleMask sound = {};
  Normal fit = {};
  for (int round = 0; round < constants::calibrated::n_fit_rounds; ++round) {
    Doubles fitted[16];
    fitted_moments(at, moment, learned, fitted);
    const Whitening expected = whitening_of(fitted, batch, lane);
    Parameters next = at;
    const DoubleMask refit =
        expected.sound & (fit.chi_square < constants::calibrated::hopeless_fit);
    const Normal again = minimise(observed, expected, next, refit);
    if (round == 0) sound = expected.sound;
    fit.chi_square = choose(refit, again.chi_square, fit.chi_square);
    for (std::size_t i = 0; i < 15; ++i)
      fit.matrix[i] = choose(refit, again.matrix[i], fit.matrix[i]);
    for (std::size_t p = 0; p < n_parameters; ++p)
      at.value[p] = choose(refit, next.value[p], at.value[p]);
  }
  Doubles l[15];
  factorise(fit.matrix, all(0), l);
  store(choose(sound, fit.chi_square, all(std::numeric_limits<double>::infinity())),
        result.chi_square.data() + lane);
  for (std::size_t p = 0; p < n_parameters; ++p) {
    Doubles unit[n_parameters] = {};
    unit[p] += 1.0;
    solve(l, unit);
    const Doubles error = square_root(unit[p]);
    store(at.value[p], (p == 0 ? result.prior : result.failure[p - 1]).data() + lane);
    store(error, (p == 0 ? result.prior_error : result.failure_error[p - 1]).data() + lane);
  }
}

void fit(const FitBatch& batch, FitResult& result) {
  for (std::size_t lane = 0; lane < FitBatch::lanes; lane += double_lanes) {
    fit_lanes(batch, result, lane);
  }
}

}  // namespace
}  // namespace orrery::quartet
