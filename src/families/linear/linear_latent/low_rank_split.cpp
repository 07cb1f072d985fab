#include "families/linear/linear_latent/low_rank_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
#include "families/linear/linear_latent/uniqueness.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Block = std::vector<Index>;

constexpr double exact_zero = 1e-9;  // a singular value that is a rounding error of 0

/// By Fisher and Yates, from draws of its own.
Partition random_thirds(Index n, std::uint64_t seed, std::uint64_t number) {
  Block order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  RowRandom random(seed, Stream::restart, number);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  Partition partition;
  for (std::size_t i = 0; i < order.size(); ++i) partition.blocks[i % 3].push_back(order[i]);
  return partition;
}

/// k variables for each block by pivoted QR of the loadings that are left, the rest in turn.
Partition picked_thirds(const MatrixXd& covariance, Index k) {
  const FactorSplit split = fit_noise(covariance, k, first_noise(covariance, k));
  Block left(static_cast<std::size_t>(covariance.rows()));
  std::iota(left.begin(), left.end(), Index{0});
  Partition partition;
  for (Block& block : partition.blocks) {
    const MatrixXd rows = split.basis(left, Eigen::all).transpose();
    const std::vector<Index> order = linalg::pivoted_columns_of(rows, 0).order;
    std::vector<bool> taken(left.size(), false);
    for (Index i = 0; i < k; ++i) {
      const auto at = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      block.push_back(left[at]);
      taken[at] = true;
    }
    Block rest;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!taken[i]) rest.push_back(left[i]);
    }
    left = std::move(rest);
  }
  for (std::size_t i = 0; i < left.size(); ++i) partition.blocks[i % 3].push_back(left[i]);
  return partition;
}

/// Of correlations. In a block of rank k - 1 what is left has k - 1 rows and columns fewer, and
/// sampling makes its largest singular value about (sqrt(rows left) + sqrt(columns left)) /
/// sqrt(N).
void rate(const MatrixXd& correlations, Index k, double n_rows, Partition& partition) {
  partition.least = std::numeric_limits<double>::infinity();
  partition.distance = partition.least;
  for (std::size_t b = 0; b < 3; ++b) {
    const Block& rows = partition.blocks[b];
    const Block& columns = partition.blocks[(b + 1) % 3];
    const VectorXd values = linalg::singular_values_of(correlations(rows, columns));
    const double least = k <= values.size() ? values[k - 1] : 0;
    partition.least = std::min(partition.least, least);
    if (n_rows == 0) continue;
    const auto left = [&](const Block& side) {
      return std::sqrt(
          std::max(1.0, static_cast<double>(side.size()) - static_cast<double>(k) + 1));
    };
    const double sides = left(rows) + left(columns);
    partition.distance = std::min(partition.distance, least * std::sqrt(n_rows) / sides);
  }
}

/// How many partitions are tried before none is said to do: 10,000, fewer where each takes long.
std::size_t most_tries(Index n) {
  const double cube = std::pow(static_cast<double>(n), 3);
  return static_cast<std::size_t>(std::clamp(2e9 / cube, 1.0, 1e4));
}

}  // namespace

bool has_rank(const Partition& partition) { return partition.least > exact_zero; }

bool has_clear_rank(const Partition& partition) {
  return has_rank(partition) && partition.distance > 1;
}

Partition find_partition(const MomentSet& moments, Index k, int n_random, std::uint64_t seed) {
  const VectorXd root = moments.full.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd correlations = root.asDiagonal() * moments.full * root.asDiagonal();
  Partition best = picked_thirds(correlations, k);
  rate(correlations, k, moments.n_rows, best);
  std::size_t n_tried = 0;
  const auto try_until = [&](std::size_t n_wanted) {
    std::vector<Partition> tried(n_wanted - n_tried);
#pragma omp parallel for schedule(dynamic) default(shared)
    for (std::size_t t = 0; t < tried.size(); ++t) {
      tried[t] = random_thirds(moments.n_variables(), seed, n_tried + t);
      rate(correlations, k, moments.n_rows, tried[t]);
    }
    for (Partition& partition : tried) {
      if (partition.least > best.least) best = std::move(partition);
    }
    n_tried = n_wanted;
  };
  try_until(static_cast<std::size_t>(n_random));
  while (!has_clear_rank(best) && n_tried < most_tries(moments.n_variables())) {
    try_until(std::min(4 * n_tried, most_tries(moments.n_variables())));
  }
  best.n_tried = n_tried + 1;
  return best;
}

VectorXd noise_by_blocks(const MatrixXd& covariance, Index k, const Partition& partition) {
  VectorXd noise(covariance.rows());
  for (std::size_t b = 0; b < 3; ++b) {
    const Block& i = partition.blocks[b];
    const Block& j = partition.blocks[(b + 1) % 3];
    const Block& l = partition.blocks[(b + 2) % 3];  // the paper's K
    const MatrixXd right = linalg::right_singular_vectors(covariance(i, j), k);
    const MatrixXd left = linalg::left_singular_vectors(covariance(l, j), k);
    const MatrixXd middle = left.transpose() * covariance(l, j) * right;
    const MatrixXd reduced = left.transpose() * covariance(l, i);
    const MatrixXd low_rank =
        covariance(i, j) * right * linalg::solve_by_full_pivoting(middle, reduced);
    for (std::size_t r = 0; r < i.size(); ++r) {
      const auto at = static_cast<Index>(r);
      noise[i[r]] = covariance(i[r], i[r]) - low_rank(at, at);
    }
  }
  return noise;
}

}  // namespace orrery::linear_latent
