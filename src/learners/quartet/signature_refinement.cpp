#include "learners/quartet/signature_refinement.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "learners/quartet/hidden_causes.hpp"
#include "learners/quartet/network_edits.hpp"
#include "learners/quartet/sparse_expectation.hpp"
#include "orrery/base/log.hpp"

namespace orrery::quartet {
namespace {

// First steps need no more rows.
constexpr std::uint64_t first_rows = 250'000;

// What an edge must gain, nats: one for its parameter (Akaike), and one for having been chosen
// among many; rows in which both are on are so few that the ratio of two binomials seldom comes
// near by chance. With half a logarithm of the rows most weak edges of rare causes are lost.
constexpr double edge_cost = 2;

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
    const double present = found.expected.present[u];
    for (const model::Edge& edge : network.children(u)) {
      const double on = found.on_with[e++];
      const double expected = present * (1 - off[edge.observed]);
      const double gain = on > expected ? binomial_ratio(on, present, expected / present) : 0;
      if (gain + failure_prior.log_density(edge.failure) >= edge_cost) edges.push_back(edge);
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

/// A cause that hides behind another, or behind the leaks.
struct Hidden {
  Elected cause;
  std::uint32_t behind;      ///< the number of causes: the leaks
  std::vector<double> rest;  ///< failures of the other without it; of the leaks: none
};

std::vector<Hidden> find_hidden(const learners::LearnContext& context,
                                const SparseExpectation& found) {
  const std::size_t m = context.names.size();
  const std::size_t n = found.expected.present.size();
  std::vector<Hidden> hidden;
  if (context.team.is_root()) {
    std::vector<std::vector<Hidden>> behind(n + 1);
#pragma omp parallel for schedule(dynamic) num_threads(context.threads)
    for (std::uint32_t u = 0; u <= n; ++u) {
      const Attribution& rows = found.attributed[n - u];  // the leaks first: they take longest
      for (Elected& cause : causes_within(rows, m, 1)) {
        Hidden one{std::move(cause), static_cast<std::uint32_t>(n - u), {}};
        if (u > 0) {
          TwoCauses two = separate(rows, one.cause);
          one.cause.prior = two.share;
          one.cause.failures = std::move(two.second);
          one.rest = std::move(two.first);
        }
        behind[n - u].push_back(std::move(one));
        if (u > 0) break;  // the others, if they are others, next time
      }
    }
    for (auto& some : behind) hidden.insert(hidden.end(), some.begin(), some.end());
  }
  std::vector<double> numbers;
  for (const Hidden& one : hidden) {
    numbers.insert(numbers.end(), {static_cast<double>(one.behind), one.cause.prior,
                                   static_cast<double>(one.cause.support)});
    numbers.insert(numbers.end(), one.cause.quartet.begin(), one.cause.quartet.end());
    numbers.insert(numbers.end(), one.cause.failures.begin(), one.cause.failures.end());
    numbers.insert(numbers.end(), one.rest.begin(), one.rest.end());
  }
  context.team.broadcast(numbers);
  hidden.clear();
  for (auto next = numbers.begin(); next != numbers.end();) {
    Hidden one;
    one.behind = static_cast<std::uint32_t>(*next++);
    one.cause.prior = *next++;
    one.cause.support = static_cast<std::uint64_t>(*next++);
    for (std::uint32_t& member : one.cause.quartet) member = static_cast<std::uint32_t>(*next++);
    one.cause.failures.assign(next, next + static_cast<std::ptrdiff_t>(m));
    one.cause.failure_errors.assign(m, 0);
    next += static_cast<std::ptrdiff_t>(m);
    if (one.behind < n) {
      one.rest.assign(next, next + static_cast<std::ptrdiff_t>(m));
      next += static_cast<std::ptrdiff_t>(m);
    }
    hidden.push_back(std::move(one));
  }
  return hidden;
}

double cosine(const std::vector<double>& failures, const std::vector<double>& others) {
  double both = 0;
  double here = 0;
  double there = 0;
  for (std::size_t a = 0; a < failures.size(); ++a) {
    both += (1 - failures[a]) * (1 - others[a]);
    here += (1 - failures[a]) * (1 - failures[a]);
    there += (1 - others[a]) * (1 - others[a]);
  }
  return both > 0 ? both / std::sqrt(here * there) : 0;
}

/// With those of the hidden causes that no other cause resembles. Where one hid behind another, the
/// rows of the one are no longer the other's.
model::NoisyOrNetwork with_hidden(const model::NoisyOrNetwork& network, std::vector<Hidden> hidden,
                                  State& state) {
  constexpr double alike = .85;
  const std::size_t m = network.n_observed();
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  std::vector<model::Cause> causes = network.causes();
  std::vector<std::vector<double>> failures;
  for (std::size_t u = 0; u < n; ++u) failures.push_back(network.dense_failures(u));
  for (Hidden& one : hidden) {
    const std::vector<double>& own = one.cause.failures;
    const double prior = one.cause.prior * (one.behind < n ? causes[one.behind].prior : 1);
    bool known = false;
    for (std::uint32_t u = 0; u < failures.size(); ++u) {
      known = known || cosine(own, u < n && u == one.behind ? one.rest : failures[u]) > alike;
    }
    log::verbose("hidden behind {}: prior {:.5f}, {} children{}",
                 one.behind < n ? causes[one.behind].name : "the leaks", prior,
                 std::ranges::count_if(own, [](double f) { return f < 1; }),
                 known ? ", known" : "");
    if (known) continue;
    if (one.behind < n) {
      failures[one.behind] = std::move(one.rest);
      causes[one.behind].prior -= prior;
    }
    one.cause.prior = prior;
    state.add(one.cause);
    causes.push_back({std::to_string(causes.size()), prior});
    failures.push_back(own);
  }
  std::vector<model::Edge> edges;
  for (std::uint32_t u = 0; u < causes.size(); ++u) {
    for (std::uint32_t a = 0; a < m; ++a) {
      if (failures[u][a] < 1) edges.push_back({u, a, std::clamp(failures[u][a], .01, .98)});
    }
  }
  return {std::move(causes), network.observed(), std::move(edges)};
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
  for (std::size_t k = 0; k < needed.size(); ++k) {
    for (const model::Edge& edge : network.children(needed[k])) {
      state.failures[k * m + edge.observed] = edge.failure;
    }
  }
  state.leaks.clear();
  for (const model::Observed& observed : network.observed()) state.leaks.push_back(observed.leak);
}

}  // namespace

double refine_signatures(const learners::LearnContext& context, double alpha,
                         const std::function<void()>& pause, State& state) {
  const std::uint64_t n_rows = context.rows->n_rows();
  const Penalty penalty(n_rows, context.names.size(), alpha);
  model::NoisyOrNetwork network = network_of(context, state);
  const std::uint64_t step = std::max<std::uint64_t>(n_rows / first_rows, 1);
  const auto iterate = [&](const learners::RowPass& rows, Missing missing) {
    pause();
    SparseExpectation found = expect_sparse(rows, network, missing, edge_cost);
    log::verbose("{} causes, {} edges: {:.4f} nats a row", network.n_causes(),
                 network.edges().size(), found.expected.log_likelihood / found.expected.n_rows);
    network = maximize(network, found.expected, failure_prior);
    return found;
  };
  for (int i = 0; i < 2; ++i) iterate(context.rows->thinned(step), Missing::ignore);
  const SparseExpectation whole = iterate(*context.rows, Missing::find);
  network = tidy(network, whole);
  network = with_hidden(network, find_hidden(context, whole), state);
  const SparseExpectation found = iterate(*context.rows, Missing::ignore);
  const std::vector<std::size_t> needed = needed_causes(network, found, penalty.cause);
  const std::size_t n_before = whole.expected.present.size();
  state.n_refined = static_cast<std::size_t>(
      std::ranges::count_if(needed, [&](std::size_t u) { return u < n_before; }));
  into(network, needed, state);
  return found.expected.log_likelihood;
}

}  // namespace orrery::quartet
