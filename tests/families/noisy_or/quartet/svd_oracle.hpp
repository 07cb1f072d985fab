// Quartet tables and their rank statistic by Eigen.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>

#include "learning/planted.hpp"
#include "linalg/decompositions.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet::oracle {

/// Third singular value of the unfolding (first second | the two others).
inline double third_singular_value(const moments::QuartetCells& cells, std::size_t first,
                                   std::size_t second) {
  std::size_t others[2];
  std::size_t n = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (k != first && k != second) others[n++] = k;
  }
  Eigen::Matrix4d unfolded;
  for (std::size_t set = 0; set < 16; ++set) {
    const auto off = [&](std::size_t k) { return static_cast<Eigen::Index>((set >> k) & 1U); };
    unfolded(off(first) + 2 * off(second), off(others[0]) + 2 * off(others[1])) = cells[set];
  }
  return linalg::singular_decomposition_of(unfolded).values(2);
}

/// Largest of the three third singular values.
inline double rank_statistic(const moments::QuartetCells& cells) {
  return std::max({third_singular_value(cells, 0, 1), third_singular_value(cells, 0, 2),
                   third_singular_value(cells, 0, 3)});
}

/// A mixture of products of `n_classes` classes: rank at most n_classes in every unfolding.
inline moments::QuartetCells product_mixture(std::mt19937_64& random, std::size_t n_classes) {
  using learning::planted::uniform;
  moments::QuartetCells cells{};
  double total = 0;
  for (std::size_t i = 0; i < n_classes; ++i) {
    const double weight = uniform(random, .05, 1);
    total += weight;
    double off[4];
    for (double& p : off) p = uniform(random, 0, 1);
    for (std::size_t set = 0; set < 16; ++set) {
      double cell = weight;
      for (std::size_t k = 0; k < 4; ++k) cell *= ((set >> k) & 1U) != 0 ? off[k] : 1 - off[k];
      cells[set] += cell;
    }
  }
  for (double& cell : cells) cell /= total;
  return cells;
}

}  // namespace orrery::quartet::oracle
