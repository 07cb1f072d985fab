#include "families/noisy_or/quartet/signatures/residual_components.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

#include "base/log.hpp"
#include "data/bits.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/em.hpp"
#include "families/noisy_or/quartet/signatures/pair_signature.hpp"
#include "families/noisy_or/quartet/signatures/signature_refinement.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "families/noisy_or/quartet/verdict.hpp"
#include "learning/row_sums.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::quartet {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What a network expects, and what the rows have beyond it.
struct Covariances {
  VectorXd on;  // shares of the rows
  MatrixXd expected, beyond;
};

Covariances covariances_of(const moments::MomentSource& found,
                           const model::NoisyOrNetwork& network) {
  const auto m = static_cast<Index>(network.n_observed());
  LogTerms terms(network.n_observed());
  VectorXd off(m);
  for (Index a = 0; a < m; ++a) off(a) = 1 - network.observed()[static_cast<std::size_t>(a)].leak;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const std::vector<double> failures = network.dense_failures(u);
    const double prior = network.causes()[u].prior;
    terms.add(prior, failures);
    for (Index a = 0; a < m; ++a)
      off(a) *= 1 - prior + prior * failures[static_cast<std::size_t>(a)];
  }
  Covariances made{VectorXd::Ones(m) - off, MatrixXd::Zero(m, m), MatrixXd::Zero(m, m)};
  // A variable that is on in no row, or in every one, varies by less than a row.
  const double least = .5 / static_cast<double>(found.n_samples());
  for (Index a = 0; a < m; ++a) {
    const auto i = static_cast<std::uint32_t>(a);
    made.expected(a, a) = std::max(off(a) * (1 - off(a)), least);
    for (Index b = 0; b < a; ++b) {
      const auto j = static_cast<std::uint32_t>(b);
      const double expected = off(a) * off(b) * std::expm1(terms.pair(i, j));
      const double counted = found.pair(i, j) - found.single(i) * found.single(j);
      made.expected(a, b) = made.expected(b, a) = expected;
      // Where values are missing, fewer rows say less: of a pair that none has, nothing.
      const double share = found.observed_pair_share(i, j);
      if (share > 0) {
        made.beyond(a, b) = made.beyond(b, a) = (counted - expected) * std::sqrt(share);
      }
    }
  }
  return made;
}

/// A direction in which rows vary more than expected.
struct Direction {
  double value = 0;  // of W
  VectorXd weights;  // R^-T v: m, of a row's differences from the means
  VectorXd shared;   // R v: m
};

/// The largest eigenvalue that chance makes.
double largest_of_noise(Index m, double n_rows) {
  const auto n_variables = static_cast<double>(m);
  return 2 * std::sqrt(n_variables) + n_variables / std::sqrt(n_rows);
}

/// The largest eigenvalues of W beyond noise, falling: by subspace iteration.
std::vector<Direction> directions_of(const Covariances& of, double n_rows) {
  const linalg::Cholesky cholesky(of.expected);
  if (!cholesky.is_positive_definite()) return {};
  const MatrixXd root = cholesky.root();
  const auto lower = root.triangularView<Eigen::Lower>();
  const auto times_w = [&](const MatrixXd& x) -> MatrixXd {
    return std::sqrt(n_rows) * lower.solve(of.beyond * lower.transpose().solve(x));
  };
  const Index m = root.rows();
  const double noise = largest_of_noise(m, n_rows);
  MatrixXd block(m, std::min<Index>(m, constants::signatures::most_components));
  for (Index a = 0; a < m; ++a) {  // columns of which none is a sum of the others
    for (Index k = 0; k < block.cols(); ++k) {
      const auto place = static_cast<double>(a * block.cols() + k);
      block(a, k) = std::sin(place * place);
    }
  }
  for (int i = 0; i < constants::signatures::iterations_per_component; ++i) {
    block = linalg::orthonormal_basis_of(block);
    block = times_w(block) + noise * block;  // so that the lowest eigenvalue is not the largest
  }
  block = linalg::orthonormal_basis_of(block);
  const linalg::Spectrum spectrum = linalg::spectrum_of(block.transpose() * times_w(block));
  std::vector<Direction> directions;
  for (Index k = block.cols(); k-- > 0 && spectrum.values(k) > noise;) {
    const VectorXd v = block * spectrum.vectors.col(k);
    directions.push_back({spectrum.values(k), lower.transpose().solve(v), root * v});
  }
  return directions;
}

/// Of each direction: the standard deviation, over a sample of the rows, of the square of a row's
/// component; of a normal one it is sqrt(2). Where values are missing, as if none were: missing
/// ones count as their mean, and squares are scaled to what the eigenvalue says of their mean.
std::vector<double> deviations_of_squares(const learning::RowPass& all, double n_rows,
                                          const VectorXd& on,
                                          const std::vector<Direction>& directions) {
  const learning::RowPass rows =
      all.thinned(std::max<std::uint64_t>(all.n_rows() / constants::signatures::component_rows, 1));
  const std::size_t k = directions.size();
  std::vector<double> of_means;
  of_means.reserve(k);
  for (const Direction& one : directions) of_means.push_back(-one.weights.dot(on));
  const auto add_block = [&](const learning::RowBlock& block, int /*thread*/,
                             std::span<double> sums) {
    std::vector<double> components(k);
    const auto add = [&](std::size_t a, double value) {
      for (std::size_t i = 0; i < k; ++i) {
        components[i] += value * directions[i].weights(static_cast<Index>(a));
      }
    };
    for (std::size_t r = 0; r < block.n_rows; ++r) {
      components = of_means;
      data::for_each_bit(block.row(r), [&](std::size_t a) { add(a, 1); });
      data::for_each_bit(block.missing_in(r),
                         [&](std::size_t a) { add(a, on(static_cast<Index>(a))); });
      for (std::size_t i = 0; i < k; ++i) {
        const double square = components[i] * components[i];
        sums[2 * i] += square;
        sums[2 * i + 1] += square * square;
      }
    }
  };
  const std::vector<double> sums = rows.sum(2 * k, add_block);
  const auto n = static_cast<double>(rows.n_rows());
  std::vector<double> deviations;
  deviations.reserve(k);
  for (std::size_t i = 0; i < k; ++i) {
    const double mean = sums[2 * i] / n;
    const double whole_mean = 1 + directions[i].value / std::sqrt(n_rows);
    deviations.push_back(std::sqrt(std::max(sums[2 * i + 1] / n - mean * mean, 0.0)) * whole_mean /
                         mean);
  }
  return deviations;
}

/// A cause of the variables at one end of a direction, where EM may begin.
Elected cause_at(const Direction& direction, double sign, const VectorXd& on, double n_rows) {
  constexpr double prior = constants::growth::start_prior;
  const double scale =
      sign * std::sqrt(direction.value / std::sqrt(n_rows) / (prior * (1 - prior)));
  const auto m = static_cast<std::uint32_t>(on.size());
  Elected cause;
  cause.prior = prior;
  cause.failures.assign(m, 1);
  cause.failure_errors.assign(m, 0);
  std::vector<std::uint32_t> children;
  for (std::uint32_t a = 0; a < m; ++a) {
    const double strength = scale * direction.shared(a) / (1 - on(a));
    if (!(strength >= constants::signatures::least_component_strength)) continue;
    cause.failures[a] = 1 - std::min(strength, constants::growth::start_strength);
    children.push_back(a);
  }
  std::ranges::stable_sort(children, {}, [&](std::uint32_t a) { return cause.failures[a]; });
  cause.quartet.fill(moments::no_variable);
  std::copy_n(children.begin(), std::min(children.size(), cause.quartet.size()),
              cause.quartet.begin());
  std::ranges::sort(cause.quartet);
  return cause;
}

}  // namespace

std::vector<Elected> causes_of_components(const learning::LearnContext& context,
                                          const model::NoisyOrNetwork& network) {
  if (network.n_observed() > constants::signatures::most_component_variables) return {};
  const auto n_rows = static_cast<double>(context.moments.n_samples());
  const Covariances covariances = covariances_of(context.moments, network);
  const std::vector<Direction> directions = directions_of(covariances, n_rows);
  if (directions.empty()) return {};
  const std::vector<double> deviations =
      deviations_of_squares(*context.rows, n_rows, covariances.on, directions);
  const double noise = largest_of_noise(covariances.on.size(), n_rows);
  std::vector<Elected> causes;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const double in_units_of_noise =
        directions[i].value / noise * std::numbers::sqrt2 / deviations[i];
    log::verbose("rows vary more than expected in a direction: {:.2f} of what chance may make",
                 in_units_of_noise);
    if (!(in_units_of_noise > 1)) continue;
    for (const double sign : {1.0, -1.0}) {
      Elected cause = cause_at(directions[i], sign, covariances.on, n_rows);
      if (cause.quartet.back() != moments::no_variable) causes.push_back(std::move(cause));
    }
  }
  return causes;
}

std::optional<bool> add_components(const learning::LearnContext& context, double alpha, Settle what,
                                   const std::function<void()>& pause, State& state) {
  const Penalty penalty(context.rows->n_rows(), context.names.size(), alpha);
  const auto worth_of_state = [&](const State& of) {
    pause();
    const model::NoisyOrNetwork network = refined_network(context, of);
    return worth_of(network, expect_sparse(*context.rows, network, Missing::ignore).expected,
                    penalty);
  };
  const auto left_by = [&](const State& of) {
    return dependence_left(context, residuals_of(context, refined_network(context, of)));
  };
  std::optional<bool> has_settled;
  try {
    std::optional<double> worth;  // of `state`
    double left = 0;              // of the dependence, by `state`
    for (int i = 0; i < constants::signatures::most_component_rounds; ++i) {
      const std::vector<Elected> causes =
          causes_of_components(context, refined_network(context, state));
      if (causes.empty()) break;
      if (!worth) {
        worth = worth_of_state(state);
        left = left_by(state);
      }
      State more = state;
      more.n_refined = more.causes.size();
      for (const Elected& cause : causes) more.add(cause);
      refine_signatures(context, alpha, Hidden::ignore, pause, more);
      const bool have_settled = settle_signatures(context, alpha, Settle::all, pause, more);
      const double gain = worth_of_state(more) - *worth;
      log::verbose("{} causes of many pairs together: {} causes instead of {}, worth {:.1f} nats",
                   causes.size(), more.causes.size(), state.causes.size(), gain);
      if (!(gain > 0)) break;
      state = std::move(more);
      has_settled = have_settled;
      *worth += gain;
      const double left_before = std::exchange(left, left_by(state));
      if (what == Settle::on_trial &&
          left > std::max(constants::search::much_left,
                          constants::signatures::most_left_of_dependence * left_before)) {
        break;  // such causes are not what the rows depend on
      }
    }
  } catch (const learning::TimeUp&) {  // the causes that were added by then stay
  }
  return has_settled;
}

}  // namespace orrery::quartet
