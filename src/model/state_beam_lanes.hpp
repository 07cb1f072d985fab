// The kernels of the beam (state_beam.hpp), eight causes or variables at a time, compiled once for
// each instruction set (see state_lanes_*.cpp). Everything has internal linkage, so that no wide
// instruction leaks elsewhere.
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

/// log of P(on) of all that is on, in eight states whose P(stays off) are in rows of `off`; of the
/// last of them there are `n`.
Lanes log_explained(const RowArrays& row, const double* off, std::size_t n) {
  Lanes explained = all(0);
  for (std::size_t begin = 0; begin < row.stride; begin += longest_product) {
    const std::size_t end =
        begin + longest_product < row.stride ? begin + longest_product : row.stride;
    Lanes products = all(1);
    for (std::size_t i = 0; i < n; ++i) {
      Lanes factors = all(1);
      for (std::size_t j = begin; j < end; j += 8) factors *= 1 - *lanes(off + i * row.stride + j);
      lane(products, i) = product(factors);
    }
    explained += log_of(products);
  }
  return explained;
}

/// log P of the causes of a state and of what stays off, beyond that of the state without causes.
double log_silent(const RowArrays& row, std::uint64_t state) {
  double log_weight = 0;
  for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
    const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
    log_weight += row.field[c];
    for (std::uint64_t others = rest & (rest - 1); others != 0; others &= others - 1) {
      log_weight += row.coupling[c * row.width + static_cast<std::size_t>(__builtin_ctzll(others))];
    }
  }
  return log_weight;
}

void weigh_in_lanes(const RowArrays& row, const std::uint64_t* states, std::size_t n, double* off,
                    double* log_weights) {
  for (std::size_t first = 0; first < n; first += 8) {
    const std::size_t n_here = n - first < 8 ? n - first : 8;
    double* off_here = off + first * row.stride;
    for (std::size_t i = 0; i < n_here; ++i) {
      find_off_in_lanes(row, states[first + i], off_here + i * row.stride);
      log_weights[first + i] += log_silent(row, states[first + i]);
    }
    *lanes(log_weights + first) += log_explained(row, off_here, n_here);
  }
}

double find_shares_in_lanes(const double* log_weights, std::size_t n, double heaviest,
                            double* shares) {
  double total = 0;
  for (std::size_t first = 0; first < n; first += 8) {
    const Lanes& log_weight = *lanes(log_weights + first);
    const Lanes share = each([&](std::size_t i) {
      return exponential(larger(log_weight.part[i] - heaviest, Vector{} - 700));
    });
    *lanes(shares + first) = share;
    const std::size_t n_here = n - first < 8 ? n - first : 8;
    for (std::size_t i = 0; i < n_here; ++i) total += shares[first + i];
  }
  return total;
}

/// The causes of a vector that are on, as masks.
void find_on(std::uint64_t state, std::size_t first, Places* is_on) {
  for (std::size_t i = 0; i < n_vectors; ++i) {
    Places bits{};
    for (std::size_t l = 0; l < ORRERY_LANES; ++l) bits[l] = 1LL << (ORRERY_LANES * i + l);
    is_on[i] = (static_cast<long long>(state >> first) & bits) == bits;
  }
}

/// `n` vectors of causes side by side: none waits for the products of another.
template <std::size_t n>
void open_vectors(const RowArrays& row, std::uint64_t state, const double* off, std::size_t first,
                  double* gains) {
  Places is_on[n][n_vectors];
  Lanes explained[n];
  for (std::size_t b = 0; b < n; ++b) {
    find_on(state, first + 8 * b, is_on[b]);
    explained[b] = all(0);
  }
  for (std::size_t begin = 0; begin < row.n_on; begin += longest_product) {
    const std::size_t end = begin + longest_product < row.n_on ? begin + longest_product : row.n_on;
    Lanes product[n];
    for (std::size_t b = 0; b < n; ++b) product[b] = all(1);
    for (std::size_t j = begin; j < end; ++j) {
      const std::size_t at = row.on[j] * row.width + first;
      const double stays_off = off[j];
      for (std::size_t b = 0; b < n; ++b) {
        const Lanes& failure = *lanes(row.failure + at + 8 * b);
        const Lanes& inverse = *lanes(row.inverse + at + 8 * b);
        product[b] *= each([&](std::size_t i) {
          return 1 - stays_off * (is_on[b][i] ? inverse.part[i] : failure.part[i]);
        });
      }
    }
    for (std::size_t b = 0; b < n; ++b) explained[b] += log_of(product[b]);
  }
  for (std::size_t b = 0; b < n; ++b) {
    Lanes field = *lanes(row.field + first + 8 * b);
    for (std::uint64_t rest = state; rest != 0; rest &= rest - 1) {
      const auto c = static_cast<std::size_t>(__builtin_ctzll(rest));
      field += *lanes(row.coupling + c * row.width + first + 8 * b);
    }
    *lanes(gains + first + 8 * b) = each([&](std::size_t i) {
      const Vector sign = is_on[b][i] ? Vector{} - 1 : Vector{} + 1;
      return explained[b].part[i] + sign * field.part[i];
    });
  }
}

void open_in_lanes(const RowArrays& row, std::uint64_t state, double* off, double* gains) {
  find_off_in_lanes(row, state, off);
  std::size_t first = 0;
  for (; first + 32 <= row.width; first += 32) open_vectors<4>(row, state, off, first, gains);
  if (first + 16 <= row.width) {
    open_vectors<2>(row, state, off, first, gains);
    first += 16;
  }
  if (first < row.width) open_vectors<1>(row, state, off, first, gains);
  // The first lane behind the causes is a cause that changes nothing: the state itself.
  const double own = gains[row.n_causes];
  for (std::size_t c = 0; c < row.width; ++c) gains[c] -= own;
}

std::uint64_t find_heavy_in_lanes(const double* gains, std::size_t width, double log_weight,
                                  double least) {
  Places heavy[n_vectors] = {};
  for (std::size_t first = 0; first < width; first += 8) {
    for (std::size_t i = 0; i < n_vectors; ++i) {
      Places bits{};
      for (std::size_t l = 0; l < ORRERY_LANES; ++l) bits[l] = 1LL << (ORRERY_LANES * i + l);
      const Vector weight = log_weight + lanes(gains + first)->part[i];
      heavy[i] |= (weight >= least) & (bits << first);
    }
  }
  std::uint64_t all_of_them = 0;
  for (std::size_t i = 0; i < n_vectors; ++i) {
    for (std::size_t l = 0; l < ORRERY_LANES; ++l) {
      all_of_them |= static_cast<std::uint64_t>(heavy[i][l]);
    }
  }
  return all_of_them;
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
