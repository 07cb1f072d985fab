// What all rows of an anchored network share, and what is left of one row.
#include "model/row_findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/bits.hpp"
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

namespace {

using Kind = CausePosterior::Contradiction::Kind;

bool is_set(std::span<const std::uint64_t> bits, std::size_t i) {
  return !bits.empty() && ((bits[i / 64] >> (i % 64)) & 1U) != 0;
}

}  // namespace

void RowFindings::read(std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> missing, std::span<const CauseState> known) {
  contradiction_.reset();
  findings_.clear();
  weigh_absent(values, missing);
  if (contradiction_) return;
  settle_states(known, values, missing);
  if (contradiction_) return;
  data::for_each_bit(values, [&](std::size_t j) {
    if (!contradiction_) weigh_present(static_cast<std::uint32_t>(j));
  });
  for (auto& weights : log_weights_) {
    const double larger = std::max(weights[0], weights[1]);
    log_common_ += larger;
    for (double& weight : weights) weight -= larger;
  }
}

/// From a row in which all is absent: what is present or missing is taken back.
void RowFindings::weigh_absent(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  const PreparedAnchored& network = *network_;
  const std::size_t n = network.n_causes();
  log_silent_.resize(n);
  n_certain_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    log_silent_[i] = network.log_silent(i);
    n_certain_[i] = network.n_certain(i);
  }
  for (const std::uint32_t j : network.leaking()) {
    if (is_set(values, j) || is_set(missing, j)) continue;
    contradiction_ = {Kind::always_leaks, j, 0};
    return;
  }
  log_common_ = network.log_quiet();
  const auto take_back = [&](std::size_t j) {
    if (network.leak(j) < 1) log_common_ -= std::log1p(-network.leak(j));
    for (const PreparedAnchored::Parent& parent : network.parents(j)) {
      log_silent_[parent.cause] -= parent.log_failure;
      if (parent.failure == 0) --n_certain_[parent.cause];
    }
  };
  data::for_each_bit(values, take_back);
  data::for_each_bit(missing, take_back);
}

void RowFindings::settle_states(std::span<const CauseState> known,
                                std::span<const std::uint64_t> values,
                                std::span<const std::uint64_t> missing) {
  const PreparedAnchored& network = *network_;
  const std::size_t n = network.n_causes();
  state_.assign(n, CauseState::unknown);
  std::ranges::copy(known, state_.begin());
  free_.clear();
  place_.assign(n, 0);
  log_weights_.clear();
  for (std::uint32_t i = 0; i < n; ++i) {
    if (state_[i] == CauseState::on) {
      if (n_certain_[i] == 0) {
        log_common_ += log_silent_[i];
        continue;
      }
      for (const Edge& edge : network.network().children(i)) {
        if (edge.failure != 0 || is_set(values, edge.observed) || is_set(missing, edge.observed)) {
          continue;
        }
        contradiction_ = {Kind::known_cause, edge.observed, i};
        return;
      }
    } else if (state_[i] == CauseState::unknown && n_certain_[i] > 0) {
      state_[i] = CauseState::off;
    } else if (state_[i] == CauseState::unknown) {
      place_[i] = static_cast<std::uint32_t>(free_.size());
      free_.push_back(i);
      // Beyond 0 by rounding alone.
      log_weights_.push_back({0, std::min(log_silent_[i], 0.0)});
    }
  }
}

void RowFindings::weigh_present(std::uint32_t observed) {
  Finding finding{observed, network_->leak(observed), {}, {}};
  for (const PreparedAnchored::Parent& parent : network_->parents(observed)) {
    const CauseState state = state_[parent.cause];
    if (state == CauseState::on) finding.leak += (1 - finding.leak) * (1 - parent.failure);
    if (state != CauseState::unknown) continue;
    finding.parents.push_back(place_[parent.cause]);
    finding.failures.push_back(parent.failure);
  }
  if (finding.parents.empty()) {
    if (finding.leak == 0) contradiction_ = {Kind::nothing_causes, observed, 0};
    log_common_ += std::log(finding.leak);
  } else if (finding.parents.size() == 1) {
    auto& weights = log_weights_[finding.parents[0]];
    weights[0] += std::log(finding.leak);
    weights[1] += std::log(finding.leak + (1 - finding.leak) * (1 - finding.failures[0]));
  } else {
    findings_.push_back(std::move(finding));
  }
}

}  // namespace orrery::model
