#include "orrery/model/row_posterior.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace orrery::model {
namespace {

// Probabilities of exactly 0 or 1 as nearly so: logarithms stay finite. A row that is impossible
// costs 69 nats a contradiction.
constexpr double least = 1e-30;
double inside(double probability) { return std::clamp(probability, least, 1 - 1e-15); }

const double least_log_odds = std::log(1e-12);
constexpr std::uint32_t no_candidate = ~std::uint32_t{0};

/// log(1 + e^x).
double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }

}  // namespace

PosteriorNetwork::PosteriorNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0), parents_(network.edges().size()) {
  for (const Observed& observed : network.observed()) {
    leak_.push_back(inside(observed.leak));
    log_leak_.push_back(std::log(leak_.back()));
    log_quiet_.push_back(std::log1p(-leak_.back()));
    log_silent_ += log_quiet_.back();
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  for (std::size_t a = 0; a < leak_.size(); ++a) first_parent_[a + 1] += first_parent_[a];
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (const Cause& cause : network.causes()) {
    const double prior = inside(cause.prior);
    log_odds_.push_back(std::log(prior) - std::log1p(-prior));
    log_silent_ += std::log1p(-prior);
  }
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const Edge& edge = network.edges()[e];
    const double failure = std::max(edge.failure, least);
    const double log_failure = std::log(failure);
    log_odds_[edge.cause] += log_failure;
    parents_[next[edge.observed]++] = {
        edge.cause, static_cast<std::uint32_t>(e), failure, log_failure,
        std::log(1 - (1 - leak_[edge.observed]) * failure) - log_leak_[edge.observed]};
  }
  for (const double log_odds : log_odds_) {
    log_sum_.push_back(log1p_exp(log_odds));
    log_silent_ += log_sum_.back();
    quiet_.push_back(std::exp(log_odds - log_sum_.back()));
  }
}

RowPosterior::RowPosterior(const PosteriorNetwork& network, double tolerance)
    : network_(&network),
      tolerance_(tolerance),
      posterior_(network.n_causes(), 0),
      is_touched_(network.n_causes(), 0),
      log_odds_(network.n_causes(), 0),
      gain_(network.n_causes(), 0),
      candidate_of_(network.n_causes(), no_candidate) {}

void RowPosterior::touch(std::uint32_t cause) {
  if (is_touched_[cause] != 0) return;
  is_touched_[cause] = 1;
  touched_.push_back(cause);
  log_odds_[cause] = network_->log_odds(cause);
  gain_[cause] = 0;
  posterior_[cause] = 0;
  candidate_of_[cause] = no_candidate;
}

void RowPosterior::read_row(std::span<const std::uint64_t> values,
                            std::span<const std::uint64_t> missing) {
  for (const std::uint32_t cause : touched_) is_touched_[cause] = 0;
  touched_.clear();
  on_.clear();
  log_likelihood_ = network_->log_silent();
  for (std::size_t w = 0; w < missing.size(); ++w) {
    for (std::uint64_t left = missing[w]; left != 0; left &= left - 1) {
      const auto a = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      log_likelihood_ -= network_->log_quiet(a);
      for (const auto& parent : network_->parents(a)) {
        touch(parent.cause);
        log_odds_[parent.cause] -= parent.log_failure;
      }
    }
  }
  for (std::size_t w = 0; w < values.size(); ++w) {
    for (std::uint64_t left = values[w]; left != 0; left &= left - 1) {
      const auto a = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      on_.push_back(static_cast<std::uint32_t>(a));
      log_likelihood_ -= network_->log_quiet(a);
      for (const auto& parent : network_->parents(a)) {
        touch(parent.cause);
        log_odds_[parent.cause] -= parent.log_failure;
        gain_[parent.cause] += parent.gain;
      }
    }
  }
}

void RowPosterior::find_candidates() {
  candidates_.clear();
  for (const std::uint32_t cause : touched_) {
    log_likelihood_ -= network_->log_sum(cause);
    if (gain_[cause] == 0) {  // no child is on: alone
      const double log_sum = log1p_exp(log_odds_[cause]);
      log_likelihood_ += log_sum;
      posterior_[cause] = std::exp(log_odds_[cause] - log_sum);
    } else if (tolerance_ == 0 || log_odds_[cause] + gain_[cause] > least_log_odds) {
      candidates_.push_back(cause);
    }
  }
  std::ranges::sort(candidates_, [&](std::uint32_t a, std::uint32_t b) {
    const double of_a = log_odds_[a] + gain_[a];
    const double of_b = log_odds_[b] + gain_[b];
    return of_a > of_b || (of_a == of_b && a < b);
  });
  for (std::uint32_t i = 0; i < candidates_.size(); ++i) candidate_of_[candidates_[i]] = i;
}

std::uint32_t RowPosterior::root_of(std::uint32_t candidate) noexcept {
  while (link_[candidate] != candidate) {
    link_[candidate] = link_[link_[candidate]];
    candidate = link_[candidate];
  }
  return candidate;
}

void RowPosterior::link_candidates() {
  link_.resize(candidates_.size());
  for (std::uint32_t i = 0; i < link_.size(); ++i) link_[i] = i;
  first_of_on_.assign(on_.size(), no_candidate);
  for (std::size_t i = 0; i < on_.size(); ++i) {
    for (const auto& parent : network_->parents(on_[i])) {
      const std::uint32_t candidate = candidate_of_[parent.cause];
      if (candidate == no_candidate) continue;
      if (first_of_on_[i] == no_candidate) {
        first_of_on_[i] = candidate;
      } else if (link_[candidate] != link_[first_of_on_[i]]) {
        const std::uint32_t a = root_of(first_of_on_[i]);
        const std::uint32_t b = root_of(candidate);
        link_[std::max(a, b)] = std::min(a, b);
      }
    }
  }
}

void RowPosterior::form_groups() {
  const auto n = static_cast<std::uint32_t>(candidates_.size());
  groups_.clear();
  group_of_.resize(n);
  local_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {  // a root comes before the others of its group
    const std::uint32_t root = root_of(i);
    if (root == i) {
      group_of_[i] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({0, 0, 0, 0, 0});
    }
    group_of_[i] = group_of_[root];
    local_[i] = static_cast<std::uint32_t>(groups_[group_of_[i]].n_causes++);
  }
  for (const std::uint32_t first : first_of_on_) {
    if (first != no_candidate) ++groups_[group_of_[first]].n_on;
  }
  Group next{0, 0, 0, 0, 0};
  for (Group& group : groups_) {
    group.first_cause = std::exchange(next.first_cause, next.first_cause + group.n_causes);
    group.first_on = std::exchange(next.first_on, next.first_on + group.n_on);
    group.first_shared =
        std::exchange(next.first_shared, next.first_shared + group.n_causes * group.n_on);
    group.n_on = 0;
  }
  group_causes_.resize(next.first_cause);
  group_on_.resize(next.first_on);
  shared_.resize(next.first_shared);
  edge_.assign(next.first_shared, no_edge);
  for (std::uint32_t i = 0; i < n; ++i) {
    group_causes_[groups_[group_of_[i]].first_cause + local_[i]] = candidates_[i];
  }
  for (std::uint32_t i = 0; i < on_.size(); ++i) {
    if (first_of_on_[i] == no_candidate) continue;
    Group& group = groups_[group_of_[first_of_on_[i]]];
    group_on_[group.first_on + group.n_on++] = i;
  }
}

void RowPosterior::search_group(const Group& group) {
  search_.resize(group.n_causes, group.n_on);
  search_.tolerance = tolerance_;
  const std::size_t width = search_.n_vectors * search_lanes;
  for (std::size_t k = 0; k < group.n_causes; ++k) {
    search_.odds[k] = std::exp(log_odds_[group_causes_[group.first_cause + k]]);
  }
  for (std::size_t l = 0; l < group.n_on; ++l) {
    const std::uint32_t a = on_[group_on_[group.first_on + l]];
    search_.quiet[l] = 1 - network_->leak(a);
    for (const auto& parent : network_->parents(a)) {
      const std::uint32_t candidate = candidate_of_[parent.cause];
      if (candidate == no_candidate) continue;
      search_.failure[local_[candidate] * width + l] = parent.failure;
      edge_[group.first_shared + local_[candidate] * group.n_on + l] = parent.edge;
    }
  }
  search_.run();
  log_likelihood_ += search_.log_total;
  truncated_ = truncated_ || search_.truncated;
  for (std::size_t k = 0; k < group.n_causes; ++k) {
    posterior_[group_causes_[group.first_cause + k]] = search_.posterior[k];
    std::copy_n(search_.shared.data() + k * width, group.n_on,
                shared_.data() + group.first_shared + k * group.n_on);
  }
  for (std::size_t l = 0; l < group.n_on; ++l) {
    inverse_[group_on_[group.first_on + l]] = search_.inverse[l];
  }
}

void RowPosterior::evaluate(std::span<const std::uint64_t> values,
                            std::span<const std::uint64_t> missing) {
  truncated_ = false;
  read_row(values, missing);
  find_candidates();
  link_candidates();
  form_groups();
  inverse_.resize(on_.size());
  for (std::size_t i = 0; i < on_.size(); ++i) {
    if (first_of_on_[i] != no_candidate) continue;
    log_likelihood_ += network_->log_leak(on_[i]);
    inverse_[i] = 1 / network_->leak(on_[i]);
  }
  for (const Group& group : groups_) search_group(group);
}

}  // namespace orrery::model
