// Purpose: the delta method for the largest third singular value of the unfoldings (Jernite,
// Halpern, Sontag 2013, Sec. 2.1).
//
// With the singular vectors u, v of an unfolding M, d sigma = u' dM v: linear in the cells, and so
// in the adjusted moments P(S off) / g_S (Eq. 3), and so a mean over rows: a row in which exactly
// the set Y of the four is off adds
//
//   h(Y) = sum over S within Y of c_S / g_S,   c_S = sum over T within S of (-1)^|S - T| w_T,
//
// where w_T = u_i v_j is the weight of the cell "exactly T off". Variance: that of h over rows, by
// N.
//
// Cost: one 4 x 4 singular value decomposition an unfolding.
#include "families/noisy_or/quartet/scan/rank_error.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/decompositions.hpp"
#include "moments/negative_moments.hpp"

namespace orrery::quartet {
namespace {

using Sixteen = std::array<double, 16>;

/// Members of a row of the unfolding, by bits; the other two are those of a column.
constexpr std::array<std::array<std::size_t, 2>, 3> row_members{{{1, 2}, {1, 4}, {1, 8}}};

std::size_t cell(const std::array<std::size_t, 2>& rows, int i, int j) {
  std::array<std::size_t, 2> columns{};
  std::size_t n = 0;
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    if (bit != rows[0] && bit != rows[1]) columns[n++] = bit;
  }
  return ((i & 1) != 0 ? rows[0] : 0) + ((i & 2) != 0 ? rows[1] : 0) +
         ((j & 1) != 0 ? columns[0] : 0) + ((j & 2) != 0 ? columns[1] : 0);
}

/// w_T: how the largest of the third singular values changes with each cell.
Sixteen slopes(const moments::QuartetCells& cells) {
  Sixteen weights{};
  double largest = -1;
  for (const auto& rows : row_members) {
    Eigen::Matrix4d unfolding;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) unfolding(i, j) = cells[cell(rows, i, j)];
    }
    const linalg::SmallSingularDecomposition svd = linalg::singular_decomposition_of(unfolding);
    if (svd.values(2) <= largest) continue;
    largest = svd.values(2);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        weights[cell(rows, i, j)] = svd.left(i, 2) * svd.right(j, 2);
      }
    }
  }
  return weights;
}

Sixteen factors(const moments::Subtraction& learned, const std::array<std::uint32_t, 4>& members) {
  Sixteen found{};
  for (std::size_t set = 0; set < 16; ++set) {
    std::vector<std::size_t> variables;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) != 0) variables.push_back(members[k]);
    }
    found[set] = learned.factor(variables);
  }
  return found;
}

}  // namespace

double rank_statistic_error(const moments::MomentSource& moments,
                            const moments::Subtraction& learned,
                            const std::array<std::uint32_t, 4>& members) {
  if (moments.n_samples() == 0) return 0;
  const moments::QuartetMoments adjusted = moments::adjusted_quartet(moments, learned, members);
  const Sixteen factor = factors(learned, members);
  Sixteen added = slopes(moments::cells_from_negative(adjusted));
  moments::QuartetMoments counted = adjusted;
  for (std::size_t set = 0; set < 16; ++set) counted[set] *= factor[set];
  // Sums over subsets with signs, then without.
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) != 0) added[set] -= added[set ^ bit];
    }
  }
  for (std::size_t set = 0; set < 16; ++set) added[set] /= factor[set];
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    for (std::size_t set = 0; set < 16; ++set) {
      if ((set & bit) != 0) added[set] += added[set ^ bit];
    }
  }
  const moments::QuartetCells share = moments::cells_from_negative(counted);
  double mean = 0;
  double square = 0;
  for (std::size_t set = 0; set < 16; ++set) {
    mean += share[set] * added[set];
    square += share[set] * added[set] * added[set];
  }
  return std::sqrt(std::max(square - mean * mean, 0.0) / static_cast<double>(moments.n_samples()));
}

}  // namespace orrery::quartet
