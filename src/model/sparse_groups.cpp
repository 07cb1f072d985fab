// The posterior around the mode: certain candidates by turning each alone, the others by sums over
// the states of each group.
#include <algorithm>
#include <cmath>

#include "model/numbers.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::model {

using sparse::least_probability;
using sparse::LogProduct;

namespace {

constexpr double search_tolerance = 1e-4;  // of the states of a group

}  // namespace

/// Those that stay as they are in the mode; the open ones out of the state at hand.
void SparsePosterior::settle_certain() {
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    Candidate& candidate = candidates_[k];
    const bool in = roles_[k] == Role::present;
    candidate.posterior = logistic(in ? -turns_[k] : turns_[k]);
    if (is_open_[k] != 0) continue;
    log_likelihood_ += log1p_exp(turns_[k]) + (in ? candidate.log_odds : 0);
  }
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (is_open_[k] != 0 && roles_[k] == Role::present) turn(k);
  }
}

/// Open candidates that share variables, group after group.
void SparsePosterior::search_open() {
  owner_.assign(on_.size(), none);
  place_.resize(on_.size());
  shared_.clear();
  group_.resize(candidates_.size());
  const auto root = [&](std::uint32_t k) {
    while (group_[k] != k) k = group_[k] = group_[group_[k]];
    return k;
  };
  for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
    group_[k] = k;
    if (is_open_[k] == 0) continue;
    for (const Link& link : links(candidates_[k])) {
      std::uint32_t& owner = owner_[link.on];
      if (owner == none) owner = k;
      group_[root(k)] = root(owner);
    }
  }
  LogProduct alone;
  for (std::size_t i = 0; i < on_.size(); ++i) {
    if (owner_[i] == none) alone.times(inverse_[i]);
  }
  log_likelihood_ -= alone.log();
  for (std::uint32_t g = 0; g < candidates_.size(); ++g) {
    if (is_open_[g] == 0 || root(g) != g) continue;
    members_.clear();
    for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
      if (is_open_[k] != 0 && root(k) == g) members_.push_back(k);
    }
    search_group(g);
  }
}

/// `members_`, which no other open candidate shares a variable with.
void SparsePosterior::search_group(std::uint32_t group) {
  // The search wants the likeliest first.
  std::ranges::sort(members_, [&](std::uint32_t k, std::uint32_t l) {
    const double of_k = candidates_[k].posterior;
    const double of_l = candidates_[l].posterior;
    return of_k > of_l || (of_k == of_l && k < l);
  });
  group_on_.clear();
  for (const std::uint32_t k : members_) {
    for (const Link& link : links(candidates_[k])) group_on_.push_back(link.on);
  }
  std::ranges::sort(group_on_);
  group_on_.erase(std::unique(group_on_.begin(), group_on_.end()), group_on_.end());
  search_.resize(members_.size(), group_on_.size());
  search_.tolerance = search_tolerance;
  const std::size_t width = search_.n_vectors * search_lanes;
  for (std::size_t l = 0; l < group_on_.size(); ++l) {
    owner_[group_on_[l]] = group;
    place_[group_on_[l]] = static_cast<std::uint32_t>(l);
    search_.quiet[l] = off_[group_on_[l]];
  }
  for (std::size_t j = 0; j < members_.size(); ++j) {
    const Candidate& candidate = candidates_[members_[j]];
    search_.odds[j] = std::exp(std::max(candidate.log_odds, -600.0));
    double* failures = search_.failure.data() + j * width;
    std::fill_n(failures, width, 1.0);
    for (const Link& link : links(candidate)) failures[place_[link.on]] = link.failure;
  }
  search_.run();
  truncated_ = truncated_ || search_.truncated;
  if (!std::isfinite(search_.log_total)) return settle_unsearched();
  log_likelihood_ += search_.log_total;
  for (std::size_t j = 0; j < members_.size(); ++j) {
    Candidate& candidate = candidates_[members_[j]];
    candidate.posterior = search_.posterior[j];
    candidate.group = group;
    candidate.first_shared = shared_.size();
    const double* shared = search_.shared.data() + j * width;
    shared_.insert(shared_.end(), shared, shared + group_on_.size());
    for (std::uint32_t i = 0; i < candidate.n; ++i) {
      Link& link = links_[candidate.first + i];
      link.shared = search_.shared[j * width + place_[link.on]];
    }
  }
  for (std::size_t l = 0; l < group_on_.size(); ++l) inverse_[group_on_[l]] = search_.inverse[l];
}

/// `members_`, whose weights are beyond the range of numbers: as in the mode, and what turning one
/// alone says stands.
void SparsePosterior::settle_unsearched() {
  truncated_ = true;
  for (const std::uint32_t k : members_) {
    const Candidate& candidate = candidates_[k];
    is_open_[k] = 0;
    if (candidate.posterior > .5) {
      turn(k);
      log_likelihood_ += candidate.log_odds;
    }
    log_likelihood_ += log1p_exp(turns_[k]);
  }
  for (const std::uint32_t i : group_on_) {
    owner_[i] = none;
    log_likelihood_ -= std::log(inverse_[i]);
  }
}

/// Given the row, taken as independent of the open ones. What they are with the smaller of their
/// probabilities tells in 1 / P(a on): a leak of 0.001 that a cause of posterior 0.01 could have
/// saved.
void SparsePosterior::share_certain() {
  correction_.assign(on_.size(), 0);
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const Candidate& candidate = candidates_[k];
    posterior_[candidate.cause] = candidate.posterior;
    if (is_open_[k] != 0) continue;
    for (std::uint32_t i = 0; i < candidate.n; ++i) {
      Link& link = links_[candidate.first + i];
      const double inverse = inverse_[link.on];
      const double off = 1 - 1 / inverse;
      if (roles_[k] == Role::present) {
        const double without = 1 / std::max(1 - off / link.failure, least_probability);
        link.shared = candidate.posterior * inverse;
        correction_[link.on] += (1 - candidate.posterior) * (without - inverse);
      } else {
        const double with = 1 / (1 - off * link.failure);
        link.shared = candidate.posterior * with;
        correction_[link.on] += candidate.posterior * (with - inverse);
      }
    }
  }
  for (std::size_t i = 0; i < on_.size(); ++i) {
    inverse_[i] = std::max(inverse_[i] + correction_[i], 1.0);
  }
}

}  // namespace orrery::model
