#include "learners/quartet/signature_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "learners/quartet/cause_parts.hpp"
#include "learners/quartet/network_edits.hpp"
#include "learners/quartet/sparse_expectation.hpp"
#include "orrery/base/log.hpp"

namespace orrery::quartet {
namespace {

// First steps need no more rows.
constexpr std::uint64_t first_step_rows = 125'000;

// What an edge that stays must be worth, nats; else some would come and go.
constexpr double least_worth = 1;

// Edges are many and unlike: held to nothing but to be inside (0, 1).
constexpr FailurePrior failure_prior{.5, .5};

model::NoisyOrNetwork network_of(const learners::LearnContext& context, const State& state) {
  const std::size_t m = context.names.size();
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < state.causes.size(); ++u) {
    causes.push_back({std::to_string(u), state.causes[u].prior});
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = state.failures[u * m + a];
      if (failure < 1) edges.push_back({u, a, std::clamp(failure, .01, .98)});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < m; ++a) {
    const double on = 1 - context.moments.single(a);
    observed.push_back({context.names[a], std::clamp(on, 1e-6, 1 - 1e-6)});
  }
  return explain_leaks({std::move(causes), std::move(observed), std::move(edges)});
}

/// Rows of a binomial: log-likelihood ratio of its own share against `other`.
double binomial_ratio(double on, double n, double other) {
  const double share = std::clamp(on / n, 1e-9, 1 - 1e-9);
  const double against = std::clamp(other, 1e-9, 1 - 1e-9);
  return n * (share * std::log(share / against) +
              (1 - share) * (std::log1p(-share) - std::log1p(-against)));
}

/// P(a off | cause u present) as everything but u makes it: m.
std::vector<double> off_beside(const model::NoisyOrNetwork& network, const SparseExpectation& found,
                               std::size_t u) {
  std::vector<double> off;
  for (const model::Observed& observed : network.observed()) off.push_back(1 - observed.leak);
  const std::size_t n = network.n_causes();
  for (std::size_t v = 0; v < n; ++v) {
    const double both = found.together[u * n + v] / std::max(found.expected.present[u], 1.0);
    if (v == u || both == 0) continue;
    for (const model::Edge& edge : network.children(v)) {
      off[edge.observed] *= 1 - both * (1 - edge.failure);
    }
  }
  return off;
}

/// Causes that come together more often than chance has it.
bool together(const SparseExpectation& found, std::size_t u, std::size_t v) {
  const std::vector<double>& present = found.expected.present;
  const double both = found.together[u * present.size() + v];
  const double expected = present[u] * present[v] / found.expected.n_rows;
  return both - expected > 3 * std::sqrt(expected) && both > 1.5 * expected;
}

/// Without edges that are not worth their cost, with those that are missing.
model::NoisyOrNetwork tidy(const model::NoisyOrNetwork& network, const SparseExpectation& found) {
  std::vector<model::Edge> edges;
  std::size_t e = 0;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const std::vector<double> off = off_beside(network, found, u);
    for (const model::Edge& edge : network.children(u)) {
      const double present = found.expected.present[u] - found.expected.unseen[e];
      const double on = found.on_with[e++];
      const double expected = present * (1 - off[edge.observed]);
      const double gain = on > expected ? binomial_ratio(on, present, expected / present) : 0;
      if (gain + failure_prior.log_density(edge.failure) >= least_worth) edges.push_back(edge);
    }
  }
  const std::size_t n_dropped = network.edges().size() - edges.size();
  // Of a variable, no two causes that could stand for each other.
  std::vector<model::Edge> added;
  for (const MissingEdge& missing : found.missing) {
    const bool doubtful = std::ranges::any_of(added, [&](const model::Edge& edge) {
      return edge.observed == missing.edge.observed &&
             together(found, edge.cause, missing.edge.cause);
    });
    if (!doubtful) added.push_back(missing.edge);
  }
  edges.insert(edges.end(), added.begin(), added.end());
  log::verbose("{} edges dropped, {} added of {}", n_dropped, added.size(), found.missing.size());
  return {network.causes(), network.observed(), std::move(edges)};
}

std::vector<std::size_t> needed_causes(const model::NoisyOrNetwork& network,
                                       const SparseExpectation& found, double cause_cost) {
  std::vector<std::size_t> needed;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto n_edges = static_cast<double>(network.children(u).size());
    const double cost = cause_cost + n_edges * edge_cost;
    if (network.children(u).size() >= least_children && -found.without_cause[u] > cost) {
      needed.push_back(u);
    }
  }
  return needed;
}

void into(const model::NoisyOrNetwork& network, const std::vector<std::size_t>& needed,
          State& state) {
  const std::size_t m = network.n_observed();
  std::vector<LearnedCause> causes;
  std::size_t n_before = 0;
  std::size_t n_before_last = 0;
  for (const std::size_t u : needed) {
    causes.push_back(state.causes[u]);
    causes.back().prior = network.causes()[u].prior;
    n_before += u < state.n_before ? 1 : 0;
    n_before_last += u < state.n_before_last ? 1 : 0;
  }
  state.causes = std::move(causes);
  state.n_before = n_before;
  state.n_before_last = n_before_last;
  state.failures.assign(needed.size() * m, 1);
  state.failure_errors.assign(needed.size() * m, 0);  // not known
  for (std::size_t k = 0; k < needed.size(); ++k) {
    for (const model::Edge& edge : network.children(needed[k])) {
      state.failures[k * m + edge.observed] = edge.failure;
    }
  }
  state.leaks.clear();
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

}  // namespace

bool are_few(std::size_t n_causes, const State& state) {
  constexpr std::size_t few_of = 200;
  return n_causes * few_of <= state.causes.size();
}

namespace {

/// The network that `state` holds once into() has been there.
model::NoisyOrNetwork refined_network(const learners::LearnContext& context, const State& state) {
  const std::size_t m = context.names.size();
  std::vector<model::Cause> causes;
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < state.causes.size(); ++u) {
    causes.push_back({std::to_string(u), state.causes[u].prior});
    for (std::uint32_t a = 0; a < m; ++a) {
      const double failure = state.failures[u * m + a];
      if (failure < 1) edges.push_back({u, a, failure});
    }
  }
  std::vector<model::Observed> observed;
  for (std::size_t a = 0; a < m; ++a) observed.push_back({context.names[a], state.leaks[a]});
  return {std::move(causes), std::move(observed), std::move(edges)};
}

/// A step of EM, and what its pass says of edges and causes.
SparseExpectation step(const learners::RowPass& rows, Missing missing,
                       model::NoisyOrNetwork& network) {
  SparseExpectation found = expect_sparse(rows, network, missing, edge_cost);
  log::verbose("{} causes, {} edges: {:.4f} nats a row", network.n_causes(), network.edges().size(),
               found.expected.log_likelihood / found.expected.n_rows);
  network = maximize(network, found.expected, failure_prior);
  return found;
}

/// All but the last pass.
State refine_structure(const learners::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State state) {
  const std::uint64_t n_rows = context.rows->n_rows();
  const Penalty penalty(n_rows, context.names.size(), alpha);
  model::NoisyOrNetwork network = network_of(context, state);
  const std::uint64_t n_thinned = std::max<std::uint64_t>(n_rows / first_step_rows, 1);
  const int first_steps = state.n_refined == 0 ? 1 : 0;  // the signatures are further off
  for (int i = 0; i < first_steps; ++i) {
    pause();
    (void)step(context.rows->thinned(n_thinned), Missing::ignore, network);
  }
  pause();
  const SparseExpectation found = step(*context.rows, Missing::find, network);
  if (found.expected.n_truncated > 0) {
    log::verbose("{} rows have so many explanations that the least likely were left out",
                 format_count(static_cast<std::uint64_t>(found.expected.n_truncated)));
  }
  std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause);
  state.n_refined = needed.size();
  network = tidy(network, found);
  if (hidden == Hidden::find) {
    network = with_parts(
        network, find_parts(context, found.attributed, network.n_causes(), penalty.cause), state);
    for (std::size_t u = found.expected.present.size(); u < network.n_causes(); ++u) {
      needed.push_back(u);
    }
  }
  into(network, needed, state);
  const std::size_t n_new = state.causes.size() - state.n_refined;
  state.awaits_pass = n_new > 0 && are_few(n_new, state);  // else all is refined again
  return state;
}

}  // namespace

void refine_signatures(const learners::LearnContext& context, double alpha, Hidden hidden,
                       const std::function<void()>& pause, State& state) {
  if (!state.awaits_pass) state = refine_structure(context, alpha, hidden, pause, state);
  if (!state.awaits_pass) return;
  pause();
  model::NoisyOrNetwork network = refined_network(context, state);
  (void)step(*context.rows, Missing::ignore, network);
  into(network, all_causes(network), state);
  state.n_refined = state.causes.size();
  state.awaits_pass = false;
}

}  // namespace orrery::quartet
