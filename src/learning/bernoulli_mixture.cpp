// Purpose: what density estimation without causes reaches, to compare a learned model with.
// Source: A. P. Dempster, N. M. Laird, D. B. Rubin 1977, "Maximum likelihood from incomplete data
//         via the EM algorithm", section 4.3 (finite mixtures).
//
//   responsibility of component k for a row   softmax_k of log w_k + sum_a log P(x_a | k)
//   M-step                                    w_k, P(x_a on | k): shares of the responsibilities
//
// Cost: an iteration 2 N m K multiply-adds of single precision, two dense products of a block of
//       rows (four where values are missing). Memory: K x m sums for each of n_groups groups of
//       blocks.
// Smoothing: a component has one row more, of the variables' overall shares: no probability is 0.
// Missing values: a value that is missing is in neither product.
// Determinism: groups of rows depend on the data alone; their sums are added in their order.
#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "learning/baselines.hpp"
#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t rows_of_block = 256;
constexpr std::size_t n_groups = 16;
constexpr std::size_t every_tenth = 10;

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

/// Rows of the data as numbers: 1 where a variable is on, and where it is off. Of complete rows
/// `off` is empty: it is what `on` is not.
template <class Real>
struct RowBlock {
  Matrix<Real> on, off;  // m x rows: a row of the data is a column here
};

template <class Real>
RowBlock<Real> row_block(const data::SampleMatrix& samples, std::span<const std::size_t> rows) {
  const auto m = static_cast<Index>(samples.n_observed());
  const auto n = static_cast<Index>(rows.size());
  RowBlock<Real> block{Matrix<Real>::Zero(m, n), {}};
  if (samples.missing) block.off = Matrix<Real>::Zero(m, n);
  for (Index r = 0; r < n; ++r) {
    const std::size_t row = rows[static_cast<std::size_t>(r)];
    for (Index a = 0; a < m; ++a) {
      const auto column = static_cast<std::size_t>(a);
      if (samples.values.at(row, column)) {
        block.on(a, r) = 1;
      } else if (samples.missing && !samples.missing->at(row, column)) {
        block.off(a, r) = 1;
      }
    }
  }
  return block;
}

/// A mixture as the products need it.
template <class Real>
struct Logarithms {
  Logarithms(const BernoulliMixture& mixture, bool complete) {
    const auto k = static_cast<Index>(mixture.n_components());
    const auto m = static_cast<Index>(mixture.n_variables);
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
        p(mixture.on.data(), k, m);
    const MatrixXd log_on = p.array().log();
    const MatrixXd log_off = (1 - p.array()).log();
    const VectorXd log_weights =
        Eigen::Map<const VectorXd>(mixture.weights.data(), k).array().log();
    if (complete) {  // what a row without a variable on has, and what each that is on changes
      on = (log_on - log_off).cast<Real>();
      constant = (log_weights + log_off.rowwise().sum()).cast<Real>();
    } else {
      on = log_on.cast<Real>();
      off = log_off.cast<Real>();
      constant = log_weights.cast<Real>();
    }
  }
  Matrix<Real> on, off;                             // K x m
  Eigen::Matrix<Real, Eigen::Dynamic, 1> constant;  // K
};

/// Returns log P of a block's rows together; `shares` (K x rows) becomes the responsibilities.
template <class Real>
double explain(const Logarithms<Real>& logs, const RowBlock<Real>& block, Matrix<Real>& shares) {
  shares.noalias() = logs.on * block.on;
  if (block.off.size() > 0) shares.noalias() += logs.off * block.off;
  shares.colwise() += logs.constant;
  double likelihood = 0;
  for (Index r = 0; r < shares.cols(); ++r) {
    const Real largest = shares.col(r).maxCoeff();
    shares.col(r) = (shares.col(r).array() - largest).exp();
    const Real sum = shares.col(r).sum();
    shares.col(r) /= sum;
    likelihood += static_cast<double>(largest) + std::log(static_cast<double>(sum));
  }
  return likelihood;
}

/// What a pass over rows gives.
struct MixtureSums {
  double log_likelihood = 0;
  VectorXd rows;      // K: responsibilities
  MatrixXd on, seen;  // K x m
};

/// One pass; the expected counts only if asked for.
template <class Real>
MixtureSums pass(const BernoulliMixture& mixture, const data::SampleMatrix& samples,
                 std::span<const std::size_t> rows, bool counts, int threads) {
  const auto k = static_cast<Index>(mixture.n_components());
  const auto m = static_cast<Index>(mixture.n_variables);
  const bool complete = !samples.missing;
  const Logarithms<Real> logs(mixture, complete);
  std::vector<MixtureSums> groups(n_groups);
  const std::size_t n_blocks = (rows.size() + rows_of_block - 1) / rows_of_block;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (std::size_t g = 0; g < n_groups; ++g) {
    MixtureSums& own = groups[g];
    own.rows = VectorXd::Zero(k);
    own.on = MatrixXd::Zero(counts ? k : 0, counts ? m : 0);
    own.seen = own.on;
    Matrix<Real> shares(k, static_cast<Index>(rows_of_block));
    for (std::size_t b = g; b < n_blocks; b += n_groups) {
      const std::size_t first = b * rows_of_block;
      const RowBlock<Real> block = row_block<Real>(
          samples, rows.subspan(first, std::min(rows_of_block, rows.size() - first)));
      shares.resize(k, block.on.cols());
      own.log_likelihood += explain(logs, block, shares);
      if (!counts) continue;
      own.rows += shares.rowwise().sum().template cast<double>();
      const Matrix<Real> on = shares * block.on.transpose();
      own.on += on.template cast<double>();
      if (complete) continue;
      const Matrix<Real> off = shares * block.off.transpose();
      own.seen += (on + off).template cast<double>();
    }
    if (counts && complete) own.seen = own.rows.replicate(1, m);
  }
  for (std::size_t g = 1; g < n_groups; ++g) {
    groups[0].log_likelihood += groups[g].log_likelihood;
    groups[0].rows += groups[g].rows;
    groups[0].on += groups[g].on;
    groups[0].seen += groups[g].seen;
  }
  return std::move(groups[0]);
}

class Fitting {
 public:
  Fitting(const data::SampleMatrix& samples, std::vector<std::size_t> rows,
          const MixtureOptions& options)
      : samples_(samples), rows_(std::move(rows)), options_(options) {
    const std::size_t m = samples.n_observed();
    BernoulliMixture alone{m, {1}, std::vector<double>(m, .5)};
    const MixtureSums sums = pass<float>(alone, samples_, rows_, true, options_.threads);
    for (std::size_t a = 0; a < m; ++a) {
      const auto column = static_cast<Index>(a);
      shares_.push_back((sums.on(0, column) + .5) / (sums.seen(0, column) + 1));
    }
  }

  /// EM from components that are half a row of the data, half the overall shares.
  [[nodiscard]] BernoulliMixture fit(std::size_t n_components) const {
    const std::size_t m = shares_.size();
    BernoulliMixture mixture{
        m, std::vector<double>(n_components, 1 / static_cast<double>(n_components)), {}};
    RowRandom random(options_.seed, Stream::restart, n_components);
    for (std::size_t k = 0; k < n_components; ++k) {
      const std::size_t row = rows_[random.below(rows_.size())];
      for (std::size_t a = 0; a < m; ++a) {
        const bool is_missing = samples_.missing && samples_.missing->at(row, a);
        const double here = is_missing ? shares_[a] : samples_.values.at(row, a) ? 1 : 0;
        mixture.on.push_back(n_components == 1 ? shares_[a] : .5 * shares_[a] + .5 * here);
      }
    }
    return ascend(std::move(mixture));
  }

  [[nodiscard]] BernoulliMixture ascend(BernoulliMixture mixture) const {
    double before = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < options_.max_iterations; ++i) {
      const MixtureSums sums = pass<float>(mixture, samples_, rows_, true, options_.threads);
      maximize(sums, mixture);
      const double now = sums.log_likelihood / static_cast<double>(rows_.size());
      if (now - before < options_.tolerance) break;
      before = now;
    }
    return mixture;
  }

 private:
  void maximize(const MixtureSums& sums, BernoulliMixture& mixture) const {
    const std::size_t m = shares_.size();
    const std::size_t n = mixture.n_components();
    const double all = sums.rows.sum() + static_cast<double>(n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto i = static_cast<Index>(k);
      mixture.weights[k] = (sums.rows[i] + 1) / all;
      for (std::size_t a = 0; a < m; ++a) {
        const auto j = static_cast<Index>(a);
        // Rounding of single precision may count more rows with the variable on than rows.
        const double on = std::min(sums.on(i, j), sums.seen(i, j));
        mixture.on[k * m + a] = (on + shares_[a]) / (sums.seen(i, j) + 1);
      }
    }
  }

  const data::SampleMatrix& samples_;
  std::vector<std::size_t> rows_;
  const MixtureOptions& options_;
  std::vector<double> shares_;  // of the rows in which a variable is on, half a row each way added
};

void require_rows_for_mixture(const data::SampleMatrix& samples) {
  if (samples.n_samples() > 0) return;
  throw InputError("the data hold 0 rows; a baseline needs at least one");
}

std::vector<std::size_t> spread_rows(std::size_t n_rows, std::size_t most) {
  std::vector<std::size_t> rows(std::min(n_rows, most));
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i * n_rows / rows.size();
  return rows;
}

/// Learned from nine tenths of the rows; the number of components predicts the other tenth best.
BernoulliMixture choose(const data::SampleMatrix& samples, const std::vector<std::size_t>& rows,
                        const MixtureOptions& options) {
  std::vector<std::size_t> learned_from;
  std::vector<std::size_t> held_out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (i % every_tenth == every_tenth - 1 ? held_out : learned_from).push_back(rows[i]);
  }
  const Fitting fitting(samples, learned_from, options);
  if (held_out.empty()) return fitting.fit(options.numbers.front());
  Progress progress("mixtures", options.numbers.size(), "numbers of components");
  double best = -std::numeric_limits<double>::infinity();
  BernoulliMixture chosen;
  int n_worse = 0;
  for (const std::size_t number : options.numbers) {
    if (number > learned_from.size() || n_worse == 2) break;
    BernoulliMixture mixture = fitting.fit(number);
    const double score =
        pass<double>(mixture, samples, held_out, false, options.threads).log_likelihood;
    progress.advance();
    n_worse = score > best ? 0 : n_worse + 1;
    if (!(score > best)) continue;
    best = score;
    chosen = std::move(mixture);
  }
  return chosen;
}

}  // namespace

BernoulliMixture fit_mixture(const data::SampleMatrix& samples, const MixtureOptions& options) {
  require_rows_for_mixture(samples);
  const std::vector<std::size_t> rows = spread_rows(samples.n_samples(), options.most_rows);
  return Fitting(samples, rows, options).ascend(choose(samples, rows, options));
}

double mean_log_likelihood(const BernoulliMixture& mixture, const data::SampleMatrix& samples,
                           int threads) {
  require_rows_for_mixture(samples);
  if (samples.n_observed() != mixture.n_variables) {
    throw InputError(fmt::format("the data have {} variables, the mixture {}", samples.n_observed(),
                                 mixture.n_variables));
  }
  std::vector<std::size_t> rows(samples.n_samples());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return pass<double>(mixture, samples, rows, false, threads).log_likelihood /
         static_cast<double>(rows.size());
}

}  // namespace orrery::learning
