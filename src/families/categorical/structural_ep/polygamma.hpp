// The first two derivatives of log gamma, from plain operations in a fixed order, for scalars and
// vectors: the same bytes from every instruction set.
//
// From 10 on an asymptotic series (next term: below 1e-16); below, twelve steps of the recurrences
// psi(x) = psi(x + 1) - 1 / x and psi'(x) = psi'(x + 1) + 1 / x^2, four at a time with one
// division. Errors are a few units of rounding (dirichlet_test).
#pragma once

#include "kernels/logarithm.hpp"

namespace orrery::structural_ep {

template <class Real>
struct Polygamma {
  Real digamma, trigamma;
};

/// The sums over k < 12 of 1 / (x + k) and of its square.
template <class Real>
inline Polygamma<Real> twelve_terms(Real x) {
  Polygamma<Real> sums{x - x, x - x};
  for (int k = 0; k < 12; k += 4) {
    const Real a = x + static_cast<double>(k);
    const Real twice = a + a + 3.0;  // of a + 3/2, the middle of the four
    const Real outer = a * (a + 3.0);
    const Real inner = outer + 2.0;  // (a + 1) (a + 2)
    const Real share = 1.0 / (outer * inner);
    const Real of_outer = inner * share;
    const Real of_inner = outer * share;
    const Real square = twice * twice;
    sums.digamma += twice * (of_outer + of_inner);
    sums.trigamma += (square - 2.0 * outer) * (of_outer * of_outer) +
                     (square - 2.0 * inner) * (of_inner * of_inner);
  }
  return sums;
}

/// `any_below_ten(x)`: whether the recurrence is needed at all. Word: as kernels::logarithm has it.
/// For x > 0.
template <class Real, class Word, class Any>
inline Polygamma<Real> polygamma_of(Real x, const Any& any_below_ten) {
  Real y = x;
  Polygamma<Real> sums{x - x, x - x};
  if (any_below_ten(x)) {
    const auto is_below = x < 10.0;
    const Polygamma<Real> terms = twelve_terms(x);
    sums.digamma = is_below ? terms.digamma : sums.digamma;
    sums.trigamma = is_below ? terms.trigamma : sums.trigamma;
    y = is_below ? x + 12.0 : x;
  }
  const Real r = 1.0 / y;
  const Real f = r * r;
  const Real of_digamma =
      f *
      (1. / 12 -
       f * (1. / 120 -
            f * (1. / 252 - f * (1. / 240 - f * (1. / 132 - f * (691. / 32760 - f * (1. / 12)))))));
  const Real of_trigamma =
      1. / 6 -
      f * (1. / 30 -
           f * (1. / 42 - f * (1. / 30 - f * (5. / 66 - f * (691. / 2730 - f * (7. / 6))))));
  return {kernels::logarithm<Real, Word>(y) - 0.5 * r - of_digamma - sums.digamma,
          r + 0.5 * f + f * r * of_trigamma + sums.trigamma};
}

}  // namespace orrery::structural_ep
