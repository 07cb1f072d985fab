// Moves of whole causes: those that the network has are dropped, merged, or given children; those
// that a search offers are taken if the network is better with them.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "families/noisy_or/quartet/refine/moves.hpp"
#include "families/noisy_or/quartet/refine/network_edits.hpp"

namespace orrery::quartet {
namespace {

/// How much more often the two are there together than if they were independent; 1 if that may be
/// chance.
double lift(const Refinement& refinement, const EdgeTests& tests, std::size_t u, std::size_t v) {
  const std::size_t n = tests.present.size();
  const double together = tests.together[u * n + v];
  const double expected =
      tests.present[u] * tests.present[v] / static_cast<double>(refinement.rows.n_rows());
  return together - expected > constants::refinement::least_lift_z * std::sqrt(expected)
             ? together / expected
             : 1;
}

// What the cause did falls to those that come with it: they get its children, as weak edges that
// EM and the tests of edges sort out.
model::NoisyOrNetwork dissolve(const Refinement& refinement, std::size_t cause,
                               const EdgeTests& tests) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const std::size_t n = network.n_causes();
  std::vector<model::Edge> edges;
  for (const model::Edge& edge : network.edges()) {
    if (edge.cause != cause) edges.push_back(edge);
  }
  for (std::uint32_t v = 0; v < n; ++v) {
    if (v == cause || refinement.is_fixed(v) ||
        lift(refinement, tests, cause, v) < constants::refinement::least_lift) {
      continue;
    }
    for (const model::Edge& edge : network.children(cause)) {
      if (network.failure(v, edge.observed) < 1) continue;
      edges.push_back({v, edge.observed, constants::refinement::inherited_failure});
    }
  }
  return without({network.causes(), network.observed(), std::move(edges)}, cause);
}

/// Another cause comes with it, or has many of its children.
bool is_replaceable(const Refinement& refinement, const EdgeTests& tests, std::size_t u) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const auto failures = network.dense_failures(u);
  for (std::size_t v = 0; v < network.n_causes(); ++v) {
    if (v != u && (lift(refinement, tests, u, v) > constants::refinement::replaceable_lift ||
                   jaccard(failures, network.dense_failures(v)) >
                       constants::refinement::replaceable_overlap)) {
      return true;
    }
  }
  return false;
}

/// What the score has for the cause and its edges less to bear.
double cost_of(const Refinement& refinement, std::size_t u) {
  double cost = refinement.penalty.cause;
  for (const model::Edge& edge : refinement.fit.network.children(u)) {
    cost += refinement.penalty.edge - refinement.prior.log_density(edge.failure);
  }
  return cost;
}

/// Tries the causes not in `tried` yet; true if one was dropped, which changes the others.
bool drop_one(Refinement& refinement, std::set<std::string>& tried) {
  refinement.tests_of(refinement.fit);
  const std::shared_ptr<const EdgeTests> tests = refinement.fit.tests;
  // Those that explain least first.
  std::vector<std::size_t> order = all_causes(refinement.fit.network);
  std::ranges::sort(order, [&](std::size_t u, std::size_t v) {
    return std::pair(-tests->without_cause[u], u) < std::pair(-tests->without_cause[v], v);
  });
  for (const std::size_t u : order) {
    const model::Cause& cause = refinement.fit.network.causes()[u];
    if (refinement.is_fixed(u) || tried.contains(cause.name)) continue;
    const double cost = cost_of(refinement, u);
    if (tests->without_cause[u] + cost <= 0 && !is_replaceable(refinement, *tests, u)) continue;
    tried.insert(cause.name);
    if (try_network(refinement, "drop", {u}, dissolve(refinement, u, *tests))) return true;
  }
  return false;
}

struct CausePair {
  double lift;
  std::size_t u, v;
};

/// Pairs of causes that come together, those that do so most first.
std::vector<CausePair> pairs_together(const Refinement& refinement, const EdgeTests& tests) {
  const std::size_t n = refinement.fit.network.n_causes();
  std::vector<CausePair> pairs;
  for (std::size_t u = 0; u < n; ++u) {
    for (std::size_t v = u + 1; v < n; ++v) {
      const double more = lift(refinement, tests, u, v);
      if (more > constants::refinement::least_lift && !refinement.is_fixed(u) &&
          !refinement.is_fixed(v)) {
        pairs.push_back({more, u, v});
      }
    }
  }
  std::ranges::sort(pairs, [](const CausePair& a, const CausePair& b) {
    return std::tuple(-a.lift, a.u, a.v) < std::tuple(-b.lift, b.u, b.v);
  });
  if (pairs.size() > constants::refinement::most_merges) {
    pairs.resize(constants::refinement::most_merges);
  }
  return pairs;
}

/// One cause in the place of two.
model::NoisyOrNetwork merged(const model::NoisyOrNetwork& network, const CausePair& pair) {
  std::vector<double> failures = network.dense_failures(pair.u);
  const std::vector<double> other = network.dense_failures(pair.v);
  for (std::size_t a = 0; a < failures.size(); ++a) failures[a] = std::min(failures[a], other[a]);
  model::Cause cause = network.causes()[pair.u];
  cause.prior = std::max(cause.prior, network.causes()[pair.v].prior);
  std::vector<std::size_t> rest;
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    if (k != pair.u && k != pair.v) rest.push_back(k);
  }
  return with(select(network, rest), cause, failures);
}

struct Gift {
  double lift;
  std::uint32_t from, to;
};

/// Pairs of causes that come together, where the rarer one may lack children of the other.
std::vector<Gift> gifts(const Refinement& refinement, const EdgeTests& tests) {
  const model::NoisyOrNetwork& network = refinement.fit.network;
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  std::vector<Gift> found;
  for (std::uint32_t u = 0; u < n; ++u) {
    for (std::uint32_t v = 0; v < n; ++v) {
      if (u == v || refinement.is_fixed(v)) continue;
      // The rarer one goes with the more frequent one.
      if (network.causes()[u].prior < network.causes()[v].prior) continue;
      const double more = lift(refinement, tests, u, v);
      if (more > constants::refinement::least_lift) found.push_back({more, u, v});
    }
  }
  std::ranges::sort(found, [](const Gift& a, const Gift& b) {
    return std::tuple(-a.lift, a.from, a.to) < std::tuple(-b.lift, b.from, b.to);
  });
  if (found.size() > constants::refinement::most_shares) {
    found.resize(constants::refinement::most_shares);
  }
  return found;
}

}  // namespace

void drop_causes(Refinement& refinement) {
  std::set<std::string> tried;
  for (bool again = true; again && refinement.fit.network.n_causes() > 0;) {
    again = drop_one(refinement, tried);
  }
}

void merge_causes(Refinement& refinement) {
  const EdgeTests tests = refinement.tests_of(refinement.fit);  // a copy: trials replace the fit
  for (const CausePair& pair : pairs_together(refinement, tests)) {
    if (try_network(refinement, "merge", {pair.u, pair.v}, merged(refinement.fit.network, pair))) {
      return;
    }
  }
}

// Where two causes share children, one of them may have been learned with both causes' rows and the
// other without the shared children; no single edge would gain. The other gets all of its children,
// as weak edges.
void share_children(Refinement& refinement) {
  const EdgeTests tests = refinement.tests_of(refinement.fit);  // a copy: trials replace the fit
  const model::NoisyOrNetwork& network = refinement.fit.network;
  for (const Gift& gift : gifts(refinement, tests)) {
    std::vector<model::Edge> edges = network.edges();
    for (const model::Edge& edge : network.children(gift.from)) {
      if (network.failure(gift.to, edge.observed) < 1) continue;
      edges.push_back({gift.to, edge.observed, constants::refinement::shared_failure});
    }
    if (edges.size() == network.edges().size()) continue;
    if (try_network(refinement, "share", {gift.from, gift.to},
                    {network.causes(), network.observed(), std::move(edges)})) {
      return;
    }
  }
}

namespace {

/// The network with the cause; none if it does not pay.
std::optional<Fit> fit_with(const Refinement& refinement, const Elected& elected,
                            const model::Cause& cause, double cost) {
  Fit trial = refinement.refit(with(refinement.fit.network, cause, elected.failures),
                               constants::refinement::offer_em);
  const double gain = trial.log_posterior - refinement.fit.log_posterior;
  if (gain < constants::refinement::least_share_of_cost * cost) {
    log::verbose("  {} of support {}: gains {:.1f}, costs {:.1f}", cause.name, elected.support,
                 gain, cost);
    return std::nullopt;
  }
  tidy_edges(refinement, trial, constants::refinement::trial_tidy_rounds);
  trial = refinement.refit_further(std::move(trial), constants::refinement::tidied_offer_em);
  const double before = refinement.score();
  const double after = refinement.score(trial);
  log::verbose("  {} of support {}: score {:.1f} -> {:.1f}", cause.name, elected.support, before,
               after);
  if (!(after > before)) return std::nullopt;
  return trial;
}

}  // namespace

bool try_cause(Refinement& refinement, const Elected& elected, int depth) {
  const auto n_edges = static_cast<double>(
      std::ranges::count_if(elected.failures, [](double failure) { return failure < 1; }));
  if (n_edges < constants::refinement::least_children) return false;
  const model::NoisyOrNetwork& network = refinement.fit.network;
  for (std::size_t u = 0; u < network.n_causes(); ++u) {
    if (jaccard(elected.failures, network.dense_failures(u)) >
        constants::refinement::most_offer_overlap) {
      return false;
    }
  }
  const model::Cause cause = refinement.names.name(elected, depth);
  const auto cost = refinement.penalty.cause + n_edges * refinement.penalty.edge;
  auto better =
      refinement.journal.trial([&] { return fit_with(refinement, elected, cause, cost); });
  if (!better) return false;
  refinement.fit = std::move(*better);
  drop_causes(refinement);
  return true;
}

bool try_causes(Refinement& refinement, const std::vector<Elected>& elected, int depth) {
  bool any = false;
  for (const Elected& cause : elected) any = try_cause(refinement, cause, depth) || any;
  return any;
}

}  // namespace orrery::quartet
