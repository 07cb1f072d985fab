// The screen: is the third singular value of an unfolding above a threshold? One lane per quartet,
// single precision.
//
// With e1..e4 the elementary symmetric polynomials of the squared singular values of an unfolding M
// (sums of its squared 1x1 to 4x4 minors), the polynomial
//   (x + t)^4 - e1 (x + t)^3 + e2 (x + t)^2 - e3 (x + t) + e4
// has only real roots, so that its number of positive roots - of squared singular values above t -
// is exactly its number of sign changes (Descartes). Three or more: the third one exceeds t.
// About 190 operations an unfolding; a singular value decomposition costs thousands.
//
// These files may contract into fused multiply-adds: instruction sets then round differently, but
// only decisions that hold with room to spare are used (screen_limits), so that results agree.
#pragma once

#include "families/noisy_or/quartet/scan/lanes.hpp"

namespace orrery::quartet {
namespace {

// Whole vectors are copied whatever n is: what stands behind lane size + n is overwritten next.
void append(QuartetBatch& batch, const QuartetRows& rows, std::size_t d, std::size_t n) {
  for (std::size_t set = 0; set < 8; ++set) {
    double* without_d = batch.negative[set].data() + batch.size;
    double* with_d = batch.negative[set + 8].data() + batch.size;
    for (std::size_t i = 0; i < QuartetBatch::lanes; ++i) without_d[i] = rows.without_d[set];
    std::memcpy(with_d, rows.with_d[set] + d, QuartetBatch::lanes * sizeof(double));
  }
  batch.size += n;
}

inline Floats load_floats(const double* values) {
  WideDoubles wide;
  std::memcpy(&wide, values, sizeof wide);
  return __builtin_convertvector(wide, Floats);
}

// P(exactly S off) by inclusion-exclusion over supersets.
inline void cells_of_batch(const QuartetBatch& batch, std::size_t lane, Floats* cells) {
  for (std::size_t set = 0; set < 16; ++set) {
    cells[set] = load_floats(batch.negative[set].data() + lane);
  }
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) cells[set] -= cells[set | bit];
    }
  }
}

// e1 to e4 of an unfolding: sums of its squared minors.
struct MinorSums {
  Floats e1, e2, e3, e4;
};

// A constant unfolding: all indices are known to the compiler, cells stay in registers.
template <std::size_t which>
inline MinorSums minor_sums(const Floats* cells, Floats e1) {
  constexpr Unfolding u = unfoldings[which];
  const auto at = [&](std::size_t row, std::size_t column) {
    return cells[cell_index(u, row, column)];
  };
  const auto minor2 = [&](std::size_t r, std::size_t s, std::size_t c, std::size_t d) {
    return at(r, c) * at(s, d) - at(r, d) * at(s, c);
  };
  // Minors of rows 0, 1 and of rows 2, 3, by column pair 01 02 03 12 13 23.
  constexpr std::size_t pair_first[6] = {0, 0, 0, 1, 1, 2};
  constexpr std::size_t pair_second[6] = {1, 2, 3, 2, 3, 3};
  Floats top[6];
  Floats bottom[6];
  for (std::size_t i = 0; i < 6; ++i) {
    top[i] = minor2(0, 1, pair_first[i], pair_second[i]);
    bottom[i] = minor2(2, 3, pair_first[i], pair_second[i]);
  }
  const auto squares = [](const Floats* x) {
    return (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) + (x[3] * x[3] + x[4] * x[4] + x[5] * x[5]);
  };
  const auto squares_of_rows = [&](std::size_t r, std::size_t s) {
    Floats minors[6];
    for (std::size_t i = 0; i < 6; ++i) minors[i] = minor2(r, s, pair_first[i], pair_second[i]);
    return squares(minors);
  };
  const Floats e2 = ((squares(top) + squares(bottom)) + squares_of_rows(0, 2)) +
                    ((squares_of_rows(0, 3) + squares_of_rows(1, 2)) + squares_of_rows(1, 3));
  // A 3x3 minor expands along its third row by the 2x2 minors of the two others.
  const auto squares_with_row = [&](const Floats* pair, std::size_t row) {
    const Floats m012 = at(row, 0) * pair[3] - at(row, 1) * pair[1] + at(row, 2) * pair[0];
    const Floats m013 = at(row, 0) * pair[4] - at(row, 1) * pair[2] + at(row, 3) * pair[0];
    const Floats m023 = at(row, 0) * pair[5] - at(row, 2) * pair[2] + at(row, 3) * pair[1];
    const Floats m123 = at(row, 1) * pair[5] - at(row, 2) * pair[4] + at(row, 3) * pair[3];
    return (m012 * m012 + m013 * m013) + (m023 * m023 + m123 * m123);
  };
  const Floats e3 = (squares_with_row(top, 2) + squares_with_row(top, 3)) +
                    (squares_with_row(bottom, 0) + squares_with_row(bottom, 1));
  const Floats determinant = (top[0] * bottom[5] - top[1] * bottom[4] + top[2] * bottom[3]) +
                             (top[3] * bottom[2] - top[4] * bottom[1] + top[5] * bottom[0]);
  return {e1, e2, e3, determinant * determinant};
}

// All ones where at least three squared singular values exceed t: sign changes of the coefficients
// 1, c3, c2, c1, c0 of the shifted polynomial. c3 < 0, since e1 >= 1/16 and t is far smaller.
inline FloatMask third_exceeds(const MinorSums& e, float t) {
  const Floats c2 = (6 * t * t - 3 * t * e.e1) + e.e2;
  const Floats c1 = ((4 * t * t * t - 3 * t * t * e.e1) + 2 * t * e.e2) - e.e3;
  const Floats c0 = (((t * t * t * t - t * t * t * e.e1) + t * t * e.e2) - t * e.e3) + e.e4;
  return ((c2 > 0) & ((c1 < 0) | (c0 < 0))) | ((c2 <= 0) & (c1 > 0) & (c0 < 0));
}

// Bits of two masks, lane i of the first as bit i, of the second as bit 16 + i: every lane keeps
// its own two bits, then halves are merged.
inline std::uint32_t lane_bits(FloatMask first, FloatMask second) {
  std::uint32_t bits[float_lanes];
  for (std::size_t i = 0; i < float_lanes; ++i) {
    bits[i] = (static_cast<std::uint32_t>(first[i]) & (1U << i)) |
              (static_cast<std::uint32_t>(second[i]) & (0x10000U << i));
  }
  for (std::size_t half = float_lanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) bits[i] |= bits[i + half];
  }
  return bits[0];
}

// Flattened: the vectors of its parts then stay in registers.
[[gnu::flatten]] ScreenResult screen(const QuartetBatch& batch, const ScreenLimits& limits) {
  // Without a bar below the threshold everything not rejected is kept: one limit decides.
  const bool two_sided = limits.keep < limits.reject;
  ScreenResult result;
  for (std::size_t lane = 0; lane < QuartetBatch::lanes; lane += float_lanes) {
    Floats cells[16];
    cells_of_batch(batch, lane, cells);
    Floats e1 = {};
    for (const Floats& cell : cells) e1 += cell * cell;
    const MinorSums sums[3] = {minor_sums<0>(cells, e1), minor_sums<1>(cells, e1),
                               minor_sums<2>(cells, e1)};
    const auto above = [&](float limit) {
      return third_exceeds(sums[0], limit) | third_exceeds(sums[1], limit) |
             third_exceeds(sums[2], limit);
    };
    const FloatMask reject = above(limits.reject);
    const std::uint32_t rejected = lane_bits(reject, two_sided ? above(limits.keep) : reject);
    result.above_reject |= (rejected & 0xFFFFU) << lane;
    result.above_keep |= (rejected >> 16U) << lane;
    if (two_sided) result.above_accept |= lane_bits(above(limits.accept), reject) << lane & 0xFFFFU;
  }
  if (!two_sided) result.above_accept = result.above_reject;
  return result;
}

}  // namespace
}  // namespace orrery::quartet
