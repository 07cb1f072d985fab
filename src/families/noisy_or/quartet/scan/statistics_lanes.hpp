// Rank statistics of many quartets at once by one-sided Jacobi (Hestenes 1958): the columns of an
// unfolding are rotated until they are orthogonal to 1e-15; their lengths are the singular values.
// One lane per quartet, double precision, plain operations in a fixed order and no contraction into
// fused multiply-adds: every instruction set gives the same bits, whatever is in the other lanes.
#pragma once

#include "families/noisy_or/quartet/scan/lanes.hpp"

namespace orrery::quartet {
namespace {

// Makes columns p and q orthogonal in the `active` lanes; returns the lanes that were not yet so to
// half the digits: a sweep that finds none of these leaves all digits right (Jacobi converges
// quadratically).
inline DoubleMask rotate(Doubles (*columns)[4], std::size_t p, std::size_t q, DoubleMask active) {
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
  const DoubleMask turn =
      active & (gamma * gamma > 1e-30 * (alpha * beta)) & (gamma * gamma > 1e-290);
  const Doubles zeta = (beta - alpha) / choose(turn, 2 * gamma, one);
  const Doubles magnitude = choose(zeta < 0, -zeta, zeta);
  Doubles tangent = 1 / (magnitude + square_root(1 + zeta * zeta));
  tangent = choose(zeta < 0, -tangent, tangent);
  tangent = choose(turn, tangent, zero);
  const Doubles cosine = 1 / square_root(1 + tangent * tangent);
  const Doubles sine = cosine * tangent;
  for (std::size_t i = 0; i < 4; ++i) {
    const Doubles x = columns[p][i];
    const Doubles y = columns[q][i];
    columns[p][i] = cosine * x - sine * y;
    columns[q][i] = sine * x + cosine * y;
  }
  return turn & (gamma * gamma > 1e-16 * (alpha * beta));
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
      std::memcpy(&columns[column][row], cells + statistic_lanes * cell_index(u, row, column),
                  sizeof(Doubles));
    }
  }
  constexpr int max_sweeps = 30;  // six suffice in practice
  DoubleMask active = ~DoubleMask{};
  for (int sweep = 0; sweep < max_sweeps && any(active); ++sweep) {
    // A lane at rest stays as it is, whatever the others do.
    DoubleMask turned = rotate(columns, 0, 1, active);
    turned |= rotate(columns, 2, 3, active);
    turned |= rotate(columns, 0, 2, active);
    turned |= rotate(columns, 1, 3, active);
    turned |= rotate(columns, 0, 3, active);
    turned |= rotate(columns, 1, 2, active);
    active = turned;
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
    const double* tables = cells + lane;
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
