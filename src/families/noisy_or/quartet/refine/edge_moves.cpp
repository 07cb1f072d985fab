// Refiner's moves of single edges: a likelihood ratio each, or a score test; one pass for all.
#include <algorithm>
#include <set>
#include <string>

#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/refine.hpp"

namespace orrery::quartet {

const EdgeTests& Refiner::tests_of(Fit& fit) const {
  if (!fit.tests)
    fit.tests = std::make_shared<EdgeTests>(test_edges(rows_, fit.network, state_tolerance_));
  return *fit.tests;
}

// A variable at a time one edge goes and one comes: two edges may stand for each other.
std::vector<std::size_t> Refiner::idle_edges(const Fit& fit, const EdgeTests& tests) const {
  const std::vector<model::Edge>& edges = fit.network.edges();
  const std::size_t none = edges.size();
  std::vector<std::size_t> worst(fit.network.n_observed(), none);
  std::vector<double> most(fit.network.n_observed(), 0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const model::Edge& edge = edges[e];
    const double gain = tests.without_edge[e] - prior_.log_density(edge.failure) + penalty_.edge;
    if (gain > most[edge.observed] &&
        rules_.may_drop(fit.network.causes()[edge.cause].name, edge.observed)) {
      most[edge.observed] = gain;
      worst[edge.observed] = e;
    }
  }
  std::erase(worst, none);
  return worst;
}

std::vector<model::Edge> Refiner::missing_edges(const Fit& fit, const EdgeTests& tests,
                                                const NamedEdges& dropped) const {
  const model::NoisyOrNetwork& network = fit.network;
  const std::size_t m = network.n_observed();
  std::vector<model::Edge> missing;
  for (std::uint32_t a = 0; a < m; ++a) {
    double best = penalty_.edge + 1;
    model::Edge added{0, a, 1};
    for (std::uint32_t u = 0; u < network.n_causes(); ++u) {
      const std::string& cause = network.causes()[u].name;
      const Addition addition = best_addition(tests, u * m + a);
      if (addition.gain <= best || !rules_.may_add(cause, a) || dropped.contains({cause, a})) {
        continue;
      }
      best = addition.gain;
      added = {u, a, addition.failure};
    }
    if (added.failure < 1) missing.push_back(added);
  }
  return missing;
}

/// Causes that have lost their children.
void Refiner::drop_childless(Fit& fit) const {
  std::vector<std::size_t> rest;
  for (std::size_t u = 0; u < fit.network.n_causes(); ++u) {
    if (fit.network.children(u).size() >= least_children ||
        rules_.is_fixed(fit.network.causes()[u].name)) {
      rest.push_back(u);
    }
  }
  if (rest.size() < fit.network.n_causes()) fit = refit(select(fit.network, rest), 8, .5);
}

void Refiner::tidy_edges(Fit& fit, int rounds) {
  // An edge that went does not come back: two may gain by turns.
  NamedEdges dropped;
  for (int round = 0; round < rounds && fit.network.n_causes() > 0; ++round) {
    const EdgeTests& tests = tests_of(fit);
    std::vector<model::Edge> edges = fit.network.edges();
    for (const std::size_t e : idle_edges(fit, tests)) {
      dropped.emplace(fit.network.causes()[edges[e].cause].name, edges[e].observed);
    }
    const std::vector<model::Edge> added = missing_edges(fit, tests, dropped);
    const std::size_t n_dropped = std::erase_if(edges, [&](const model::Edge& edge) {
      return dropped.contains({fit.network.causes()[edge.cause].name, edge.observed});
    });
    if (n_dropped == 0 && added.empty()) return;
    edges.insert(edges.end(), added.begin(), added.end());
    fit = refit({fit.network.causes(), fit.network.observed(), std::move(edges)}, 8, .5);
    drop_childless(fit);
  }
}

}  // namespace orrery::quartet
