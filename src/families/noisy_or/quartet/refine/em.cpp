#include "families/noisy_or/quartet/refine/em.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

double FailurePrior::log_density(double failure) const {
  return std::lgamma(failures + successes + 2) - std::lgamma(failures + 1) -
         std::lgamma(successes + 1) + failures * std::log(failure) +
         successes * std::log1p(-failure);
}

double log_parameter_prior(const model::NoisyOrNetwork& network, const FailurePrior& prior) {
  double sum = 0;
  for (const auto& cause : network.causes()) {
    sum += constants::refinement::pseudo_prior * (std::log(cause.prior) + std::log1p(-cause.prior));
  }
  for (const auto& observed : network.observed())
    sum += constants::refinement::pseudo_leak * std::log(observed.leak);
  for (const auto& edge : network.edges()) sum += prior.log_density(edge.failure);
  return sum;
}

model::NoisyOrNetwork maximize(const model::NoisyOrNetwork& network, const Expectation& expectation,
                               const FailurePrior& prior) {
  std::vector<model::Cause> causes = network.causes();
  std::vector<model::Observed> observed = network.observed();
  std::vector<model::Edge> edges = network.edges();
  for (std::size_t a = 0; a < observed.size(); ++a) {
    const double n_rows = expectation.rows_observed[a];
    const double leaked = observed[a].leak * expectation.inverse[a];
    observed[a].leak =
        std::clamp((leaked + constants::refinement::pseudo_leak) /
                       (n_rows + constants::refinement::pseudo_leak),
                   constants::refinement::least_leak, 1 - constants::refinement::least_leak);
  }
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const double exposed = expectation.present[edges[e].cause] - expectation.unseen[e];
    const double switched = (1 - edges[e].failure) * expectation.shared[e];
    edges[e].failure =
        std::clamp((std::max(exposed - switched, 0.0) + prior.failures) /
                       (exposed + prior.failures + prior.successes),
                   constants::refinement::least_failure, 1 - constants::refinement::least_failure);
  }
  for (std::size_t u = 0; u < causes.size(); ++u) {
    causes[u].prior = (expectation.present[u] + constants::refinement::pseudo_prior) /
                      (expectation.n_rows + 2 * constants::refinement::pseudo_prior);
  }
  return {std::move(causes), std::move(observed), std::move(edges)};
}

Fit fit(const learning::RowPass& rows, model::NoisyOrNetwork start, const FitOptions& options,
        int n_done, double n_states_done) {
  Fit result;
  result.iterations = n_done;
  result.n_states = n_states_done;
  result.network = std::move(start);
  Expectation expectation = expect(rows, result.network, options.state_tolerance);
  const auto settle = [&] {
    result.log_likelihood = expectation.log_likelihood;
    result.n_truncated = expectation.n_truncated;
    result.n_states += expectation.n_states;
    result.log_posterior =
        result.log_likelihood + log_parameter_prior(result.network, options.prior);
  };
  settle();
  for (; result.iterations < options.max_iterations; ++result.iterations) {
    if (options.pause) options.pause(result);
    const double before = result.log_posterior;
    result.network = maximize(result.network, expectation, options.prior);
    expectation = expect(rows, result.network, options.state_tolerance);
    settle();
    result.last_gain = result.log_posterior - before;
    if (result.last_gain < options.tolerance) break;
  }
  return result;
}

Penalty::Penalty(std::uint64_t n_rows, std::size_t n_observed, double alpha) {
  const double parameter = .5 * std::log(static_cast<double>(n_rows));
  cause = parameter - std::log(alpha);
  edge = parameter + .5 * std::log(static_cast<double>(n_observed));
}

double score(const Fit& fit, const Penalty& penalty) {
  return fit.log_posterior - static_cast<double>(fit.network.n_causes()) * penalty.cause -
         static_cast<double>(fit.network.edges().size()) * penalty.edge;
}

FailurePrior empirical_prior(const model::NoisyOrNetwork& network, const Expectation& expectation,
                             const FailurePrior& used) {
  double cases = 0;
  double failed = 0;
  double squares = 0;
  double sampling = 0;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    const double exposed = expectation.present[edge.cause] - expectation.unseen[e];
    if (!(exposed > 1)) continue;
    const double held = exposed + used.failures + used.successes;
    const double failure = std::clamp((edge.failure * held - used.failures) / exposed, 0.0, 1.0);
    cases += exposed;
    failed += exposed * failure;
    squares += exposed * failure * failure;
    sampling += failure * (1 - failure);
  }
  if (cases == 0) return used;
  const double mean = std::clamp(failed / cases, .01, .99);
  const double variance = std::max((squares - sampling) / cases - mean * mean, 1e-9);
  const double weight =
      std::clamp(mean * (1 - mean) / variance - 1, constants::refinement::least_alike,
                 constants::refinement::most_alike);
  return {std::max(mean * weight - 1, .5), std::max((1 - mean) * weight - 1, .5)};
}

}  // namespace orrery::quartet
