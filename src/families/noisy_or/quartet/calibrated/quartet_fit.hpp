// The calibrated quartet test: does one hidden cause explain the eleven log cumulants of order two
// to four, within their standard errors?
//
//   L_S = sum over T in S of (-1)^{|S \ T|} log P(T off)         additive over causes, leaks cancel
//   cov(log P(S), log P(T)) = (P(S u T) / (P(S) P(T)) - 1) / N   delta method; see calibration.cpp
//
// Generalised least squares with five parameters (prior, four failures): the smallest weighted
// square is chi-square with 6 degrees of freedom for a quartet coupled by one cause alone.
#pragma once

#include <array>
#include <cstddef>

#include "kernels/kernels.hpp"

namespace orrery::quartet {

/// Sets of two or more of four variables, as masks.
inline constexpr std::array<std::size_t, 11> coupled_sets{3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15};
inline constexpr std::size_t n_cumulants = coupled_sets.size();
inline constexpr std::size_t n_covariances = n_cumulants * (n_cumulants + 1) / 2;

/// Eight quartets, one a lane; [S][lane] with S a set of the four as a mask.
struct FitBatch {
  static constexpr std::size_t lanes = 8;
  using Lanes = std::array<double, lanes>;
  alignas(64) std::array<Lanes, 16> moment{};  ///< P(S off), smoothed; [0] is 1
  std::array<Lanes, 16> learned{};             ///< the factor of the learned causes in it
  std::array<Lanes, 16> rows{};                ///< that observed all of S; [0]: all
  /// Covariance from the errors of the learned causes' parameters, of coupled_sets, lower triangle.
  std::array<Lanes, n_covariances> extra{};
  bool has_learned = false;  ///< else `learned` is 1 and `extra` 0, and neither is read
  bool has_missing = false;  ///< else only rows[0] is read
};

struct FitResult {
  using Lanes = FitBatch::Lanes;
  alignas(64) Lanes chi_square{};  ///< infinite if no fit was found
  Lanes prior{};
  std::array<Lanes, 4> failure{};
  Lanes prior_error{};
  std::array<Lanes, 4> failure_error{};
};

using FitKernel = void (*)(const FitBatch& batch, FitResult& result);
// Each is compiled for its instruction set (scan/statistics_*.cpp); all give the same bits.
void fit_baseline(const FitBatch& batch, FitResult& result);
void fit_avx2(const FitBatch& batch, FitResult& result);
void fit_avx512(const FitBatch& batch, FitResult& result);
/// The one that goes with an instruction set; null if this processor lacks it.
FitKernel find_fit_kernel(kernels::Isa isa);
/// The one that goes with kernels::active().
FitKernel fit_kernel();

/// One cause explains the lane's quartet, with parameters that a cause may have.
bool accepts(const FitResult& result, std::size_t lane);

}  // namespace orrery::quartet
