// Rank tests on many quartets at once: one lane a quartet, plain vector arithmetic, no
// contraction into fused multiply-adds, so that every instruction set gives the same bits.
// Included once by each rank_lanes_*.cpp, which is compiled for one instruction set; everything
// here has internal linkage, so that no wide instruction leaks elsewhere.
//
// screen(): with e1..e4 the elementary symmetric polynomials of the squared singular values of an
// unfolding M (sums of its squared 1x1 to 4x4 minors), the polynomial
//   (x + t)^4 - e1 (x + t)^3 + e2 (x + t)^2 - e3 (x + t) + e4
// has only real roots, so that its number of positive roots - of squared singular values above t -
// is exactly its number of sign changes (Descartes). Three or more: the third one exceeds t.
// About 190 operations an unfolding; a singular value decomposition costs thousands.
//
// statistics(): one-sided Jacobi (Hestenes 1958) on the three unfoldings, columns rotated until
// orthogonal to 1e-15.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "learners/quartet/rank_test.hpp"

namespace orrery::quartet {
namespace {

template <class Scalar, std::size_t n>
struct VectorOf {
  typedef Scalar type __attribute__((vector_size(n * sizeof(Scalar))));
};
using Floats = VectorOf<float, ORRERY_FLOAT_LANES>::type;
using FloatMask = VectorOf<std::int32_t, ORRERY_FLOAT_LANES>::type;
using WideDoubles = VectorOf<double, ORRERY_FLOAT_LANES>::type;
using Doubles = VectorOf<double, ORRERY_FLOAT_LANES / 2>::type;
using DoubleMask = VectorOf<std::int64_t, ORRERY_FLOAT_LANES / 2>::type;
inline constexpr std::size_t float_lanes = ORRERY_FLOAT_LANES;
inline constexpr std::size_t double_lanes = ORRERY_FLOAT_LANES / 2;

// The rows and columns of the three unfoldings as sets of off-variables (a = 1, b = 2, c = 4,
// d = 8): (ab|cd), (ac|bd), (ad|bc).
struct Unfolding {
  std::size_t row_first, row_second, column_first, column_second;
};
constexpr Unfolding unfoldings[3] = {{1, 2, 4, 8}, {1, 4, 2, 8}, {1, 8, 2, 4}};

constexpr std::size_t cell_index(const Unfolding& u, std::size_t row, std::size_t column) {
  return ((row & 1U) != 0 ? u.row_first : 0) + ((row & 2U) != 0 ? u.row_second : 0) +
         ((column & 1U) != 0 ? u.column_first : 0) + ((column & 2U) != 0 ? u.column_second : 0);
}

inline Floats load_floats(const double* values) {
  WideDoubles wide;
  std::memcpy(&wide, values, sizeof wide);
  return __builtin_convertvector(wide, Floats);
}

// P(exactly S off) by inclusion-exclusion over supersets.
inline void cells_of_rows(const QuartetRows& rows, std::size_t at, Floats* cells) {
  const Floats zero = {};
  const double without_d[8] = {1, rows.a, rows.b, rows.ab, rows.c, rows.ac, rows.bc, rows.abc};
  const double* with_d[8] = {rows.d,  rows.ad,  rows.bd,  rows.abd,
                             rows.cd, rows.acd, rows.bcd, rows.abcd};
  for (std::size_t set = 0; set < 8; ++set) {
    cells[set + 8] = load_floats(with_d[set] + at);
    cells[set] = (zero + static_cast<float>(without_d[set])) - cells[set + 8];
  }
  for (std::size_t bit = 1; bit < 8; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) == 0) cells[set] -= cells[set | bit];
    }
  }
}

// All ones where at least three squared singular values exceed t.
inline FloatMask third_exceeds(const Floats* cells, const Unfolding& u, Floats e1, float t) {
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
  Floats e2 = {};
  for (std::size_t i = 0; i < 6; ++i) {
    top[i] = minor2(0, 1, pair_first[i], pair_second[i]);
    bottom[i] = minor2(2, 3, pair_first[i], pair_second[i]);
    e2 += top[i] * top[i] + bottom[i] * bottom[i];
  }
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t s = 2; s < 4; ++s) {
      for (std::size_t i = 0; i < 6; ++i) {
        const Floats minor = minor2(r, s, pair_first[i], pair_second[i]);
        e2 += minor * minor;
      }
    }
  }
  // A 3x3 minor expands along its third row by the 2x2 minors of the two others.
  Floats e3 = {};
  const auto add_minor3 = [&](const Floats* pair, std::size_t row) {
    const Floats m012 = at(row, 0) * pair[3] - at(row, 1) * pair[1] + at(row, 2) * pair[0];
    const Floats m013 = at(row, 0) * pair[4] - at(row, 1) * pair[2] + at(row, 3) * pair[0];
    const Floats m023 = at(row, 0) * pair[5] - at(row, 2) * pair[2] + at(row, 3) * pair[1];
    const Floats m123 = at(row, 1) * pair[5] - at(row, 2) * pair[4] + at(row, 3) * pair[3];
    e3 += m012 * m012 + m013 * m013 + m023 * m023 + m123 * m123;
  };
  add_minor3(top, 2);
  add_minor3(top, 3);
  add_minor3(bottom, 0);
  add_minor3(bottom, 1);
  const Floats determinant = top[0] * bottom[5] - top[1] * bottom[4] + top[2] * bottom[3] +
                             top[3] * bottom[2] - top[4] * bottom[1] + top[5] * bottom[0];
  const Floats e4 = determinant * determinant;
  // Coefficients of the shifted polynomial from x^3 down; x^4 has 1.
  const Floats c3 = 4 * t - e1;
  const Floats c2 = (6 * t * t - 3 * t * e1) + e2;
  const Floats c1 = ((4 * t * t * t - 3 * t * t * e1) + 2 * t * e2) - e3;
  const Floats c0 = (((t * t * t * t - t * t * t * e1) + t * t * e2) - t * e3) + e4;
  return (c3 < 0) & (c2 > 0) & ((c1 < 0) | (c0 < 0));
}

std::uint32_t screen(const QuartetRows& rows, std::size_t first, float limit) {
  std::uint32_t rejected = 0;
  for (std::size_t lane = 0; lane < screen_lanes; lane += float_lanes) {
    Floats cells[16];
    cells_of_rows(rows, first + lane, cells);
    Floats e1 = {};
    for (const Floats& cell : cells) e1 += cell * cell;
    FloatMask above = third_exceeds(cells, unfoldings[0], e1, limit);
    above |= third_exceeds(cells, unfoldings[1], e1, limit);
    above |= third_exceeds(cells, unfoldings[2], e1, limit);
    for (std::size_t i = 0; i < float_lanes; ++i) {
      rejected |= static_cast<std::uint32_t>(above[i] & 1) << (lane + i);
    }
  }
  return rejected;
}

inline Doubles choose(DoubleMask mask, Doubles yes, Doubles no) { return mask ? yes : no; }

inline Doubles square_root(Doubles x) {
  for (std::size_t i = 0; i < double_lanes; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}

// Makes columns p and q orthogonal in every lane; returns the lanes that were not.
inline DoubleMask rotate(Doubles (*columns)[4], std::size_t p, std::size_t q) {
  Doubles alpha = {};
  Doubles beta = {};
  Doubles gamma = {};
  for (std::size_t i = 0; i < 4; ++i) {
    alpha += columns[p][i] * columns[p][i];
    beta += columns[q][i] * columns[q][i];
    gamma += columns[p][i] * columns[q][i];
  }
  const Doubles zero = {};
  const Doubles one = zero + 1;
  // |gamma| > 1e-15 sqrt(alpha beta), squared; the second bound ends at underflow.
  const DoubleMask turn = (gamma * gamma > 1e-30 * (alpha * beta)) & (gamma * gamma > 1e-290);
  const Doubles zeta = (beta - alpha) / choose(turn, 2 * gamma, one);
  const Doubles magnitude = choose(zeta < 0, -zeta, zeta);
  Doubles tangent = 1 / (magnitude + square_root(1 + zeta * zeta));
  tangent = choose(zeta < 0, -tangent, tangent);
  tangent = choose(turn, tangent, zero);  // a lane at rest stays as it is, whatever the others do
  const Doubles cosine = 1 / square_root(1 + tangent * tangent);
  const Doubles sine = cosine * tangent;
  for (std::size_t i = 0; i < 4; ++i) {
    const Doubles x = columns[p][i];
    const Doubles y = columns[q][i];
    columns[p][i] = cosine * x - sine * y;
    columns[q][i] = sine * x + cosine * y;
  }
  return turn;
}

inline bool any(DoubleMask mask) {
  std::int64_t bits = 0;
  for (std::size_t i = 0; i < double_lanes; ++i) bits |= mask[i];
  return bits != 0;
}

// The third largest of four values, lane by lane.
inline Doubles third_largest(const Doubles* values) {
  const auto smaller = [](Doubles x, Doubles y) { return choose(x < y, x, y); };
  const auto larger = [](Doubles x, Doubles y) { return choose(x < y, y, x); };
  const Doubles low = smaller(larger(values[0], values[1]), larger(values[2], values[3]));
  const Doubles high = larger(smaller(values[0], values[1]), smaller(values[2], values[3]));
  return smaller(low, high);
}

inline Doubles third_singular_value(const double* cells, const Unfolding& u) {
  Doubles columns[4][4];
  for (std::size_t column = 0; column < 4; ++column) {
    for (std::size_t row = 0; row < 4; ++row) {
      for (std::size_t i = 0; i < double_lanes; ++i) {
        columns[column][row][i] = cells[16 * i + cell_index(u, row, column)];
      }
    }
  }
  constexpr int max_sweeps = 30;  // six suffice in practice
  for (int sweep = 0; sweep < max_sweeps; ++sweep) {
    DoubleMask turned = rotate(columns, 0, 1);
    turned |= rotate(columns, 2, 3);
    turned |= rotate(columns, 0, 2);
    turned |= rotate(columns, 1, 3);
    turned |= rotate(columns, 0, 3);
    turned |= rotate(columns, 1, 2);
    if (!any(turned)) break;
  }
  Doubles squares[4];
  for (std::size_t column = 0; column < 4; ++column) {
    squares[column] = columns[column][0] * columns[column][0];
    for (std::size_t i = 1; i < 4; ++i) squares[column] += columns[column][i] * columns[column][i];
  }
  return square_root(third_largest(squares));
}

void statistics(const double* cells, double* statistic) {
  for (std::size_t lane = 0; lane < statistic_lanes; lane += double_lanes) {
    const double* tables = cells + 16 * lane;
    Doubles largest = third_singular_value(tables, unfoldings[0]);
    for (std::size_t u = 1; u < 3; ++u) {
      const Doubles value = third_singular_value(tables, unfoldings[u]);
      largest = choose(value > largest, value, largest);
    }
    std::memcpy(statistic + lane, &largest, sizeof largest);
  }
}

}  // namespace
}  // namespace orrery::quartet
