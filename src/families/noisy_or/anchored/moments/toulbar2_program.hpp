// The least value of a polynomial of binary variables by the cost function networks of toulbar2
// (Hurley et al. 2016), a program of the system that is run once a polynomial: hybrid best-first
// search with soft local consistency, whose bounds are cheap, so that it looks at some ten thousand
// nodes a second.
//
// Its costs are integers. Coefficients are rounded down to multiples of a power of two, without
// error as numbers: the rounded polynomial is nowhere above the true one, so that its bounds hold
// for both. A state's value is that of the true one. Backtracks are limited, not seconds, so that
// the same polynomial has the same answer everywhere.
#pragma once

#include <cstdint>
#include <filesystem>

#include "families/noisy_or/anchored/moments/product_basis.hpp"

namespace orrery::anchored {

struct Toulbar2Limits {
  /// The rounded polynomial is at most this far below, unless the coefficients are so large that
  /// they would have more than 50 bits.
  double precision = 1e-4;
  /// About a minute for 50 variables.
  std::uint64_t backtracks = 500'000;
};

/// Where it is on the PATH. Throws EnvironmentError if it is not installed.
[[nodiscard]] std::filesystem::path find_toulbar2();

/// As LinearOracle::minimise, at most one vertex. Throws EnvironmentError if the program fails or
/// says what is not understood.
Minimum minimise_by_toulbar2(const std::filesystem::path& program, const ProductBasis& basis,
                             const LinearForm& form, double target, const Toulbar2Limits& limits);

}  // namespace orrery::anchored
