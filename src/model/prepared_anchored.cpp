// What all rows of an anchored network share.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/cause_posterior.hpp"

namespace orrery::model {
namespace {

/// Causes one after the other so that few of those before have neighbours among those to come: the
/// one next that leaves the fewest, the lowest of equals. Neighbours: who share a family.
/// O(n^2 neighbours).
std::vector<std::uint32_t> narrow_order(const CauseNetwork& causes) {
  const std::size_t n = causes.n_causes();
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::size_t i = 0; i < n; ++i) neighbours[i] = causes.markov_blanket(i);
  std::vector<std::size_t> to_come(n);  // neighbours that are not in the order
  for (std::size_t i = 0; i < n; ++i) to_come[i] = neighbours[i].size();
  std::vector<bool> taken(n, false);
  std::vector<std::uint32_t> order;
  while (order.size() < n) {
    std::ptrdiff_t least = std::numeric_limits<std::ptrdiff_t>::max();
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (taken[i]) continue;
      // What is open grows by the cause itself, and shrinks by those whose last neighbour it is. Of
      // equals those that touch what is open go first: a branch is finished before the next begins.
      std::ptrdiff_t grown = to_come[i] > 0 ? 1 : 0;
      bool touches = false;
      for (const std::uint32_t k : neighbours[i]) {
        if (!taken[k]) continue;
        touches = true;
        if (to_come[k] == 1) --grown;
      }
      const std::ptrdiff_t rank = 2 * grown + (touches ? 0 : 1);
      if (rank >= least) continue;
      least = rank;
      best = i;
    }
    taken[best] = true;
    order.push_back(best);
    for (const std::uint32_t k : neighbours[best]) --to_come[k];
  }
  return order;
}

}  // namespace

PreparedAnchored::PreparedAnchored(const NoisyOrNetwork& network)
    : network_(&network),
      log_silent_(network.n_causes()),
      n_certain_(network.n_causes()),
      sweep_order_(narrow_order(network.cause_network())),
      first_parent_(network.n_observed() + 1) {
  const NoisyOrNetwork& loadings = network;
  for (std::uint32_t j = 0; j < loadings.n_observed(); ++j) {
    const double leak = loadings.observed()[j].leak;
    leak_.push_back(leak);
    if (leak < 1) {
      log_quiet_ += std::log1p(-leak);
    } else {
      leaking_.push_back(j);
    }
  }
  for (const Edge& edge : loadings.edges()) ++first_parent_[edge.observed + 1];
  for (std::size_t j = 0; j < leak_.size(); ++j) first_parent_[j + 1] += first_parent_[j];
  parents_.resize(loadings.edges().size());
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (const Edge& edge : loadings.edges()) {
    const bool certain = edge.failure == 0;
    const double log_failure = certain ? 0 : std::log(edge.failure);
    parents_[next[edge.observed]++] = {edge.cause, edge.failure, log_failure};
    log_silent_[edge.cause] += log_failure;
    if (certain) ++n_certain_[edge.cause];
  }
}

}  // namespace orrery::model
