// exp and log in single and double precision, a lane a number. Only additions, multiplications,
// divisions and shifts of bits, in one order: the same bits from every instruction set. Included
// once by a file that is compiled for one instruction set and sets ORRERY_LANES; everything has
// internal linkage, so that no wide instruction leaks elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace orrery::variational_em {
namespace {

inline constexpr std::size_t width = ORRERY_LANES;

template <class Scalar>
struct VectorOf {
  typedef Scalar type __attribute__((vector_size(width * sizeof(Scalar))));
};
template <class Real>
using Vec = typename VectorOf<Real>::type;

/// A number's bits, and how many terms its series need.
template <class Real>
struct Format;
template <>
struct Format<float> {
  using Integer = std::int32_t;
  static constexpr int mantissa_bits = 23;
  static constexpr Integer one = 0x3f800000, root_of_half = 0x3f3504f3;
  static constexpr float round = 0x1.8p23F, ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
  static constexpr int exp_terms = 7, log_terms = 4;
  static constexpr float most_exponent = 80, least_share = 1e-30F;
};
template <>
struct Format<double> {
  using Integer = std::int64_t;
  static constexpr int mantissa_bits = 52;
  static constexpr Integer one = 0x3ff0000000000000, root_of_half = 0x3fe6a09e667f3bcd;
  static constexpr double round = 0x1.8p52, ln2_high = 0x1.62e42feep-1,
                          ln2_low = 0x1.a39ef35793c76p-33;
  static constexpr int exp_terms = 12, log_terms = 9;
  static constexpr double most_exponent = 700, least_share = 1e-200;
};
template <class Real>
using Bits = typename VectorOf<typename Format<Real>::Integer>::type;

template <class Real>
inline Vec<Real> load(const Real* values) {
  Vec<Real> v;
  std::memcpy(&v, values, sizeof v);
  return v;
}
template <class Real>
inline void store(Real* values, Vec<Real> v) {
  std::memcpy(values, &v, sizeof v);
}
template <class To, class From>
inline To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
template <class Real>
inline Vec<Real> all_of(Real value) {
  return Vec<Real>{} + value;
}
/// In parts that fill a register: of longer vectors the compiler would choose lane by lane.
template <class Real>
inline Vec<Real> clamp(Vec<Real> x, Real least, Real most) {
  constexpr std::size_t register_bytes = width * sizeof(float);
  typedef Real Part __attribute__((vector_size(register_bytes)));
  Part parts[sizeof x / register_bytes];
  std::memcpy(parts, &x, sizeof x);
  for (Part& part : parts) {
    part = part > least ? part : Part{} + least;
    part = part < most ? part : Part{} + most;
  }
  std::memcpy(&x, parts, sizeof x);
  return x;
}

/// n vectors that take every step of a formula one after the other, before the next step. The steps
/// of an exponential wait for one another; the processor has other vectors to work on meanwhile.
/// The numbers are those of each vector by itself.
template <class Real, std::size_t n>
struct Bundle {
  Vec<Real> at[n];
};
/// Vectors taken together: from one to four, the E-step of IMG takes 0.8 of the time with AVX-512,
/// 0.7 with AVX2 and without either; two are half of that, six or eight no better.
inline constexpr std::size_t bundled = 4;

/// f of the i-th vectors of all bundles, for each i.
template <class Function, class Real, std::size_t n, class... Others>
inline auto each(const Function& f, const Bundle<Real, n>& first, const Others&... others) {
  Bundle<Real, n> result;
  for (std::size_t i = 0; i < n; ++i) result.at[i] = f(first.at[i], others.at[i]...);
  return result;
}

template <class Real, std::size_t n>
inline Bundle<Real, n> operator+(const Bundle<Real, n>& x, const Bundle<Real, n>& y) {
  return each([](Vec<Real> a, Vec<Real> b) { return a + b; }, x, y);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> operator-(const Bundle<Real, n>& x, const Bundle<Real, n>& y) {
  return each([](Vec<Real> a, Vec<Real> b) { return a - b; }, x, y);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> operator*(const Bundle<Real, n>& x, const Bundle<Real, n>& y) {
  return each([](Vec<Real> a, Vec<Real> b) { return a * b; }, x, y);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> operator/(const Bundle<Real, n>& x, const Bundle<Real, n>& y) {
  return each([](Vec<Real> a, Vec<Real> b) { return a / b; }, x, y);
}
/// The same vector for all.
template <class Real, std::size_t n>
inline Bundle<Real, n> operator+(const Bundle<Real, n>& x, Vec<Real> y) {
  return each([y](Vec<Real> a) { return a + y; }, x);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> operator*(const Bundle<Real, n>& x, Vec<Real> y) {
  return each([y](Vec<Real> a) { return a * y; }, x);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> operator/(const Bundle<Real, n>& x, Vec<Real> y) {
  return each([y](Vec<Real> a) { return a / y; }, x);
}
template <class Real, std::size_t n>
inline Bundle<Real, n> clamp(const Bundle<Real, n>& x, Real least, Real most) {
  return each([=](Vec<Real> a) { return clamp<Real>(a, least, most); }, x);
}

/// |x| at most most_exponent. Error: a few units in the last place.
template <class Real, std::size_t n>
inline Bundle<Real, n> exp(const Bundle<Real, n>& x) {
  using F = Format<Real>;
  // x = k ln 2 + r, |r| <= ln 2 / 2. Adding `round` leaves k in the lowest bits.
  const auto rounded =
      each([](Vec<Real> a) { return a * static_cast<Real>(0x1.71547652b82fep0) + F::round; }, x);
  const auto r = each(
      [](Vec<Real> a, Vec<Real> around) {
        const Vec<Real> k = around - F::round;
        return (a - k * F::ln2_high) - k * F::ln2_low;
      },
      x, rounded);
  // Taylor, inside out.
  auto p = each([](Vec<Real>) { return all_of<Real>(1); }, x);
#pragma GCC unroll 12
  for (int i = F::exp_terms - 1; i > 0; --i) {
    p = each([i](Vec<Real> a) { return a * (1 / static_cast<Real>(i)) + 1; }, p * r);
  }
  return each(
      [](Vec<Real> a, Vec<Real> around) {
        return same_bits<Vec<Real>>(same_bits<Bits<Real>>(a) +
                                    (same_bits<Bits<Real>>(around) << F::mantissa_bits));
      },
      p, rounded);
}

/// x > 0 and normal. Error: a few units in the last place of the result or of 1.
template <class Real, std::size_t n>
inline Bundle<Real, n> log(const Bundle<Real, n>& x) {
  using F = Format<Real>;
  constexpr auto unit = typename F::Integer{1} << F::mantissa_bits;
  // x = 2^k m, m in [sqrt(1/2), sqrt(2)).
  const auto shifted = [](Vec<Real> a) {
    return same_bits<Bits<Real>>(a) + (F::one - F::root_of_half);
  };
  const auto m = each(
      [&](Vec<Real> a) {
        return same_bits<Vec<Real>>(Bits<Real>((shifted(a) & (unit - 1)) + F::root_of_half));
      },
      x);
  // An integer below 2^b behind the exponent of 2^b, b the bits of the mantissa, is that much more.
  constexpr Real base = static_cast<Real>(unit);
  const auto k = each(
      [&](Vec<Real> a) {
        return same_bits<Vec<Real>>(Bits<Real>((shifted(a) >> F::mantissa_bits) |
                                               same_bits<typename F::Integer>(base))) -
               (base + static_cast<Real>(F::one >> F::mantissa_bits));
      },
      x);
  // log m = 2 artanh((m - 1) / (m + 1)).
  const auto s = each([](Vec<Real> a) { return (a - 1) / (a + 1); }, m);
  const auto z = s * s;
  auto p = each([](Vec<Real>) { return Vec<Real>{}; }, x);
#pragma GCC unroll 9
  for (int i = F::log_terms - 1; i >= 0; --i) {
    p = p * z + all_of(1 / static_cast<Real>(2 * i + 1));
  }
  return k * all_of(static_cast<Real>(0x1.62e42fefa39efp-1)) + (s + s) * p;
}

/// Of one vector.
template <class Real>
inline Vec<Real> exp(Vec<Real> x) {
  return exp(Bundle<Real, 1>{{x}}).at[0];
}
template <class Real>
inline Vec<Real> log(Vec<Real> x) {
  return log(Bundle<Real, 1>{{x}}).at[0];
}

/// 1 / (1 + exp(-x)), any x.
template <class Real>
inline Vec<Real> sigmoid(Vec<Real> x) {
  constexpr Real most = Format<Real>::most_exponent;
  return 1 / (1 + exp<Real>(clamp<Real>(-x, -most, most)));
}

/// log(1 + exp(x)), any x.
inline Vec<double> softplus(Vec<double> x) {
  const Vec<double> zero = {};
  const Vec<double> size = x < zero ? -x : x;
  return (x > zero ? x : zero) +
         log<double>(1. + exp<double>(clamp<double>(-size, -Format<double>::most_exponent, 0)));
}

}  // namespace
}  // namespace orrery::variational_em
