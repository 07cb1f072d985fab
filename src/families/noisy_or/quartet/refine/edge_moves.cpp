// Moves of single edges, and trials of other networks, whose edges settle first.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

using NamedEdges = std::set<std::pair<std::string, std::uint32_t>>;  // of a cause and a variable

// A variable at a time one edge goes and one comes: two edges may stand for each other.
std::vector<std::size_t> idle_edges(const Refinement& refinement, const Fit& fit,
                                    const EdgeTests& tests) {
  const std::vector<model::Edge>& edges = fit.network.edges();
  const std::size_t none = edges.size();
  std::vector<std::size_t> worst(fit.network.n_observed(), none);
  std::vector<double> most(fit.network.n_observed(), 0);
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const model::Edge& edge = edges[e];
    const double gain = tests.without_edge[e] - refinement.prior.log_density(edge.failure) +
                        refinement.penalty.edge;
    if (gain > most[edge.observed] &&
        refinement.rules.may_drop(fit.network.causes()[edge.cause].name, edge.observed)) {
      most[edge.observed] = gain;
      worst[edge.observed] = e;
    }
  }
  std::erase(worst, none);
  return worst;
}

std::vector<model::Edge> missing_edges(const Refinement& refinement, const Fit& fit,
                                       const EdgeTests& tests, const NamedEdges& dropped) {
  const model::NoisyOrNetwork& network = fit.network;
  const std::size_t m = network.n_observed();
  std::vector<model::Edge> missing;
  for (std::uint32_t a = 0; a < m; ++a) {
    double best = refinement.penalty.edge + constants::refinement::least_edge_surplus;
    model::Edge added{0, a, 1};
    for (std::uint32_t u = 0; u < network.n_causes(); ++u) {
      const std::string& cause = network.causes()[u].name;
      const Addition addition = best_addition(tests, u * m + a);
      if (addition.gain <= best || !refinement.rules.may_add(cause, a) ||
          dropped.contains({cause, a})) {
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
void drop_childless(const Refinement& refinement, Fit& fit) {
  std::vector<std::size_t> rest;
  for (std::size_t u = 0; u < fit.network.n_causes(); ++u) {
    if (fit.network.children(u).size() >= constants::refinement::least_children ||
        refinement.rules.is_fixed(fit.network.causes()[u].name)) {
      rest.push_back(u);
    }
  }
  if (rest.size() < fit.network.n_causes()) {
    fit = refinement.refit(select(fit.network, rest), constants::refinement::edges_em);
  }
}

}  // namespace

void tidy_edges(const Refinement& refinement, Fit& fit, int rounds) {
  // An edge that went does not come back: two may gain by turns.
  NamedEdges dropped;
  for (int round = 0; round < rounds && fit.network.n_causes() > 0; ++round) {
    const EdgeTests& tests = refinement.tests_of(fit);
    std::vector<model::Edge> edges = fit.network.edges();
    for (const std::size_t e : idle_edges(refinement, fit, tests)) {
      dropped.emplace(fit.network.causes()[edges[e].cause].name, edges[e].observed);
    }
    const std::vector<model::Edge> added = missing_edges(refinement, fit, tests, dropped);
    const std::size_t n_dropped = std::erase_if(edges, [&](const model::Edge& edge) {
      return dropped.contains({fit.network.causes()[edge.cause].name, edge.observed});
    });
    if (n_dropped == 0 && added.empty()) return;
    edges.insert(edges.end(), added.begin(), added.end());
    fit = refinement.refit({fit.network.causes(), fit.network.observed(), std::move(edges)},
                           constants::refinement::edges_em);
    drop_childless(refinement, fit);
  }
}

namespace {

/// What was tried: the move, and its causes with their children.
std::string key_of(const model::NoisyOrNetwork& network, const char* move,
                   std::initializer_list<std::size_t> causes) {
  std::string key = move;
  for (const std::size_t u : causes) {
    key += fmt::format(" {}", network.causes()[u].name);
    for (const model::Edge& edge : network.children(u)) key += fmt::format(",{}", edge.observed);
  }
  return key;
}

}  // namespace

bool try_network(Refinement& refinement, const char* move,
                 std::initializer_list<std::size_t> causes, model::NoisyOrNetwork network) {
  // What failed is not tried again while these causes have the same children.
  std::string key = key_of(refinement.fit.network, move, causes);
  if (refinement.failed.contains(key)) return false;
  const auto n_more = static_cast<double>(network.edges().size()) -
                      static_cast<double>(refinement.fit.network.edges().size());
  // An edge of no use costs its penalty, and the density of a failure near 1.
  const double hope =
      std::max(n_more, 0.0) * (refinement.penalty.edge + constants::refinement::least_density);
  auto better = refinement.journal.trial([&]() -> std::optional<Fit> {
    const auto is_hopeless = [&](const Fit& so_far) {
      return so_far.iterations >= constants::refinement::least_move_iterations &&
             !(refinement.score(so_far) + hope +
                   constants::refinement::steps_ahead * so_far.last_gain >
               refinement.score());
    };
    Fit trial = refinement.refit(std::move(network), constants::refinement::move_em, is_hopeless);
    if (refinement.score(trial) + hope > refinement.score()) {
      tidy_edges(refinement, trial, constants::refinement::trial_tidy_rounds);
    }
    const double gain = refinement.score(trial) - refinement.score();
    log::verbose("  {}: gains {:.1f}", key.substr(0, key.find(',')), gain);
    if (gain < constants::refinement::least_gain) return std::nullopt;
    return trial;
  });
  if (!better) {
    refinement.failed.insert(std::move(key));
    return false;
  }
  refinement.fit = std::move(*better);
  return true;
}

}  // namespace orrery::quartet
