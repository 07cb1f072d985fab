// Opening a state, eight causes at a time; compiled once for each instruction set
// (state_lanes_*.cpp). Everything has internal linkage.
#pragma once

#include "kernels/logarithm.hpp"
#include "model/eight_lanes.hpp"
#include "model/state_beam.hpp"

namespace orrery::model {
namespace {

// Probabilities of at least 1e-9 can be multiplied so often before a logarithm is taken.
constexpr std::size_t longest_product = 24;

Lanes log_of(const Lanes& x) {
  return each([&](std::size_t i) { return kernels::logarithm<Vector, Places>(x.part[i]); });
}

void find_off_in_lanes(const RowArrays& row, std::uint64_t state, double* off) {
  for (std::size_t first = 0; first < row.stride; first += 8) {
    Lanes product = *lanes(row.quiet_on + first);
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      product *= *lanes(row.failure_on + c * row.stride + first);
    }
    *lanes(off + first) = product;
  }
}

void open_in_lanes(const RowArrays& row, std::uint64_t state, double* off, double* gains) {
  find_off_in_lanes(row, state, off);
  for (std::size_t first = 0; first < row.width; first += 8) {
    Places is_on[n_vectors] = {};
    Lanes sign = all(1);
    for (std::size_t i = 0; i < 8; ++i) {
      const bool bit = ((state >> (first + i)) & 1U) != 0;
      is_on[i / ORRERY_LANES][i % ORRERY_LANES] = bit ? -1 : 0;
      if (bit) lane(sign, i) = -1;
    }
    Lanes explained = all(0);
    for (std::size_t begin = 0; begin < row.n_on; begin += longest_product) {
      const std::size_t end =
          begin + longest_product < row.n_on ? begin + longest_product : row.n_on;
      Lanes product = all(1);
      for (std::size_t j = begin; j < end; ++j) {
        const std::size_t at = row.on[j] * row.width + first;
        const Lanes& failure = *lanes(row.failure + at);
        const Lanes& inverse = *lanes(row.inverse + at);
        const double stays_off = off[j];
        product *= each([&](std::size_t i) {
          return 1 - stays_off * (is_on[i] ? inverse.part[i] : failure.part[i]);
        });
      }
      explained += log_of(product);
    }
    Lanes field = *lanes(row.field + first);
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      field += *lanes(row.coupling + c * row.width + first);
    }
    *lanes(gains + first) = explained + sign * field;
  }
  // The first lane behind the causes is a cause that changes nothing: the state itself.
  const double own = gains[row.n_causes];
  for (std::size_t c = 0; c < row.width; ++c) gains[c] -= own;
}

void add_share_in_lanes(const RowArrays& row, std::uint64_t state, double share, const double* off,
                        double* inverse, double* shared) {
  for (std::size_t first = 0; first < row.stride; first += 8) {
    const Lanes term = share / (1 - *lanes(off + first));
    *lanes(inverse + first) += term;
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      *lanes(shared + c * row.stride + first) += term;
    }
  }
}

}  // namespace
}  // namespace orrery::model
