// Parameters of networks like QMR-DT, where none are known or published: a function of the seed and
// of a number alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace orrery::model {

/// P(a present cause switches the variable on) of the five classes of frequency, 1 to 5.
constexpr std::array<double, 5> class_sensitivity{0.025, 0.2, 0.5, 0.8, 0.985};
/// Their shares of the edges.
constexpr std::array<double, 5> class_share{0.2, 0.42, 0.22, 0.12, 0.04};

/// The class, 0 to 4, that holds the quantile `rank` in [0, 1] of all edges, the rarest first.
std::size_t class_of_rank(double rank);

/// One draw with this median, and this standard deviation of the logarithm.
double log_normal(double median, double sigma, RowRandom& random);

/// Median 0.0015, sigma 1, within [0.0002, 0.06].
double draw_prior(RowRandom& random);
/// Median 0.001, sigma 1, within [0.0001, 0.02].
double draw_leak(RowRandom& random);

/// The draws of a cause, and of a variable.
RowRandom cause_parameters(std::uint64_t seed, std::uint32_t cause);
RowRandom observed_parameters(std::uint64_t seed, std::uint32_t observed);

}  // namespace orrery::model
