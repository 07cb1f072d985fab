// Vectors of the width that an instruction set has, what is done to their lanes, and the three
// unfoldings: shared by screen_lanes.hpp, statistics_lanes.hpp and calibrated/fit_lanes.hpp. Each
// of those is included once by a file that is compiled for one instruction set and sets
// ORRERY_FLOAT_LANES; everything has internal linkage, so that no wide instruction leaks elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"

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

inline Doubles choose(DoubleMask mask, Doubles yes, Doubles no) { return mask ? yes : no; }

inline Doubles square_root(Doubles x) {
  for (std::size_t i = 0; i < double_lanes; ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}

inline bool any(DoubleMask mask) {
  std::int64_t bits = 0;
  for (std::size_t i = 0; i < double_lanes; ++i) bits |= mask[i];
  return bits != 0;
}

}  // namespace
}  // namespace orrery::quartet
