#include "families/noisy_or/quartet/signatures/signature_pass.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/extrapolation.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"

namespace orrery::quartet {
namespace {

/// Rows of a binomial: log-likelihood ratio of its own share against `other`.
double binomial_ratio(double on, double n, double other) {
  const double share = std::clamp(on / n, 1e-9, 1 - 1e-9);
  const double against = std::clamp(other, 1e-9, 1 - 1e-9);
  return n * (share * std::log(share / against) +
              (1 - share) * (std::log1p(-share) - std::log1p(-against)));
}

/// Causes that come together more often than chance has it.
bool together(const SparseExpectation& found, std::size_t u, std::size_t v) {
  const std::vector<double>& present = found.expected.present;
  const double both = found.together[u * present.size() + v];
  const double expected = present[u] * present[v] / found.expected.n_rows;
  return both - expected > 3 * std::sqrt(expected) && both > 1.5 * expected;
}

struct Parent {
  std::uint32_t cause;
  double strength;
};

/// Of each variable, rising.
std::vector<std::vector<Parent>> parents_of(const model::NoisyOrNetwork& network) {
  std::vector<std::vector<Parent>> parents(network.n_observed());
  for (const model::Edge& edge : network.edges()) {
    parents[edge.observed].push_back({edge.cause, 1 - edge.failure});
  }
  return parents;
}

/// P(variable off | cause u present) as everything but u makes it.
double off_beside(const SparseExpectation& found, double leak, const std::vector<Parent>& parents,
                  std::size_t u) {
  const std::vector<double>& present = found.expected.present;
  double off = 1 - leak;
  for (const Parent& parent : parents) {
    if (parent.cause == u) continue;
    const double both = found.together[u * present.size() + parent.cause];
    off *= 1 - both / std::max(present[u], 1.0) * parent.strength;
  }
  return off;
}

/// What each edge gains, nats.
std::vector<double> edge_gains(const model::NoisyOrNetwork& network,
                               const SparseExpectation& found) {
  const std::vector<std::vector<Parent>> parents = parents_of(network);
  std::vector<double> gains;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    for (const model::Edge& edge : network.children(u)) {
      const std::size_t e = gains.size();
      const double leak = network.observed()[edge.observed].leak;
      const double off = off_beside(found, leak, parents[edge.observed], u);
      const double present = found.expected.present[u] - found.expected.unseen[e];
      const double on = found.on_with[e];
      const double expected = present * (1 - off);
      gains.push_back(on > expected ? binomial_ratio(on, present, expected / present) : 0);
    }
  }
  return gains;
}

/// Cosines of the strengths of all pairs of causes: n x n.
std::vector<double> likenesses(const model::NoisyOrNetwork& network) {
  const std::size_t n = network.n_causes();
  std::vector<double> products(n * n, 0);
  for (const auto& of_variable : parents_of(network)) {
    for (const Parent& u : of_variable) {
      for (const Parent& v : of_variable)
        products[u.cause * n + v.cause] += u.strength * v.strength;
    }
  }
  std::vector<double> cosines(n * n, 0);
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = 0; v < n; ++v) {
      const double lengths = products[u * n + u] * products[v * n + v];
      if (lengths > 0) cosines[u * n + v] = products[u * n + v] / std::sqrt(lengths);
    }
  }
  return cosines;
}

}  // namespace

namespace {

void maximize_by(const Expectation& expected, model::NoisyOrNetwork& network) {
  log::verbose("{} causes, {} edges: {:.4f} nats per row", network.n_causes(),
               network.edges().size(), expected.log_likelihood / expected.n_rows);
  network = maximize(network, expected, signature_failure_prior);
}

}  // namespace

SparseExpectation step(const learning::RowPass& rows, Missing missing,
                       model::NoisyOrNetwork& network, Keep keep) {
  SparseExpectation found =
      expect_sparse(rows, network, missing, constants::signatures::edge_cost, keep);
  maximize_by(found.expected, network);
  return found;
}

SparseExpectation step(ActiveExpectation& active, model::NoisyOrNetwork& network) {
  SparseExpectation found = active.judge(network, constants::signatures::edge_cost);
  maximize_by(found.expected, network);
  return found;
}

void parameter_step(ActiveExpectation& active, model::NoisyOrNetwork& network) {
  maximize_by(active.at_by_all(network), network);
}

double ascend(const ActiveExpectation& active, double least_gain, int most_steps,
              model::NoisyOrNetwork& network) {
  double first_likelihood = 0;
  double last_likelihood = 0;
  const auto pass = [&](model::NoisyOrNetwork& at) {
    const Expectation expected = active.at(at);
    at = maximize(at, expected, signature_failure_prior);
    return expected.log_likelihood;
  };
  for (int i = 0; i < most_steps; i += 3) {
    const std::vector<double> first = log_odds_of(network);
    const double at_first = pass(network);
    if (i == 0) first_likelihood = at_first;
    const std::vector<double> second = log_odds_of(network);
    last_likelihood = pass(network);
    if (last_likelihood - at_first < least_gain) break;
    model::NoisyOrNetwork further =
        with_log_odds(network, extrapolate(first, second, log_odds_of(network)));
    const double at_further = pass(further);
    if (at_further < last_likelihood) continue;
    last_likelihood = at_further;
    network = std::move(further);
  }
  log::verbose("steps on active rows: {:.1f} nats gained", last_likelihood - first_likelihood);
  return last_likelihood - first_likelihood;
}

model::NoisyOrNetwork tidy(const model::NoisyOrNetwork& network, const SparseExpectation& found,
                           const Constraints& rules) {
  const std::vector<double> gains = edge_gains(network, found);
  std::vector<model::Edge> edges;
  for (std::size_t e = 0; e < gains.size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    const bool pays = gains[e] + signature_failure_prior.log_density(edge.failure) >=
                      constants::signatures::least_edge_worth;
    if (pays || !rules.may_drop(network.causes()[edge.cause].name, edge.observed)) {
      edges.push_back(edge);
    }
  }
  const std::size_t n_dropped = network.edges().size() - edges.size();
  // Of a variable, no two causes that could stand for each other.
  std::vector<model::Edge> added;
  std::vector<std::vector<std::uint32_t>> causes_of(network.n_observed());  // of these
  for (const MissingEdge& missing : found.missing) {
    const std::uint32_t cause = missing.edge.cause;
    if (!rules.may_add(network.causes()[cause].name, missing.edge.observed)) continue;
    std::vector<std::uint32_t>& others = causes_of[missing.edge.observed];
    if (std::ranges::any_of(others, [&](auto v) { return together(found, v, cause); })) continue;
    others.push_back(cause);
    added.push_back(missing.edge);
  }
  edges.insert(edges.end(), added.begin(), added.end());
  log::verbose("{} edges dropped, {} added of {}", n_dropped, added.size(), found.missing.size());
  return {network.causes(), network.observed(), std::move(edges)};
}

std::vector<std::size_t> needed_causes(const model::NoisyOrNetwork& network,
                                       const SparseExpectation& found, double cause_cost,
                                       const Constraints& rules) {
  std::vector<std::size_t> needed;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    const auto n_edges = static_cast<double>(network.children(u).size());
    const double cost = cause_cost + n_edges * constants::signatures::edge_cost;
    const bool pays = network.children(u).size() >= constants::refinement::least_children &&
                      -found.without_cause[u] > cost &&
                      found.expected.present[u] > constants::signatures::least_present_rows;
    if (pays || rules.is_fixed(network.causes()[u].name)) {
      needed.push_back(u);
    }
  }
  return needed;
}

std::vector<std::size_t> clear_causes(const model::NoisyOrNetwork& network,
                                      const SparseExpectation& found, const Penalty& penalty,
                                      const std::vector<std::size_t>& needed,
                                      const Constraints& rules) {
  const std::vector<double> gains = edge_gains(network, found);
  std::vector<double> worth(network.n_causes(), 0);
  for (std::size_t e = 0; e < gains.size(); ++e) {
    worth[network.edges()[e].cause] += std::max(gains[e] - penalty.edge, 0.0);
  }
  // Beyond this for each edge no cause is made of chance.
  const double much = constants::signatures::clear_gain * penalty.edge;
  std::vector<std::size_t> clear;
  std::ranges::copy_if(needed, std::back_inserter(clear), [&](std::size_t u) {
    const double gain = -found.without_cause[u];
    const auto n_edges = static_cast<double>(network.children(u).size());
    return worth[u] > std::max(penalty.cause, gain / 2) || gain > much * n_edges ||
           rules.is_fixed(network.causes()[u].name);
  });
  return clear;
}

model::NoisyOrNetwork without_doubles(const model::NoisyOrNetwork& network,
                                      const SparseExpectation& found, const Constraints& rules,
                                      std::vector<std::size_t>& needed) {
  const std::size_t n = network.n_causes();
  std::vector<model::Cause> causes = network.causes();
  const std::vector<double> cosines = likenesses(network);
  std::vector<bool> is_double(n, false);
  for (std::size_t u = 0; u < n; ++u) {
    if (rules.is_fixed(causes[u].name)) continue;
    const double rows = found.expected.present[u];
    const double of_edges = rows * static_cast<double>(network.children(u).size());
    const bool may_be_shadow =
        -found.without_cause[u] < constants::signatures::most_shadow_gain * of_edges;
    for (std::size_t v = 0; v < n; ++v) {
      if (u == v || is_double[u] || is_double[v] || rows > found.expected.present[v]) continue;
      const double both = found.together[u * n + v];
      const double like = cosines[u * n + v];
      if (!(like > constants::signatures::double_cosine ||
            (may_be_shadow && like > constants::signatures::shadow_cosine &&
             both > constants::signatures::shadow_rows * rows)))
        continue;
      is_double[u] = true;
      causes[v].prior = std::min(causes[v].prior + (rows - both) / found.expected.n_rows, .9);
    }
  }
  std::erase_if(needed, [&](std::size_t u) { return is_double[u]; });
  return {std::move(causes), network.observed(), network.edges()};
}

}  // namespace orrery::quartet
