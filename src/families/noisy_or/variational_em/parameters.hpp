// The parameters of one restart: a noisy-OR network in which every cause may have every child.
#pragma once

#include <cstddef>
#include <vector>

namespace orrery::variational_em {

struct Parameters {
  std::size_t n_causes = 0;
  std::size_t n_observed = 0;
  std::vector<double> prior;    ///< n
  std::vector<double> failure;  ///< m x n: that of cause k and variable a at a * n + k
  std::vector<double> leak;     ///< m

  bool operator==(const Parameters&) const = default;
};

/// What the parameters may be. Within these a bound is finite; a failure beyond is no edge.
inline constexpr double least_prior = 1e-6;
inline constexpr double least_failure = 1e-6;
inline constexpr double most_failure = 1 - 1e-9;
inline constexpr double least_leak = 1e-6;

}  // namespace orrery::variational_em
