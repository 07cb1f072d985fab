#include "families/noisy_or/quartet/refine/errors.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "families/noisy_or/quartet/constants.hpp"
#include "linalg/decompositions.hpp"
#include "model/row_posterior.hpp"

namespace orrery::quartet {

std::vector<double> errors_of_information(const Eigen::MatrixXd& information) {
  const Eigen::Index k = information.rows();
  std::vector<double> errors(static_cast<std::size_t>(k), std::numeric_limits<double>::quiet_NaN());
  // Equal scales before the inversion: leaks and failures differ by orders of magnitude.
  const Eigen::VectorXd scale = information.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * information * scale.asDiagonal();
  const linalg::Ldlt factors(scaled);
  const Eigen::MatrixXd inverse = factors.inverse();
  for (Eigen::Index i = 0; i < k; ++i) {
    const double variance = inverse(i, i);
    if (factors.succeeded() && variance > 0 && std::isfinite(variance)) {
      errors[static_cast<std::size_t>(i)] = std::sqrt(variance) * scale(i);
    }
  }
  return errors;
}

namespace {

/// Numbers of parameters: priors, then leaks, then failures.
using Numbers = std::vector<std::size_t>;

class Gradients {
 public:
  Gradients(const model::NoisyOrNetwork& network, const model::PosteriorNetwork& prepared)
      : network_(network),
        row_(prepared, constants::refinement::state_tolerance),
        gradient_(network.n_causes() + network.n_observed() + network.edges().size(), 0) {}

  /// The gradient of a row's log-likelihood, all parameters.
  const std::vector<double>& of(std::span<const std::uint64_t> values,
                                std::span<const std::uint64_t> missing) {
    row_.evaluate(values, missing);
    const std::size_t n = network_.n_causes();
    const std::size_t m = network_.n_observed();
    for (std::size_t u = 0; u < n; ++u) {
      const double p = network_.causes()[u].prior;
      const double posterior = row_.posterior(u);
      gradient_[u] = (posterior - p) / (p * (1 - p));
      for (const model::Edge& edge : network_.children(u)) {
        gradient_[edge_number(edge)] = posterior / edge.failure;
      }
    }
    for (std::size_t a = 0; a < m; ++a) gradient_[n + a] = -1 / (1 - network_.observed()[a].leak);
    for (std::size_t i = 0; i < row_.on().size(); ++i) {
      gradient_[n + row_.on()[i]] *= 1 - row_.inverse()[i];
    }
    on_edges();
    off_missing(missing);
    return gradient_;
  }

 private:
  [[nodiscard]] std::size_t edge_number(const model::Edge& edge) const {
    return network_.n_causes() + network_.n_observed() +
           static_cast<std::size_t>(&edge - network_.edges().data());
  }

  void on_edges() {
    // A cause that is no candidate in this row is absent: its edges say nothing.
    const std::size_t first = network_.n_causes() + network_.n_observed();
    for (const std::uint32_t u : row_.touched()) {
      for (const model::Edge& edge : network_.children(u)) {
        if (std::ranges::binary_search(row_.on(), edge.observed)) gradient_[edge_number(edge)] = 0;
      }
    }
    for (const auto& group : row_.groups()) {
      const auto causes = row_.group_causes(group);
      for (std::size_t k = 0; k < causes.size(); ++k) {
        const double posterior = row_.posterior(causes[k]);
        row_.for_each_edge(group, k, [&](std::uint32_t edge, double value) {
          gradient_[first + edge] = -(value - posterior) / network_.edges()[edge].failure;
        });
      }
    }
  }

  void off_missing(std::span<const std::uint64_t> missing) {
    for (std::size_t w = 0; w < missing.size(); ++w) {
      for (std::uint64_t left = missing[w]; left != 0; left &= left - 1) {
        const auto a = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        gradient_[network_.n_causes() + a] = 0;
        for (const model::Edge& edge : network_.edges()) {
          if (edge.observed == a) gradient_[edge_number(edge)] = 0;
        }
      }
    }
  }

  const model::NoisyOrNetwork& network_;
  model::RowPosterior row_;
  std::vector<double> gradient_;
};

/// What a thread needs for a block of rows; allocated once, for it is larger than what malloc
/// keeps.
struct Scratch {
  Gradients gradients;
  Eigen::MatrixXd of_rows;   // parameters x rows
  Eigen::MatrixXd products;  // parameters x parameters
};

/// Sum over rows of the outer products of the chosen parameters' gradients, lower triangle by rows.
std::vector<double> information(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                                const Numbers& chosen) {
  const std::size_t k = chosen.size();
  const model::PosteriorNetwork prepared(network, rows.n_rows(), rows.may_miss());
  const auto width = static_cast<Eigen::Index>(k);
  std::vector<Scratch> scratch(static_cast<std::size_t>(rows.n_threads()),
                               {{network, prepared}, {}, Eigen::MatrixXd(width, width)});
  return rows.sum(
      k * (k + 1) / 2, [&](const learning::RowBlock& block, int thread, std::span<double> into) {
        auto& [gradients, of_rows, products] = scratch[static_cast<std::size_t>(thread)];
        of_rows.resize(width, static_cast<Eigen::Index>(block.n_rows));
        for (std::size_t r = 0; r < block.n_rows; ++r) {
          const std::vector<double>& all = gradients.of(block.row(r), block.missing_in(r));
          double* of_row = of_rows.col(static_cast<Eigen::Index>(r)).data();
          for (std::size_t i = 0; i < k; ++i) of_row[i] = all[chosen[i]];
        }
        products.setZero();
        products.selfadjointView<Eigen::Upper>().rankUpdate(of_rows);
        double* line = into.data();
        for (Eigen::Index i = 0; i < products.cols(); line += ++i) {
          std::copy_n(products.col(i).data(), i + 1, line);
        }
      });
}

double prior_curvature(const model::NoisyOrNetwork& network, std::size_t number,
                       const FailurePrior& prior) {
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  if (number < n) return curvature(network.causes()[number].prior, .5, .5);
  if (number < n + m) return curvature(network.observed()[number - n].leak, .5, 0);
  return curvature(network.edges()[number - n - m].failure, prior.failures, prior.successes);
}

void solve(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
           const FailurePrior& prior, const Numbers& chosen, std::vector<double>& errors) {
  const auto k = static_cast<Eigen::Index>(chosen.size());
  const std::vector<double> sums = information(rows, network, chosen);
  Eigen::MatrixXd matrix(k, k);
  std::size_t next = 0;
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = sums[next++];
    matrix(i, i) += prior_curvature(network, chosen[static_cast<std::size_t>(i)], prior);
  }
  const std::vector<double> found = errors_of_information(matrix);
  for (std::size_t i = 0; i < chosen.size(); ++i) errors[chosen[i]] = found[i];
}

/// One cause, its failures and the leaks of its children.
Numbers block_of(const model::NoisyOrNetwork& network, std::size_t cause) {
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  Numbers numbers{cause};
  for (const model::Edge& edge : network.children(cause)) numbers.push_back(n + edge.observed);
  for (const model::Edge& edge : network.children(cause)) {
    numbers.push_back(n + m + static_cast<std::size_t>(&edge - network.edges().data()));
  }
  return numbers;
}

}  // namespace

model::StandardErrors standard_errors(const learning::RowPass& rows,
                                      const model::NoisyOrNetwork& network,
                                      const FailurePrior& prior) {
  const std::size_t n = network.n_causes();
  const std::size_t m = network.n_observed();
  const std::size_t n_all = n + m + network.edges().size();
  std::vector<double> errors(n_all, std::numeric_limits<double>::quiet_NaN());
  if (n_all <= constants::refinement::most_joint) {
    Numbers all(n_all);
    for (std::size_t i = 0; i < n_all; ++i) all[i] = i;
    solve(rows, network, prior, all, errors);
  } else {
    for (std::size_t u = 0; u < n; ++u) {
      solve(rows, network, prior, block_of(network, u), errors);
    }
    for (std::size_t a = 0; a < m; ++a) {
      if (std::isnan(errors[n + a])) solve(rows, network, prior, {n + a}, errors);
    }
  }
  const auto at = [&](std::size_t i) { return errors.begin() + static_cast<std::ptrdiff_t>(i); };
  return {{at(0), at(n)}, {at(n), at(n + m)}, {at(n + m), at(n_all)}};
}

}  // namespace orrery::quartet
