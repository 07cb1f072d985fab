// Eight rows' numbers at once, and choices between them; included by the files that are compiled
// once for each instruction set. Everything has internal linkage, so that no wide instruction leaks
// elsewhere.
#pragma once

#include <cstddef>

#include "families/categorical/structural_ep/row_lanes.hpp"
#include "kernels/logarithm.hpp"
#include "model/eight_lanes.hpp"

namespace orrery::structural_ep {
namespace {

using model::all;
using model::each;
using model::lane;
using model::Lanes;
using model::lanes;
using model::larger;
using model::n_vectors;
using model::Vector;

/// All bits of a lane, or none.
using Bits = decltype(Vector{} < Vector{});
struct Mask {
  Bits part[n_vectors];
};

template <class Function>
inline Mask each_bit(const Function& function) {
  Mask result;
#pragma GCC unroll 4
  for (std::size_t i = 0; i < n_vectors; ++i) result.part[i] = function(i);
  return result;
}
inline Mask is_equal(const Lanes& x, double y) {
  return each_bit([&](std::size_t i) { return x.part[i] == y; });
}
inline Mask is_least(const Lanes& x, double y) {
  return each_bit([&](std::size_t i) { return x.part[i] >= y; });
}
inline Mask operator&(const Mask& x, const Mask& y) {
  return each_bit([&](std::size_t i) { return x.part[i] & y.part[i]; });
}
inline Lanes choose(const Mask& mask, const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return mask.part[i] ? x.part[i] : y.part[i]; });
}
inline Lanes operator/(const Lanes& x, const Lanes& y) {
  return each([&](std::size_t i) { return x.part[i] / y.part[i]; });
}
inline Lanes log_of(const Lanes& x) {
  return each([&](std::size_t i) { return kernels::logarithm<Vector, model::Places>(x.part[i]); });
}
inline std::size_t n_set(const Mask& mask) {
  long long total = 0;
  for (std::size_t r = 0; r < row_lanes; ++r)
    total -= mask.part[r / ORRERY_LANES][r % ORRERY_LANES];
  return static_cast<std::size_t>(total);
}

// As in messages.hpp, of a state; and as in dirichlet.cpp, of a row of parameters.
constexpr double lowest_probability = 1e-280;
constexpr double no_share = 1e-12;

}  // namespace
}  // namespace orrery::structural_ep
