// A row, read: which causes it touches, and which of them are candidates.
#include "model/sparse_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/bits.hpp"
#include "model/numbers.hpp"

namespace orrery::model {

using sparse::inside;

namespace {

constexpr double least_log_bound = -7;  // 0.001

}  // namespace

SparseNetwork::SparseNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0),
      reaches_(network.edges().size()),
      parents_(network.edges().size()),
      first_child_(network.n_causes() + 1, 0) {
  for (const Observed& observed : network.observed()) {
    quiet_.push_back(1 - inside(observed.leak));
    log_quiet_.push_back(std::log(quiet_.back()));
    log_silent_ += log_quiet_.back();
  }
  for (const Cause& cause : network.causes()) {
    const double prior = inside(cause.prior);
    log_odds_.push_back(std::log(prior) - std::log1p(-prior));
    log_silent_ += std::log1p(-prior);
  }
  for (const Edge& edge : network.edges()) ++first_parent_[edge.observed + 1];
  std::partial_sum(first_parent_.begin(), first_parent_.end(), first_parent_.begin());
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const Edge& edge = network.edges()[e];
    const double failure = inside(edge.failure);
    const double log_failure = std::log(failure);
    const double leak = 1 - quiet_[edge.observed];
    const double log_gain = std::log1p(-quiet_[edge.observed] * failure) - std::log(leak);
    log_odds_[edge.cause] += log_failure;
    const std::size_t at = next[edge.observed]++;
    reaches_[at] = {edge.cause, static_cast<float>(log_gain - log_failure)};
    parents_[at] = {static_cast<std::uint32_t>(e), log_failure, failure};
    children_.push_back({edge.observed, log_failure, failure});
    first_child_[edge.cause + 1] = e + 1;
  }
  for (std::size_t u = 0; u < network.n_causes(); ++u) {  // a cause may have none
    first_child_[u + 1] = std::max(first_child_[u + 1], first_child_[u]);
  }
  for (const double log_odds : log_odds_) {
    log_sum_.push_back(log1p_exp(log_odds));
    log_silent_ += log_sum_.back();
    posterior_.push_back(logistic(log_odds));
  }
}

SparsePosterior::SparsePosterior(const SparseNetwork& network)
    : network_(&network),
      most_(network.n_causes(), 0),
      unseen_(network.n_causes(), 0),
      candidate_(network.n_causes(), none),
      posterior_(network.n_causes(), 0),
      is_touched_(network.n_causes(), 0) {}

void SparsePosterior::read_row(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  log_likelihood_ = network_->log_silent();
  truncated_ = false;
  for (std::size_t w = 0; w < missing.size(); ++w) {
    data::for_each_bit(missing[w], 64 * w, [&](std::size_t a) {
      log_likelihood_ -= network_->log_quiet(a);
      const auto parents = network_->parents(a);
      const auto reaches = network_->reaches(a);
      for (std::size_t i = 0; i < parents.size(); ++i) {
        unseen_[reaches[i].cause] -= parents[i].log_failure;
      }
    });
  }
  on_.clear();
  for (std::size_t w = 0; w < values.size(); ++w) {
    data::for_each_bit(values[w], 64 * w, [&](std::size_t a) {
      log_likelihood_ -= network_->log_quiet(a);
      on_.push_back(static_cast<std::uint32_t>(a));
      for (const auto& reach : network_->reaches(a)) most_[reach.cause] += reach.log_most;
    });
  }
}

/// Those of the row before.
void SparsePosterior::forget_causes() {
  for (const Candidate& candidate : candidates_) candidate_[candidate.cause] = none;
  for (const std::uint32_t u : touched_) is_touched_[u] = 0;
  candidates_.clear();
}

// Whether a cause is touched, and whether it is a candidate, no processor can guess: both lists are
// made without a branch.
void SparsePosterior::choose_candidates() {
  forget_causes();
  const std::size_t n = most_.size();
  touched_.resize(n);
  std::size_t n_touched = 0;
  const float* most = most_.data();
  const double* unseen = unseen_.data();
  std::uint32_t* touched = touched_.data();
  for (std::uint32_t u = 0; u < n; ++u) {
    touched[n_touched] = u;
    n_touched += static_cast<std::size_t>(most[u] > 0) | static_cast<std::size_t>(unseen[u] > 0);
  }
  touched_.resize(n_touched);
  for (const std::uint32_t u : touched_) {
    is_touched_[u] = 1;
    log_likelihood_ -= network_->log_sum(u);
    const double log_odds = network_->log_odds(u) + unseen_[u];
    posterior_[u] = 0;
    if (!(most_[u] > 0)) {  // only missing variables
      posterior_[u] = logistic(log_odds);
      log_likelihood_ += log1p_exp(log_odds);
    } else if (log_odds + static_cast<double>(most_[u]) >= least_log_bound) {
      candidate_[u] = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({u, 0, 0, 0, log_odds, 0, none, 0});
    }
    most_[u] = 0;
    unseen_[u] = 0;
  }
}

// Two passes, the first without a branch: no processor can guess which parents are candidates.
void SparsePosterior::link_candidates() {
  const std::size_t n = on_.size();
  off_.resize(n);
  inverse_.resize(n);
  if (links_.size() < n * candidates_.size()) links_.resize(n * candidates_.size());
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    candidates_[k].first = static_cast<std::uint32_t>(n * k);
  }
  std::size_t n_hits = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    off_[i] = network_->quiet(on_[i]);
    inverse_[i] = 1 / (1 - off_[i]);
    const auto reaches = network_->reaches(on_[i]);
    if (hits_.size() < n_hits + reaches.size()) hits_.resize(2 * (n_hits + reaches.size()));
    Hit* hits = hits_.data();
    for (std::uint32_t j = 0; j < reaches.size(); ++j) {
      const std::uint32_t k = candidate_[reaches[j].cause];
      hits[n_hits] = {k, i, j};
      n_hits += k != none ? 1 : 0;
    }
  }
  Candidate* const candidates = candidates_.data();
  Link* const links = links_.data();
  for (std::size_t h = 0; h < n_hits; ++h) {
    const Hit& hit = hits_[h];
    const auto& parent = network_->parents(on_[hit.on])[hit.parent];
    Candidate& candidate = candidates[hit.candidate];
    candidate.log_odds -= parent.log_failure;
    candidate.mask |= std::uint64_t{1} << (hit.on % 64);
    links[candidate.first + candidate.n++] = {hit.on, parent.edge, parent.failure, 0};
  }
}

void SparsePosterior::find_posteriors() {
  find_mode();
  settle_certain();
  search_open();
  share_certain();
}

void SparsePosterior::evaluate(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  read_row(values, missing);
  choose_candidates();
  link_candidates();
  find_posteriors();
}

// Where variables of evaluate_among() are, by variable: off; missing; on; or, from linked on, on
// and at this place of on().
namespace {
constexpr std::uint32_t is_off = 0;
constexpr std::uint32_t is_missing = 1;
constexpr std::uint32_t is_on = 2;
constexpr std::uint32_t linked = 3;
}  // namespace

/// As a candidate, with the variables that it may have switched on.
void SparsePosterior::link_children(std::uint32_t cause) {
  Candidate candidate{
      cause, static_cast<std::uint32_t>(links_.size()), 0, 0, network_->log_odds(cause), 0, none,
      0};
  auto edge = static_cast<std::uint32_t>(network_->first_child(cause));
  for (const SparseNetwork::Child& child : network_->children(cause)) {
    std::uint32_t& at = at_[child.observed];
    if (at != is_off) candidate.log_odds -= child.log_failure;
    if (at == is_on) {
      at = linked + static_cast<std::uint32_t>(on_.size());
      on_.push_back(child.observed);
    }
    if (at >= linked) {
      links_.push_back({at - linked, edge, child.failure, 0});
      candidate.mask |= std::uint64_t{1} << ((at - linked) % 64);
      ++candidate.n;
    }
    ++edge;
  }
  candidates_.push_back(candidate);
}

void SparsePosterior::evaluate_among(std::span<const std::uint32_t> causes,
                                     std::span<const std::uint32_t> on,
                                     std::span<const std::uint32_t> missing) {
  if (at_.empty()) at_.assign(network_->n_observed(), is_off);
  for (const std::uint32_t a : missing) at_[a] = is_missing;
  for (const std::uint32_t a : on) at_[a] = is_on;
  forget_causes();
  links_.clear();
  on_.clear();
  log_likelihood_ = 0;
  truncated_ = false;
  touched_.assign(causes.begin(), causes.end());
  for (const std::uint32_t u : causes) {
    is_touched_[u] = 1;
    link_children(u);
  }
  off_.resize(on_.size());
  inverse_.resize(on_.size());
  for (std::size_t i = 0; i < on_.size(); ++i) {
    off_[i] = network_->quiet(on_[i]);
    inverse_[i] = 1 / (1 - off_[i]);
    log_likelihood_ -= network_->log_quiet(on_[i]);
  }
  find_posteriors();
  for (const std::uint32_t a : missing) at_[a] = is_off;
  for (const std::uint32_t a : on) at_[a] = is_off;
}

}  // namespace orrery::model
