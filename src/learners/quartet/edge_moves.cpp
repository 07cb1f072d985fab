// Refiner's moves of single edges: a likelihood ratio or a score test each, one pass for all.
#include <algorithm>
#include <set>
#include <string>

#include "learners/quartet/network_edits.hpp"
#include "learners/quartet/refine.hpp"

namespace orrery::quartet {

const EdgeTests& Refiner::tests_of(Fit& fit) const {
  if (!fit.tests)
    fit.tests = std::make_shared<EdgeTests>(test_edges(rows_, fit.network, state_tolerance_));
  return *fit.tests;
}

bool Refiner::tidy_edges(Fit& fit, int rounds) {
  bool any = false;
  // An edge that went does not come back: two may gain by turns.
  std::set<std::pair<std::string, std::uint32_t>> dropped;
  for (int round = 0; round < rounds; ++round) {
    const model::NoisyOrNetwork& network = fit.network;
    const std::size_t n = network.n_causes();
    const std::size_t m = network.n_observed();
    if (n == 0) return any;
    const EdgeTests& tests = tests_of(fit);
    // A variable at a time one edge goes and one comes: two edges may stand for each other.
    std::vector<std::size_t> worst(m, network.edges().size());
    std::vector<double> most(m, 0);
    for (std::size_t e = 0; e < network.edges().size(); ++e) {
      const model::Edge& edge = network.edges()[e];
      const double gain = tests.without_edge[e] - prior_.log_density(edge.failure) + penalty_.edge;
      if (gain > most[edge.observed] &&
          rules_.may_drop(network.causes()[edge.cause].name, edge.observed)) {
        most[edge.observed] = gain;
        worst[edge.observed] = e;
      }
    }
    std::vector<model::Edge> edges;
    bool changed = false;
    for (std::size_t e = 0; e < network.edges().size(); ++e) {
      const model::Edge& edge = network.edges()[e];
      if (worst[edge.observed] == e) {
        dropped.emplace(network.causes()[edge.cause].name, edge.observed);
        changed = true;
      } else {
        edges.push_back(edge);
      }
    }
    for (std::uint32_t a = 0; a < m; ++a) {
      double best = penalty_.edge + 1;
      model::Edge added{0, a, 1};
      for (std::uint32_t u = 0; u < n; ++u) {
        const Addition addition = best_addition(tests, u * m + a);
        if (addition.gain <= best || !rules_.may_add(network.causes()[u].name, a) ||
            dropped.contains({network.causes()[u].name, a})) {
          continue;
        }
        best = addition.gain;
        added = {u, a, addition.failure};
      }
      if (added.failure < 1) {
        edges.push_back(added);
        changed = true;
      }
    }
    if (!changed) return any;
    any = true;
    fit = refit({network.causes(), network.observed(), std::move(edges)}, 8, .5);
    // Causes that have lost their children.
    std::vector<std::size_t> rest;
    for (std::size_t u = 0; u < fit.network.n_causes(); ++u) {
      if (fit.network.children(u).size() >= least_children ||
          rules_.is_fixed(fit.network.causes()[u].name)) {
        rest.push_back(u);
      }
    }
    if (rest.size() < fit.network.n_causes()) fit = refit(select(fit.network, rest), 8, .5);
  }
  return any;
}

}  // namespace orrery::quartet
