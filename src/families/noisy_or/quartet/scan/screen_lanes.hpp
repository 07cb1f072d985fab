// The screen: is the third singular value of an unfolding above a threshold? One lane per quartet,
// single precision.
//
// With e1..e4 the elementary symmetric polynomials of the squared singular values of an unfolding M
// (sums of its squared 1x1 to 4x4 minors), the polynomial
//   (x + t)^4 - e1 (x + t)^3 + e2 (x + t)^2 - e3 (x + t) + e4
// has only real roots, so that its number of positive roots - of squared singular values above t -
// is exactly its number of sign changes (Descartes). Three or more: the third one exceeds t.
//
// Neither a turn of the rows nor one of the columns changes singular values: tables are read as
// moments of signs (x = 1 off, -1 on), a quarter of whose table is a turned one, and the rows are
// turned until one column is empty but for its first entry (minor_sums). What is left are cross
// products of three vectors of three: about 110 operations an unfolding, where the minors of the
// table itself take 190 and are 5 times less precise; a singular value decomposition costs
// thousands. Memory: a batch, 5 kB.
//
// These files may contract into fused multiply-adds: instruction sets then round differently, but
// only decisions that hold with room to spare are used (screen_limits), so that results agree.
#pragma once

#include <array>
#include <limits>
#include <utility>

#include "families/noisy_or/quartet/scan/lanes.hpp"

namespace orrery::quartet {
namespace {

inline Floats load_floats(const double* values) {
  WideDoubles wide;
  std::memcpy(&wide, values, sizeof wide);
  return __builtin_convertvector(wide, Floats);
}

// Whole vectors are copied whatever n is: what stands behind lane size + n is overwritten next.
void append(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n) {
  for (std::size_t set = 0; set < 4; ++set) {
    batch.of_pair[set] = static_cast<float>(rows.without_d[set]);
  }
  for (std::size_t i = 0; i < n; i += float_lanes) {
    const std::size_t lane = batch.size + i;
    for (std::size_t set = 0; set < 4; ++set) {
      const Floats with_c = Floats{} + static_cast<float>(rows.without_d[set + 4]);
      std::memcpy(batch.negative[set].data() + lane, &with_c, sizeof with_c);
    }
    for (std::size_t set = 0; set < 8; ++set) {
      const Floats with_d = load_floats(rows.with_d[set] + d + i);
      std::memcpy(batch.negative[set + 4].data() + lane, &with_d, sizeof with_d);
    }
    std::memcpy(batch.all_off.data() + lane, rows.with_d[7] + d + i, sizeof(WideDoubles));
  }
  batch.size += n;
}

// E[product over S of x], where x is 1 if a variable is off and -1 if it is on, by
// inclusion-exclusion over subsets.
inline void signed_moments(const QuartetBatch& batch, std::size_t lane, Floats* moments) {
  for (std::size_t set = 0; set < 4; ++set) moments[set] = Floats{} + batch.of_pair[set];
  for (std::size_t set = 4; set < 16; ++set) {
    std::memcpy(&moments[set], batch.negative[set - 4].data() + lane, sizeof moments[set]);
  }
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) != 0) moments[set] = 2 * moments[set] - moments[set ^ bit];
    }
  }
}

// e2 to e4 of an unfolding: sums of its squared minors.
struct MinorSums {
  Floats e2, e3, e4;
};

// A column of an unfolding, turned: its part along the first column, and what is orthogonal to it.
struct Turned {
  Floats along;
  Floats rest[3];
};

inline void cross(const Floats* x, const Floats* y, Floats* product) {
  product[0] = x[1] * y[2] - x[2] * y[1];
  product[1] = x[2] * y[0] - x[0] * y[2];
  product[2] = x[0] * y[1] - x[1] * y[0];
}
inline Floats dot(const Floats* x, const Floats* y) {
  return x[0] * y[0] + (x[1] * y[1] + x[2] * y[2]);
}

// Columns are (none), x, d, xd; rows are (none), y1, y2, y1 y2. Read as quaternions, the columns
// are multiplied by the conjugate of the first one, 1 + u: that turns all of them alike, makes them
// |1 + u| times as long, and leaves a single entry, |1 + u|^2, in the first one.
template <std::size_t y1, std::size_t y2, std::size_t x>
inline MinorSums minor_sums(const Floats* moments) {
  const Floats* u[3] = {moments + y1, moments + y2, moments + (y1 + y2)};
  const auto turned = [&](std::size_t column) {
    const Floats real = moments[column];
    const Floats i = moments[column + y1];
    const Floats j = moments[column + y2];
    const Floats k = moments[column + y1 + y2];
    return Turned{
        real + *u[0] * i + *u[1] * j + *u[2] * k,
        {i - *u[0] * real + *u[2] * j - *u[1] * k, j - *u[1] * real + *u[0] * k - *u[2] * i,
         k - *u[2] * real + *u[1] * i - *u[0] * j}};
  };
  const Turned v = turned(x);
  const Turned w = turned(8);
  const Turned z = turned(8 + x);
  Floats vw[3];
  Floats vz[3];
  Floats wz[3];
  cross(v.rest, w.rest, vw);
  cross(v.rest, z.rest, vz);
  cross(w.rest, z.rest, wz);
  // 3x3 minors of the last three columns, and their sum weighted by the first row.
  const Floats determinant = dot(v.rest, wz);
  Floats with_first[3];
  Floats weighted[3];
  for (std::size_t i = 0; i < 3; ++i) {
    with_first[i] = v.along * wz[i] - w.along * vz[i] + z.along * vw[i];
    weighted[i] = v.along * v.rest[i] + w.along * w.rest[i] + z.along * z.rest[i];
  }
  const Floats rr = 1 + (*u[0] * *u[0] + (*u[1] * *u[1] + *u[2] * *u[2]));
  const Floats rests = dot(v.rest, v.rest) + (dot(w.rest, w.rest) + dot(z.rest, z.rest));
  const Floats alongs = v.along * v.along + (w.along * w.along + z.along * z.along);
  const Floats crosses = dot(vw, vw) + (dot(vz, vz) + dot(wz, wz));
  const Floats last = determinant * determinant;
  // Lagrange's identity: the 2x2 minors with the first row.
  const Floats e2 = ((rr * rr + alongs) * rests - dot(weighted, weighted)) + crosses;
  const Floats e3 = rr * rr * crosses + (last + dot(with_first, with_first));
  const Floats shorter = 1 / rr;
  const Floats shorter_2 = shorter * shorter;
  return {shorter_2 * e2, shorter_2 * shorter * e3, shorter_2 * last};
}

// A limit, and what the coefficients of the shifted polynomial owe to it and to e1, which all
// unfoldings share.
struct Shifted {
  float t, t_t;
  Floats part2, part1, part0;

  // `limit` of squared singular values of a table of probabilities: those of the moments of signs
  // are 4 times as large before they are squared.
  Shifted(float limit, Floats e1) : t(16 * limit), t_t(t * t) {
    part2 = 6 * t_t - 3 * t * e1;
    part1 = t_t * (4 * t - 3 * e1);
    part0 = t_t * t * (t - e1);
  }
};

// Negative (as an integer) where at least three squared singular values exceed t: sign changes of
// the coefficients 1, c3, c2, c1, c0 of the shifted polynomial. c3 < 0, since e1 >= 1 and t is far
// smaller. The third change is from c2 to c1, or, where c1 is positive, from c1 to c0; c1 is
// positive where c2 is negative and c0 is not.
inline FloatMask third_exceeds(const MinorSums& e, const Shifted& at) {
  const Floats c2 = at.part2 + e.e2;
  const Floats c1 = (at.part1 + 2 * at.t * e.e2) - e.e3;
  const Floats c0 = ((at.part0 + at.t_t * e.e2) - at.t * e.e3) + e.e4;
  const FloatMask negative1 = (FloatMask)c1;  // by the sign bit
  return (negative1 & ~(FloatMask)c2) | (~negative1 & (FloatMask)c0);
}

// f(0), f(1), ... as a constant, which GCC does not make of a loop over lanes by itself.
template <class Function>
constexpr std::array<std::int32_t, float_lanes> by_lane(Function f) {
  std::array<std::int32_t, float_lanes> values{};
  for (std::size_t i = 0; i < float_lanes; ++i) values[i] = f(static_cast<std::int32_t>(i));
  return values;
}
inline FloatMask constant(const std::array<std::int32_t, float_lanes>& values) {
  FloatMask vector;
  std::memcpy(&vector, values.data(), sizeof vector);
  return vector;
}

// Merges lane i + half into lane i.
template <std::size_t half, std::size_t... lane>
inline FloatMask folded(FloatMask mask, std::index_sequence<lane...> /*all lanes*/) {
  return mask | __builtin_shufflevector(mask, mask, ((lane + half) % float_lanes)...);
}
template <std::size_t half>
inline FloatMask folded(FloatMask mask) {
  return folded<half>(mask, std::make_index_sequence<float_lanes>());
}

// The lanes of a mask as bits: every lane keeps its own, then halves are merged.
inline std::uint64_t lane_bits(FloatMask mask) {
  static constexpr auto own = by_lane([](std::int32_t i) { return std::int32_t{1} << i; });
  mask &= constant(own);
  if constexpr (float_lanes == 16) mask = folded<8>(mask);
  if constexpr (float_lanes >= 8) mask = folded<4>(mask);
  mask = folded<1>(folded<2>(mask));
  return static_cast<std::uint32_t>(mask[0]);
}

// Flattened: the vectors of its parts then stay in registers.
[[gnu::flatten]] ScreenResult screen(const QuartetBatch& batch, const ScreenLimits& limits) {
  ScreenResult result;
  if (limits.reject == std::numeric_limits<float>::infinity()) return result;
  // Without a bar below the threshold everything not rejected is kept: one limit decides.
  const bool two_sided = limits.keep < limits.reject;
  for (std::size_t lane = 0; lane < batch.size; lane += float_lanes) {
    Floats moments[16];
    signed_moments(batch, lane, moments);
    Floats e1 = {};
    for (const Floats& moment : moments) e1 += moment * moment;
    const MinorSums sums[3] = {minor_sums<1, 2, 4>(moments), minor_sums<1, 4, 2>(moments),
                               minor_sums<2, 4, 1>(moments)};
    const auto above = [&](float limit) {
      const Shifted at(limit, e1);
      return third_exceeds(sums[0], at) | third_exceeds(sums[1], at) | third_exceeds(sums[2], at);
    };
    // Of probabilities e1 is 16 at most. Larger, or no number: no decision.
    const FloatMask sound = e1 < 32;
    const FloatMask reject = above(limits.reject);
    result.rejected |= lane_bits(sound & (reject < 0)) << lane;
    if (!two_sided) continue;
    const FloatMask only_counted = above(limits.keep) & ~(reject | above(limits.accept));
    result.only_counted |= lane_bits(sound & (only_counted < 0)) << lane;
  }
  return result;
}

}  // namespace
}  // namespace orrery::quartet
