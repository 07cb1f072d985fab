// Refiner's moves of whole causes: each a trial (see refine.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"
#include "families/noisy_or/quartet/refine/refine.hpp"

namespace orrery::quartet {

// What the cause did falls to those that come with it: they get its children, as weak edges that
// EM and the tests of edges sort out.
model::NoisyOrNetwork Refiner::dissolve(std::size_t cause, const EdgeTests& tests) const {
  const model::NoisyOrNetwork& network = fit_.network;
  const std::size_t n = network.n_causes();
  std::vector<model::Edge> edges;
  for (const model::Edge& edge : network.edges()) {
    if (edge.cause != cause) edges.push_back(edge);
  }
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v == cause || is_fixed(v) || lift(tests, cause, v) < 1.5) continue;
    for (const model::Edge& edge : network.children(cause)) {
      if (network.failure(v, edge.observed) < 1) continue;
      edges.push_back({v, edge.observed, .6});
    }
  }
  return without({network.causes(), network.observed(), std::move(edges)}, cause);
}

/// How much more often the two are there together than if they were independent; 1 if that may be
/// chance.
double Refiner::lift(const EdgeTests& tests, std::size_t u, std::size_t v) const {
  const std::size_t n = tests.present.size();
  const double together = tests.together[u * n + v];
  const double expected = tests.present[u] * tests.present[v] / static_cast<double>(rows_.n_rows());
  return together - expected > 3 * std::sqrt(expected) ? together / expected : 1;
}

bool Refiner::try_network(const char* move, std::initializer_list<std::size_t> causes,
                          model::NoisyOrNetwork network) {
  // What failed is not tried again while these causes have the same children.
  std::string key = move;
  for (const std::size_t u : causes) {
    key += fmt::format(" {}", fit_.network.causes()[u].name);
    for (const model::Edge& edge : fit_.network.children(u))
      key += fmt::format(",{}", edge.observed);
  }
  if (failed_.contains(key)) return false;
  const auto n_more = static_cast<double>(network.edges().size()) -
                      static_cast<double>(fit_.network.edges().size());
  // An edge of no use costs its penalty, and the density of a failure near 1.
  constexpr double least_density = 10;
  const double hope = std::max(n_more, 0.0) * (penalty_.edge + least_density);
  constexpr double steps_ahead = 10;  // EM's gains shrink from step to step
  auto better = journal_.trial([&]() -> std::optional<Fit> {
    Fit trial = refit(std::move(network), 3, .3);
    if (quartet::score(trial, penalty_) + hope + steps_ahead * trial.last_gain > score()) {
      trial = refit(trial.network, 7, .3);
      if (quartet::score(trial, penalty_) + hope > score()) tidy_edges(trial, 3);
    }
    const double gain = quartet::score(trial, penalty_) - score();
    log::verbose("  {}: gains {:.1f}", key.substr(0, key.find(',')), gain);
    if (gain < least_gain) return std::nullopt;
    return trial;
  });
  if (!better) {
    failed_.insert(std::move(key));
    return false;
  }
  fit_ = std::move(*better);
  return true;
}

void Refiner::drop_causes() {
  std::set<std::string> tried;
  for (bool again = true; again && fit_.network.n_causes() > 0;) {
    again = false;
    tests_of(fit_);
    const std::shared_ptr<const EdgeTests> tests = fit_.tests;
    const std::size_t n = fit_.network.n_causes();
    // Those that explain least first.
    std::vector<std::size_t> order = all_causes(fit_.network);
    std::ranges::sort(order, [&](std::size_t u, std::size_t v) {
      return std::pair(-tests->without_cause[u], u) < std::pair(-tests->without_cause[v], v);
    });
    for (const std::size_t u : order) {
      const model::Cause& cause = fit_.network.causes()[u];
      if (is_fixed(u) || tried.contains(cause.name)) continue;
      double cost = penalty_.cause;
      for (const model::Edge& edge : fit_.network.children(u)) {
        cost += penalty_.edge - prior_.log_density(edge.failure);
      }
      bool replaceable = false;
      const auto failures = fit_.network.dense_failures(u);
      for (std::size_t v = 0; v < n && !replaceable; ++v) {
        replaceable = v != u && (lift(*tests, u, v) > 2 ||
                                 jaccard(failures, fit_.network.dense_failures(v)) > .5);
      }
      if (tests->without_cause[u] + cost <= 0 && !replaceable) continue;
      tried.insert(cause.name);
      if (try_network("drop", {u}, dissolve(u, *tests))) {
        again = true;
        break;
      }
    }
  }
}

void Refiner::merge_causes() {
  const EdgeTests tests = tests_of(fit_);  // a copy: trials replace fit_
  const std::size_t n = fit_.network.n_causes();
  struct Pair {
    double lift;
    std::size_t u, v;
  };
  std::vector<Pair> pairs;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = u + 1; v < n; ++v) {
      const double more = lift(tests, u, v);
      if (more > 1.5 && !is_fixed(u) && !is_fixed(v)) {
        pairs.push_back({more, u, v});
      }
    }
  }
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
    return std::tuple(-a.lift, a.u, a.v) < std::tuple(-b.lift, b.u, b.v);
  });
  if (pairs.size() > 3) pairs.resize(3);
  for (const Pair& pair : pairs) {
    std::vector<double> failures = fit_.network.dense_failures(pair.u);
    const std::vector<double> other = fit_.network.dense_failures(pair.v);
    for (std::size_t a = 0; a < failures.size(); ++a) failures[a] = std::min(failures[a], other[a]);
    model::Cause cause = fit_.network.causes()[pair.u];
    cause.prior = std::max(cause.prior, fit_.network.causes()[pair.v].prior);
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != pair.u && k != pair.v) rest.push_back(k);
    }
    if (try_network("merge", {pair.u, pair.v}, with(select(fit_.network, rest), cause, failures))) {
      return;
    }
  }
}

// Where two causes share children, one of them may have been learned with both causes' rows and the
// other without the shared children; no single edge would gain. The other gets all of its children,
// as weak edges.
void Refiner::share_children() {
  const EdgeTests tests = tests_of(fit_);  // a copy: trials replace fit_
  const model::NoisyOrNetwork& network = fit_.network;
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  struct Gift {
    double lift;
    std::uint32_t from, to;
  };
  std::vector<Gift> gifts;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t v = 0; v < n; ++v) {
      if (u == v || is_fixed(v)) continue;
      // The rarer one goes with the more frequent one.
      if (network.causes()[u].prior < network.causes()[v].prior) continue;
      const double more = lift(tests, u, v);
      if (more > 1.5) gifts.push_back({more, u, v});
    }
  }
  std::ranges::sort(gifts, [](const Gift& a, const Gift& b) {
    return std::tuple(-a.lift, a.from, a.to) < std::tuple(-b.lift, b.from, b.to);
  });
  constexpr std::size_t most_trials = 6;
  if (gifts.size() > most_trials) gifts.resize(most_trials);
  for (const Gift& gift : gifts) {
    std::vector<model::Edge> edges = network.edges();
    for (const model::Edge& edge : network.children(gift.from)) {
      if (network.failure(gift.to, edge.observed) < 1) continue;
      edges.push_back({gift.to, edge.observed, .3});
    }
    if (edges.size() == network.edges().size()) continue;
    if (try_network("share", {gift.from, gift.to},
                    {network.causes(), network.observed(), std::move(edges)})) {
      return;
    }
  }
}

}  // namespace orrery::quartet
