#include "families/noisy_or/quartet/refine/em.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/extrapolation.hpp"

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

namespace {

/// An EM under way.
class Running {
 public:
  Running(const learning::RowPass& rows, const FitOptions& options, Fit begun)
      : rows_(rows), options_(options), fit_(std::move(begun)) {}
  [[nodiscard]] const Fit& fit() const { return fit_; }
  [[nodiscard]] bool is_at_end() const { return fit_.iterations >= options_.max_iterations; }
  /// The last look searched the rows, or there is a table of all states.
  [[nodiscard]] bool has_searched() const { return has_searched_; }

  /// Begins with the network at hand. `is_counted`: its states were counted before.
  void begin(bool is_counted) {
    if (fit_.expectation) {
      take(fit_.expectation);
      found_ = fit_.expectation->found;
    } else {
      search();
    }
    if (!is_counted) count_states();
  }
  /// Searches the rows if the last look did not.
  void end() {
    if (!has_searched_) search();
  }

  /// One iteration of EM; whether it gained enough to go on. `searches`: not with the states that
  /// were found before. Then it tells no gain: what states leave out changes as parameters do, by
  /// more than a late iteration gains.
  bool step(bool searches) {
    const double before = fit_.log_posterior;
    const bool tells = !searches || has_searched_;
    fit_.network = next();
    look(searches);
    if (!tells) return true;
    fit_.last_gain = fit_.log_posterior - before;
    return fit_.last_gain >= options_.tolerance;
  }

  /// From the network `before` and the one that a step led to, further in the same direction, if
  /// that is better than this step; else another step. Neither searches the rows: what a search
  /// finds would not compare with what is summed of the states found before.
  void leap(const model::NoisyOrNetwork& before) {
    const double reached = fit_.log_posterior;
    const model::NoisyOrNetwork after = next();
    fit_.network = with_log_odds(
        after, extrapolate(log_odds_of(before), log_odds_of(fit_.network), log_odds_of(after)));
    look(false);
    if (fit_.log_posterior >= reached) return;
    fit_.network = after;
    look(false);
  }

 private:
  [[nodiscard]] model::NoisyOrNetwork next() const {
    return maximize(fit_.network, *fit_.expectation, options_.prior);
  }
  /// At the network that an iteration led to.
  void look(bool searches) {
    ++fit_.iterations;
    if (searches || found_ == nullptr) {
      search();
    } else {
      take(std::make_shared<const Expectation>(
          expect_again(rows_, fit_.network, options_.state_tolerance, *found_)));
      has_searched_ = false;
    }
    count_states();
  }
  void search() {
    // What the last search found is of many bytes.
    found_.reset();
    fit_.expectation.reset();
    take(
        std::make_shared<const Expectation>(expect(rows_, fit_.network, options_.state_tolerance)));
    found_ = fit_.expectation->found;
    has_searched_ = true;
  }
  void take(std::shared_ptr<const Expectation> expectation) {
    fit_.expectation = std::move(expectation);
    fit_.tests.reset();
    fit_.log_likelihood = fit_.expectation->log_likelihood;
    fit_.n_truncated = fit_.expectation->n_truncated;
    fit_.log_posterior = fit_.log_likelihood + log_parameter_prior(fit_.network, options_.prior);
  }
  /// Those of the last look, or that a search would have had there.
  void count_states() { fit_.n_states += fit_.expectation->n_states; }

  const learning::RowPass& rows_;
  const FitOptions& options_;
  Fit fit_;
  std::shared_ptr<const FoundStates> found_;  // by the last search; null of a table of all states
  bool has_searched_ = true;
};

/// A step, the leap, and the step that takes its place if it is worse.
constexpr int iterations_of_leap = 3;

/// Where EM is interrupted it goes on from its last search, so that it does so in the same way: no
/// leap follows a step that searches.
Fit run(Running& running, const FitOptions& options) {
  const bool leaps = options.max_iterations >= constants::refinement::least_extrapolated;
  Fit searched;
  while (!running.is_at_end()) {
    if (running.has_searched()) {
      searched = running.fit();
      searched.expectation.reset();  // which is of many bytes
    }
    if (options.pause) options.pause(searched);
    const model::NoisyOrNetwork before = running.fit().network;
    const int iterations = running.fit().iterations;
    const bool searches = iterations - searched.iterations + (leaps ? iterations_of_leap : 1) >=
                              constants::refinement::iterations_per_search ||
                          iterations + 1 == options.max_iterations;
    const bool goes_on = running.step(searches);
    if (options.gives_up && options.gives_up(running.fit())) return running.fit();
    if (!goes_on) break;
    if (leaps && !searches && !running.is_at_end()) running.leap(before);
  }
  running.end();
  return running.fit();
}

}  // namespace

Fit fit(const learning::RowPass& rows, model::NoisyOrNetwork start, const FitOptions& options) {
  Fit begun;
  begun.network = std::move(start);
  Running running(rows, options, std::move(begun));
  running.begin(false);
  return run(running, options);
}

Fit go_on(const learning::RowPass& rows, Fit begun, const FitOptions& options) {
  Running running(rows, options, std::move(begun));
  running.begin(true);
  return run(running, options);
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
