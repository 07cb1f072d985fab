#include "families/linear/linear_latent/loadings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "families/linear/linear_latent/moment_set.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_noise = 1e-7;
constexpr double zero_errors = 2;  // an entry within so many errors of 0 may be 0
constexpr int most_repetitions = 10;
constexpr double least_independence = 1e-6;  // eigenvalue of the columns' Gram matrix

/// Entries of each column that are taken for 0: the k - 1 least in units of their errors, and all
/// within the limit.
using Zeros = std::vector<std::vector<Index>>;
Zeros zeros_of(const MatrixXd& columns, const MatrixXd& errors, double limit) {
  const Index n = columns.rows();
  const Index k = columns.cols();
  Zeros zeros(static_cast<std::size_t>(k));
  for (Index j = 0; j < k; ++j) {
    const VectorXd sizes = columns.col(j).cwiseAbs().cwiseQuotient(errors.col(j));
    std::vector<Index> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, {}, [&](Index i) { return sizes[i]; });
    Index count = 0;
    while (count < n && (count < k - 1 || sizes[order[static_cast<std::size_t>(count)]] < limit)) {
      ++count;
    }
    order.resize(static_cast<std::size_t>(std::min(count, n - 1)));
    std::ranges::sort(order);
    zeros[static_cast<std::size_t>(j)] = std::move(order);
  }
  return zeros;
}

/// Canonical columns and E[hh^T].
struct Canonical {
  MatrixXd loadings;
  MatrixXd covariance;
};

Canonical canonical(const MatrixXd& columns, const MatrixXd& basis) {
  const MatrixXd root = linalg::least_squares(columns, basis);  // B~ L^1/2
  const MatrixXd covariance = root * root.transpose();
  const VectorXd scale = covariance.diagonal().cwiseSqrt();
  const VectorXd inverse = scale.cwiseInverse();
  return {columns * scale.asDiagonal(), inverse.asDiagonal() * covariance * inverse.asDiagonal()};
}

/// The unit vectors of the span that are least on their zeros; each on the side of `like`.
MatrixXd refit(const MatrixXd& span, const Zeros& zeros, const VectorXd& noise,
               const MatrixXd& like) {
  MatrixXd columns(span.rows(), span.cols());
  for (Index j = 0; j < span.cols(); ++j) {
    const auto& rows = zeros[static_cast<std::size_t>(j)];
    const MatrixXd scaled = noise(rows).cwiseInverse().asDiagonal() * span(rows, Eigen::all);
    columns.col(j) = span * linalg::spectrum_of(scaled.transpose() * scaled).vectors.col(0);
    if (columns.col(j).dot(like.col(j)) < 0) columns.col(j) *= -1;
  }
  return columns;
}

/// One repetition's outcome.
struct Fit {
  MatrixXd columns;  // unit vectors
  Canonical full;
  std::vector<Canonical> without;
  MatrixXd errors;  // of full.loadings; 0 of exact moments
};

std::vector<MatrixXd> loadings_of(const std::vector<Canonical>& all) {
  std::vector<MatrixXd> loadings;
  loadings.reserve(all.size());
  for (const Canonical& one : all) loadings.push_back(one.loadings);
  return loadings;
}

/// Columns as they are, and refitted without each group.
Fit fit_at(const Splits& splits, MatrixXd columns, const std::vector<MatrixXd>& spans,
           const Zeros& zeros, const VectorXd& noise) {
  Fit fit;
  fit.columns = std::move(columns);
  fit.full = canonical(fit.columns, splits.full.basis);
  fit.without.resize(spans.size());
#pragma omp parallel for schedule(dynamic) default(shared)
  for (std::size_t g = 0; g < spans.size(); ++g) {
    fit.without[g] = canonical(refit(spans[g], zeros, noise, fit.columns), splits.without[g].basis);
  }
  fit.errors = spans.empty() ? MatrixXd::Zero(fit.columns.rows(), fit.columns.cols()).eval()
                             : jackknife_errors(loadings_of(fit.without));
  return fit;
}

Fit fit_once(const Splits& splits, const MatrixXd& span, const std::vector<MatrixXd>& spans,
             const Zeros& zeros, const VectorXd& noise, const MatrixXd& like) {
  return fit_at(splits, refit(span, zeros, noise, like), spans, zeros, noise);
}

std::vector<MatrixXd> spans_without(const Splits& splits) {
  std::vector<MatrixXd> spans;
  for (const FactorSplit& split : splits.without) {
    spans.push_back(linalg::orthonormal_basis_of(split.basis));
  }
  return spans;
}

/// Where two columns are taken for 0 in the same places, both become the same vector.
bool is_independent(const Fit& fit) {
  return linalg::eigenvalues_of(fit.columns.transpose() * fit.columns)[0] > least_independence;
}

/// Signs, order and significance.
Loadings in_order(const Fit& fit, double alpha) {
  const MatrixXd& a = fit.full.loadings;
  const Index n = a.rows();
  const Index k = a.cols();
  const bool exact = fit.without.empty();
  const auto tests = static_cast<double>(n * k);
  std::vector<std::vector<Index>> supports(static_cast<std::size_t>(k));
  VectorXd sign(k);
  for (Index j = 0; j < k; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (is_significant(a(i, j), fit.errors(i, j), alpha, tests)) {
        supports[static_cast<std::size_t>(j)].push_back(i);
      }
    }
    Index largest = 0;
    a.col(j).cwiseAbs().maxCoeff(&largest);
    sign[j] = a(largest, j) < 0 ? -1 : 1;
  }
  std::vector<Index> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index x, Index y) {
    return supports[static_cast<std::size_t>(x)] < supports[static_cast<std::size_t>(y)];
  });
  const MatrixXd move = MatrixXd(sign.asDiagonal())(Eigen::all, order);  // k x k
  Loadings loadings;
  loadings.estimates = a * move;
  loadings.covariance = move.transpose() * fit.full.covariance * move;
  loadings.significant = MatrixXd::Zero(n, k);
  for (Index j = 0; j < k; ++j) {
    for (const Index i : supports[static_cast<std::size_t>(order[static_cast<std::size_t>(j)])]) {
      loadings.significant(i, j) = loadings.estimates(i, j);
    }
  }
  if (exact) return loadings;
  loadings.errors = fit.errors(Eigen::all, order);
  for (const Canonical& one : fit.without) {
    loadings.estimates_without.emplace_back(one.loadings * move);
    loadings.covariance_without.emplace_back(move.transpose() * one.covariance * move);
  }
  loadings.covariance_errors = jackknife_errors(loadings.covariance_without);
  return loadings;
}

}  // namespace

VectorXd noise_level(const Splits& splits) {
  const MatrixXd span = linalg::orthonormal_basis_of(splits.full.basis);
  VectorXd squares = VectorXd::Zero(span.rows());
  const auto groups = static_cast<double>(splits.without.size());
  for (const FactorSplit& split : splits.without) {
    const MatrixXd other = linalg::orthonormal_basis_of(split.basis);
    squares += (other * (other.transpose() * span) - span).rowwise().squaredNorm();
  }
  if (groups > 0) squares *= (groups - 1) / groups / static_cast<double>(span.cols());
  return squares.cwiseSqrt().cwiseMax(least_noise);
}

Loadings loadings_as_solved(const Splits& splits, const MatrixXd& w, double alpha) {
  MatrixXd columns = splits.full.basis * w;
  columns.colwise().normalize();
  const VectorXd noise = VectorXd::Ones(columns.rows());
  const Zeros zeros = zeros_of(columns, noise.replicate(1, w.cols()), 0);
  return in_order(fit_at(splits, std::move(columns), spans_without(splits), zeros, noise), alpha);
}

Loadings fit_loadings(const Splits& splits, const MatrixXd& w, double alpha) {
  const VectorXd noise = noise_level(splits);
  const MatrixXd span = linalg::orthonormal_basis_of(splits.full.basis);
  const std::vector<MatrixXd> spans = spans_without(splits);

  MatrixXd columns = splits.full.basis * w;
  columns.colwise().normalize();
  Zeros zeros = zeros_of(columns, noise.replicate(1, w.cols()), zero_errors);
  Fit fit = fit_once(splits, span, spans, zeros, noise, columns);
  if (!is_independent(fit)) {
    zeros = zeros_of(columns, noise.replicate(1, w.cols()), 0);
    fit = fit_once(splits, span, spans, zeros, noise, columns);
  }
  if (!is_independent(fit)) {
    throw InputError(fmt::format(
        "of the {} columns of the loadings some cannot be told apart by where they are 0; give "
        "fewer --causes, or more rows",
        w.cols()));
  }
  std::vector<Zeros> seen{zeros};
  for (int repetition = 1; repetition < most_repetitions; ++repetition) {
    const MatrixXd errors = spans.empty() ? noise.replicate(1, w.cols()).eval() : fit.errors;
    zeros = zeros_of(spans.empty() ? fit.columns : fit.full.loadings, errors, zero_errors);
    if (std::ranges::find(seen, zeros) != seen.end()) break;
    seen.push_back(zeros);
    Fit next = fit_once(splits, span, spans, zeros, noise, fit.columns);
    if (!is_independent(next)) break;
    fit = std::move(next);
  }
  return in_order(fit, alpha);
}

}  // namespace orrery::linear_latent
