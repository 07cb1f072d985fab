// A row, read: which causes it touches, and which of them are candidates.
#include "model/sparse_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "data/bits.hpp"
#include "model/numbers.hpp"

namespace orrery::model {

using sparse::least_log_bound;

SparsePosterior::SparsePosterior(const SparseNetwork& network, Candidates which)
    : network_(&network),
      which_(which),
      most_(network.n_causes(), 0),
      unseen_(network.n_causes(), 0),
      candidate_(network.n_causes(), none),
      posterior_(network.n_causes(), 0),
      touched_((network.n_causes() + 63) / 64, 0) {}

void SparsePosterior::read_row(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  log_likelihood_ = network_->log_silent();
  truncated_ = false;
  alone_.clear();
  std::ranges::fill(touched_, 0);
  data::for_each_bit(missing, [&](std::size_t a) {
    log_likelihood_ -= network_->log_quiet(a);
    const auto parents = network_->parents(a);
    const auto reaches = network_->reaches(a);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      const std::uint32_t u = reaches[i].cause;
      unseen_[u] -= parents[i].log_failure;
      touched_[u / 64] |= std::uint64_t{1} << (u % 64);
    }
  });
  on_.clear();
  data::for_each_bit(values, [&](std::size_t a) { on_.push_back(static_cast<std::uint32_t>(a)); });
  float* const most = most_.data();
  for (const std::uint32_t a : on_) {
    log_likelihood_ -= network_->log_quiet(a);
    for (const auto& reach : network_->reaches(a)) most[reach.cause] += reach.log_most;
  }
  // What reaches a cause is above 0.
  const std::size_t n = most_.size();
  for (std::size_t w = 0; w < touched_.size(); ++w) {
    std::uint64_t bits = 0;
    for (std::size_t u = 64 * w; u < std::min(n, 64 * w + 64); ++u)
      bits |= static_cast<std::uint64_t>(most[u] > 0) << (u % 64);
    touched_[w] |= bits;
  }
}

/// Those of the row before.
void SparsePosterior::forget_causes() {
  for (const Candidate& candidate : candidates_) {
    candidate_[candidate.cause] = none;
    posterior_[candidate.cause] = 0;
  }
  for (const std::uint32_t u : unseen_causes_) posterior_[u] = 0;
  candidates_.clear();
  unseen_causes_.clear();
}

void SparsePosterior::add_candidate(std::uint32_t cause, double log_odds) {
  candidate_[cause] = static_cast<std::uint32_t>(candidates_.size());
  candidates_.push_back({cause, 0, 0, 0, log_odds, 0, none, 0});
}

// Whether a cause is a candidate no processor can guess: the list is made without a branch.
void SparsePosterior::choose_candidates() {
  const auto n = static_cast<std::uint32_t>(most_.size());
  chosen_.resize(n);
  std::uint32_t* const chosen = chosen_.data();
  std::size_t n_chosen = 0;
  const float* const most = most_.data();
  const float* const least = network_->least_most().data();
  for (std::uint32_t u = 0; u < n; ++u) {
    chosen[n_chosen] = u;
    n_chosen += static_cast<std::size_t>(most[u] >= least[u]);
  }
  for (std::size_t k = 0; k < n_chosen; ++k)
    add_candidate(chosen[k], network_->log_odds(chosen[k]));
}

void SparsePosterior::choose_where_missing() {
  data::for_each_bit(touched_, [&](std::size_t u) {
    const double log_odds = network_->log_odds(u) + unseen_[u];
    unseen_[u] = 0;
    if (!(most_[u] > 0)) {  // only missing variables
      posterior_[u] = logistic(log_odds);
      log_likelihood_ += log1p_exp(log_odds);
      unseen_causes_.push_back(static_cast<std::uint32_t>(u));
    } else if (log_odds + static_cast<double>(most_[u]) >= least_log_bound) {
      add_candidate(static_cast<std::uint32_t>(u), log_odds);
    }
  });
}

// Which of a variable's causes are candidates no processor can guess: they are listed without a
// branch. Their parents are some megabyte: all are asked for at once.
void SparsePosterior::find_hits() {
  std::size_t most_hits = 0;
  for (const std::uint32_t a : on_) most_hits += network_->reaches(a).size();
  model::grow(hits_, most_hits);
  Hit* const hits = hits_.data();
  const std::uint32_t* const candidate_of = candidate_.data();
  n_hits_ = 0;
  for (std::uint32_t i = 0; i < on_.size(); ++i) {
    auto parent = static_cast<std::uint32_t>(network_->first_parent(on_[i]));
    for (const auto& reach : network_->reaches(on_[i])) {
      const std::uint32_t k = candidate_of[reach.cause];
      hits[n_hits_] = {parent++, i, k};
      n_hits_ += static_cast<std::size_t>(k != none);
    }
  }
  for (const Hit& hit : std::span(hits_).first(n_hits_)) {
    __builtin_prefetch(&network_->parent(hit.parent));
    ++candidates_[hit.candidate].n;
  }
}

void SparsePosterior::link_candidates() {
  const std::size_t n = on_.size();
  off_.resize(n);
  inverse_.resize(n);
  for (std::size_t i = 0; i < n; ++i) off_[i] = network_->quiet(on_[i]);
  for (std::size_t i = 0; i < n; ++i) inverse_[i] = 1 / (1 - off_[i]);
  find_hits();
  model::grow(links_, n_hits_);
  std::uint32_t first = 0;
  for (Candidate& candidate : candidates_) {
    candidate.first = first;
    first += std::exchange(candidate.n, 0);
  }
  turns_.assign(candidates_.size(), 0);
  Candidate* const candidates = candidates_.data();
  Link* const links = links_.data();
  double* const gains = turns_.data();
  for (const Hit& hit : std::span(hits_).first(n_hits_)) {
    const SparseNetwork::Parent& parent = network_->parent(hit.parent);
    Candidate& candidate = candidates[hit.candidate];
    candidate.log_odds -= parent.log_failure;
    gains[hit.candidate] += parent.log_gain;
    candidate.mask |= std::uint64_t{1} << (hit.on % 64);
    links[candidate.first + candidate.n++] = {hit.on, parent.edge, parent.failure, 0};
  }
  for (std::size_t k = 0; k < candidates_.size(); ++k) turns_[k] += candidates_[k].log_odds;
}

void SparsePosterior::find_posteriors() {
  find_mode();
  settle_certain();
  search_open();
  share_certain();
}

void SparsePosterior::evaluate(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  forget_causes();
  read_row(values, missing);
  for (std::size_t w = 0; w < touched_.size(); ++w) {
    data::for_each_bit(touched_[w] & network_->loud()[w], 64 * w,
                       [&](std::size_t u) { log_likelihood_ -= network_->log_sum(u); });
  }
  if (missing.empty()) {
    choose_candidates();
  } else {
    choose_where_missing();
  }
  std::ranges::fill(most_, 0.0F);
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

/// As a candidate, with the variables that it may have switched on. Which children are not off no
/// processor can guess: they are listed without a branch, and the rest of them is looked up.
void SparsePosterior::link_children(std::uint32_t cause) {
  Candidate candidate{
      cause, static_cast<std::uint32_t>(links_.size()), 0, 0, network_->log_odds(cause), 0, none,
      0};
  const auto variables = network_->child_variables(cause);
  chosen_.resize(variables.size());
  std::uint32_t* const chosen = chosen_.data();
  const std::uint32_t* const where = at_.data();
  std::size_t n_chosen = 0;
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    chosen[n_chosen] = i;
    n_chosen += static_cast<std::size_t>(where[variables[i]] != is_off);
  }
  double gain = 0;
  const auto first = static_cast<std::uint32_t>(network_->first_child(cause));
  const SparseNetwork::Child* const children = network_->children(cause).data();
  std::size_t n_on = on_.size();
  on_.resize(n_on + n_chosen);
  links_.resize(candidate.first + n_chosen);
  std::uint32_t* const on = on_.data();
  Link* const links = links_.data() + candidate.first;
  for (std::size_t j = 0; j < n_chosen; ++j) {
    const SparseNetwork::Child& child = children[chosen[j]];
    std::uint32_t& at = at_[child.observed];
    candidate.log_odds -= child.log_failure;
    const bool is_first = at == is_on;
    at = is_first ? linked + static_cast<std::uint32_t>(n_on) : at;
    on[n_on] = child.observed;
    n_on += static_cast<std::size_t>(is_first);
    if (at < linked) continue;
    links[candidate.n++] = {at - linked, first + chosen[j], child.failure, 0};
    candidate.mask |= std::uint64_t{1} << ((at - linked) % 64);
    gain += child.log_gain;
  }
  on_.resize(n_on);
  links_.resize(candidate.first + candidate.n);
  candidates_.push_back(candidate);
  turns_.push_back(gain + candidate.log_odds);
}

void SparsePosterior::evaluate_among(std::span<const std::uint32_t> causes,
                                     std::span<const std::uint32_t> on,
                                     std::span<const std::uint32_t> missing) {
  if (at_.empty()) at_.assign(network_->n_observed(), is_off);
  for (const std::uint32_t a : missing) at_[a] = is_missing;
  for (const std::uint32_t a : on) at_[a] = is_on;
  forget_causes();
  links_.clear();
  turns_.clear();
  on_.clear();
  log_likelihood_ = 0;
  truncated_ = false;
  std::ranges::fill(touched_, 0);
  for (const std::uint32_t u : causes) {
    touched_[u / 64] |= std::uint64_t{1} << (u % 64);
    link_children(u);
  }
  off_.resize(on_.size());
  inverse_.resize(on_.size());
  for (std::size_t i = 0; i < on_.size(); ++i) {
    off_[i] = network_->quiet(on_[i]);
    log_likelihood_ -= network_->log_quiet(on_[i]);
  }
  for (std::size_t i = 0; i < on_.size(); ++i) inverse_[i] = 1 / (1 - off_[i]);
  find_posteriors();
  for (const std::uint32_t a : missing) at_[a] = is_off;
  alone_.resize(on.size());
  std::size_t n_alone = 0;
  for (const std::uint32_t a : on) {
    alone_[n_alone] = a;
    n_alone += static_cast<std::size_t>(at_[a] == is_on);
    at_[a] = is_off;
  }
  alone_.resize(n_alone);
}

}  // namespace orrery::model
