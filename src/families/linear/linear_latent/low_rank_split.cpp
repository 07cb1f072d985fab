#include "families/linear/linear_latent/low_rank_split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hpp"
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

constexpr std::uint64_t most_climbs = 4;
/// How many partitions are tried before none is said to do: 10,000, fewer where each takes long.
std::size_t most_tries(Index n) {
  const double cube = std::pow(static_cast<double>(n), 3);
  return static_cast<std::size_t>(std::clamp(2e9 / cube, 1.0, 1e4));
}

/// Two variables of different blocks change places.
void swap_variables(Partition& partition, RowRandom& random) {
  const std::size_t b = random.below(3);
  Block& first = partition.blocks[b];
  Block& second = partition.blocks[(b + 1) % 3];
  std::swap(first[random.below(first.size())], second[random.below(second.size())]);
}

struct Climb {
  const MatrixXd& correlations;
  Index k;
  double n_rows;
  std::uint64_t seed;
  std::size_t most;  // partitions tried in all
};

/// From `top` to the best of some swaps again and again, while one is better. Of 60 variables and
/// eight causes a thousand tries get further than nine thousand random partitions.
void climb(const Climb& climb, std::uint64_t number, Partition& top, std::size_t& n_tried) {
  constexpr std::size_t n_swaps = 128;
  RowRandom random(climb.seed, Stream::restart, (std::uint64_t{1} << 33U) + number);
  for (bool better = true; better && n_tried < climb.most && !has_clear_rank(top);) {
    std::vector<Partition> tried(n_swaps, top);
    for (Partition& partition : tried) swap_variables(partition, random);
#pragma omp parallel for schedule(dynamic) default(shared)
    for (std::size_t t = 0; t < n_swaps; ++t) {
      rate(climb.correlations, climb.k, climb.n_rows, tried[t]);
    }
    n_tried += n_swaps;
    const auto found = std::ranges::max_element(tried, {}, &Partition::least);
    better = found->least > top.least;
    if (better) top = std::move(*found);
  }
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
  const std::size_t most = most_tries(moments.n_variables());
  for (std::uint64_t start = 0; start < most_climbs && !has_clear_rank(best); ++start) {
    if (n_tried >= most) break;
    Partition top = start == 0 ? best : random_thirds(moments.n_variables(), seed, n_tried);
    rate(correlations, k, moments.n_rows, top);
    climb({correlations, k, moments.n_rows, seed, most}, start, top, n_tried);
    if (top.least > best.least) best = std::move(top);
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

// ---- maximum likelihood

namespace {

constexpr double least_share = .005;  // of a variance that noise is
constexpr double step_limit = 3;      // a step changes a variance by this factor at most
constexpr double settled = 1e-13;     // largest relative change

/// The eigenvectors and eigenvalues of S* that make up L.
struct Leading {
  MatrixXd vectors;  // n x k
  VectorXd excess;   // eigenvalue less 1, 0 at least
};

Leading leading(const MatrixXd& covariance, Index k, const VectorXd& noise) {
  const VectorXd root = noise.cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = root.asDiagonal() * covariance * root.asDiagonal();
  const linalg::Spectrum spectrum = linalg::spectrum_of(scaled);
  const Index n = covariance.rows();
  Leading found{spectrum.vectors.rightCols(k).rowwise().reverse(),
                spectrum.values.tail(k).reverse()};
  found.excess = (found.excess.array() - 1).max(0.0);
  // One sign of the two that an eigenvector has: its largest entry is positive.
  for (Index j = 0; j < k; ++j) {
    Index largest = 0;
    found.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    if (n > 0 && found.vectors(largest, j) < 0) found.vectors.col(j) *= -1;
  }
  return found;
}

MatrixXd basis_of(const Leading& found, const VectorXd& noise) {
  return noise.cwiseSqrt().asDiagonal() * found.vectors * found.excess.cwiseSqrt().asDiagonal();
}

/// Solves (Q o Q) e = r for the variables that are free; 0 for the others.
VectorXd newton_step(const Leading& found, const VectorXd& residual,
                     const std::vector<Index>& free) {
  const Index n = residual.size();
  if (free.empty()) return VectorXd::Zero(n);
  MatrixXd q = -found.vectors * found.vectors.transpose();
  q.diagonal().array() += 1;
  const auto n_free = static_cast<Index>(free.size());
  MatrixXd squares(n_free, n_free);
  VectorXd right(n_free);
  for (Index j = 0; j < n_free; ++j) {
    for (Index i = 0; i < n_free; ++i) {
      const double entry = q(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
      squares(i, j) = entry * entry;
    }
    right[j] = residual[free[static_cast<std::size_t>(j)]];
  }
  const linalg::Ldlt factors(squares);
  const VectorXd pivots = factors.pivots();
  const bool singular =
      !factors.succeeded() || pivots.minCoeff() <= 1e-12 * std::max(pivots.maxCoeff(), 1e-300);
  const VectorXd solved = singular ? linalg::least_squares(squares, right) : factors.solve(right);
  VectorXd step = VectorXd::Zero(n);
  for (Index j = 0; j < n_free; ++j) step[free[static_cast<std::size_t>(j)]] = solved[j];
  return step;
}

}  // namespace

VectorXd first_noise(const MatrixXd& covariance, Index k) {
  const Index n = covariance.rows();
  const MatrixXd inverse = linalg::pseudo_inverse_of(covariance);
  const double share = 1 - static_cast<double>(k) / (2 * static_cast<double>(n));
  return share * inverse.diagonal().cwiseMax(1e-12).cwiseInverse();
}

FactorSplit split_at(const MatrixXd& covariance, Index k, const VectorXd& noise) {
  FactorSplit split;
  split.noise = noise;
  split.basis = basis_of(leading(covariance, k, noise), noise);
  return split;
}

FactorSplit fit_noise(const MatrixXd& covariance, Index k, VectorXd noise, int most_steps) {
  const Index n = covariance.rows();
  const VectorXd least = least_share * covariance.diagonal();
  noise = noise.cwiseMax(least).cwiseMin(covariance.diagonal());
  FactorSplit split;
  for (; split.steps < most_steps && !split.converged; ++split.steps) {
    const Leading found = leading(covariance, k, noise);
    const VectorXd diagonal =
        (found.vectors * found.excess.cwiseSqrt().asDiagonal()).rowwise().squaredNorm();
    const VectorXd residual =
        covariance.diagonal().cwiseQuotient(noise) - VectorXd::Ones(n) - diagonal;
    std::vector<Index> free;
    for (Index i = 0; i < n; ++i) {
      if (noise[i] > least[i] || residual[i] > 0) free.push_back(i);
    }
    split.n_at_bound = static_cast<int>(n) - static_cast<int>(free.size());
    const VectorXd step = newton_step(found, residual, free);
    VectorXd next = noise.cwiseProduct(VectorXd::Ones(n) + step);
    next = next.cwiseMax(noise / step_limit).cwiseMin(noise * step_limit).cwiseMax(least);
    split.converged = ((next - noise).cwiseAbs().cwiseQuotient(noise)).maxCoeff() < settled;
    noise = next;
  }
  split.noise = noise;
  split.basis = basis_of(leading(covariance, k, noise), noise);
  return split;
}

ResidualMap::ResidualMap(const FactorSplit& split) : root_(split.noise.cwiseSqrt().cwiseInverse()) {
  MatrixXd vectors = root_.asDiagonal() * split.basis;
  for (Index j = 0; j < vectors.cols(); ++j) {
    const double length = vectors.col(j).norm();
    if (length > 0) vectors.col(j) /= length;
  }
  q_ = -vectors * vectors.transpose();
  q_.diagonal().array() += 1;
  inverse_ = linalg::pseudo_inverse_of(q_.cwiseAbs2());
}

VectorXd ResidualMap::operator()(const MatrixXd& covariance) const {
  const Index n = root_.size();
  MatrixXd left = q_ * (root_.asDiagonal() * covariance * root_.asDiagonal()) * q_;
  const VectorXd moved = inverse_ * left.diagonal();
  left -= q_ * moved.asDiagonal() * q_;
  VectorXd entries(n * (n - 1) / 2);
  Index next = 0;
  for (Index b = 0; b < n; ++b) {
    for (Index a = 0; a < b; ++a) entries[next++] = left(a, b);
  }
  return entries;
}

}  // namespace orrery::linear_latent
