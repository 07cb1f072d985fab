#include "orrery/model/sparse_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "orrery/data/bits.hpp"

namespace orrery::model {
namespace {

constexpr double least_log_bound = -7;   // .001
constexpr double least_log_flip = -3.5;  // .03
constexpr double tolerance = 1e-4;       // of the states of a group
constexpr double least_log_turn = -12;   // what is less is nothing
constexpr double least_gain = 1e-9;      // rounding could let two states gain by turns

constexpr double least = 1e-9;  // of probabilities
double inside(double probability) { return std::clamp(probability, least, 1 - least); }

double log1p_exp(double x) { return x > 30 ? x : std::log1p(std::exp(x)); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// Of factors from 1e-9 to 1e9: a logarithm for many.
class LogProduct {
 public:
  void times(double factor) {
    product_ *= factor;
    if (product_ > 1e200 || product_ < 1e-200) {
      log_ += std::log(product_);
      product_ = 1;
    }
  }
  [[nodiscard]] double log() const { return log_ + std::log(product_); }

 private:
  double product_ = 1;
  double log_ = 0;
};

}  // namespace

SparseNetwork::SparseNetwork(const NoisyOrNetwork& network)
    : first_parent_(network.n_observed() + 1, 0),
      reaches_(network.edges().size()),
      parents_(network.edges().size()) {
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

// Whether a cause is touched, and whether it is a candidate, no processor can guess: both lists are
// made without a branch.
void SparsePosterior::choose_candidates() {
  for (const Candidate& candidate : candidates_) candidate_[candidate.cause] = none;
  for (const std::uint32_t u : touched_) is_touched_[u] = 0;
  candidates_.clear();
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

void SparsePosterior::link_candidates() {
  const std::size_t n = on_.size();
  off_.resize(n);
  inverse_.resize(n);
  if (links_.size() < n * candidates_.size()) links_.resize(n * candidates_.size());
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    candidates_[k].first = static_cast<std::uint32_t>(n * k);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    off_[i] = network_->quiet(on_[i]);
    inverse_[i] = 1 / (1 - off_[i]);
    const auto reaches = network_->reaches(on_[i]);
    const auto parents = network_->parents(on_[i]);
    if (hits_.size() < reaches.size()) hits_.resize(reaches.size());
    std::size_t n_hits = 0;
    for (std::uint32_t j = 0; j < reaches.size(); ++j) {
      hits_[n_hits] = j;
      n_hits += candidate_[reaches[j].cause] != none ? 1 : 0;
    }
    for (std::size_t h = 0; h < n_hits; ++h) {
      const auto& parent = parents[hits_[h]];
      Candidate& candidate = candidates_[candidate_[reaches[hits_[h]].cause]];
      candidate.log_odds -= parent.log_failure;
      candidate.mask |= std::uint64_t{1} << (i % 64);
      links_[candidate.first + candidate.n++] = {i, parent.edge, parent.failure, 0};
    }
  }
}

/// Log of the state with candidate k turned, over the state at hand.
double SparsePosterior::log_turn(std::size_t k) const {
  const Candidate& candidate = candidates_[k];
  const bool in = roles_[k] == Role::absent;
  LogProduct ratio;
  if (in) {
    for (const Link& link : links(candidate)) {
      ratio.times((1 - off_[link.on] * link.failure) * inverse_[link.on]);
    }
  } else {
    for (const Link& link : links(candidate)) {
      ratio.times(std::max(1 - off_[link.on] / link.failure, least) * inverse_[link.on]);
    }
  }
  return ratio.log() + (in ? candidate.log_odds : -candidate.log_odds);
}

void SparsePosterior::turn(std::size_t k) {
  const bool in = roles_[k] == Role::absent;
  for (const Link& link : links(candidates_[k])) {
    double& off = off_[link.on];
    off = in ? off * link.failure : off / link.failure;
    inverse_[link.on] = 1 / std::max(1 - off, least);
  }
  roles_[k] = in ? Role::present : Role::absent;
}

/// Turns candidate k, and what `turns` say of those that share a variable with it.
void SparsePosterior::turn(std::size_t k, std::vector<double>& turns) {
  turn(k);
  for (std::size_t l = 0; l < candidates_.size(); ++l) {
    if (overlap(k, l)) turns[l] = log_turn(l);
  }
}

/// What a cause gains only falls as others come in: what it was before bounds it, and is computed
/// anew once it matters.
void SparsePosterior::climb() {
  const std::size_t n = candidates_.size();
  for (std::size_t step = 0; step <= 8 * n; ++step) {
    const auto best = static_cast<std::size_t>(std::ranges::max_element(turns_) - turns_.begin());
    if (!(turns_[best] > least_gain)) break;
    if (is_stale_[best] != 0) {
      turns_[best] = log_turn(best);
      is_stale_[best] = 0;
      continue;
    }
    turn(best);
    const bool in = roles_[best] == Role::present;
    for (std::size_t l = 0; l < n; ++l) {
      if (!overlap(best, l)) continue;
      is_stale_[l] = in && l != best && roles_[l] == Role::absent ? 1 : 0;
      if (is_stale_[l] == 0) turns_[l] = log_turn(l);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (is_stale_[k] != 0 && turns_[k] > least_log_turn) turns_[k] = log_turn(k);
    is_stale_[k] = 0;
  }
}

/// No one or two others can come near what candidate `out`, which is present, explains.
bool SparsePosterior::is_irreplaceable(std::size_t out) const {
  double first = 0;
  double second = 0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    if (roles_[k] != Role::absent || !overlap(k, out)) continue;
    const double most = most_turns_[k];
    if (most > first) {
      second = std::exchange(first, most);
    } else if (most > second) {
      second = most;
    }
  }
  return turns_[out] + first + second < least_log_flip;
}

/// What could stand for candidate `out`, which is present: those that gain most once it is gone.
/// True if that is a better state, which then is the one at hand.
bool SparsePosterior::exchange(std::size_t out) {
  if (is_irreplaceable(out)) return false;
  double total = turns_[out];
  gains_ = turns_;
  turn(out, gains_);
  changed_.assign(1, out);
  for (;;) {
    std::size_t best = out;
    double most = 0;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (roles_[k] != Role::absent || k == out) continue;
      if (total + gains_[k] > least_log_flip && gains_[k] > turns_[k]) {
        is_open_[k] = is_open_[out] = 1;
      }
      if (gains_[k] > most) {
        most = gains_[k];
        best = k;
      }
    }
    if (best == out) break;
    total += most;
    turn(best, gains_);
    changed_.push_back(best);
  }
  if (total > least_log_flip) {
    for (const std::size_t k : changed_) is_open_[k] = 1;
  }
  if (total > least_gain) {
    turns_ = gains_;
    return true;
  }
  for (const std::size_t k : changed_) turn(k);
  return false;
}

void SparsePosterior::find_mode() {
  const std::size_t n = candidates_.size();
  if (n == 0) return;
  roles_.assign(n, Role::absent);
  is_open_.assign(n, 0);
  turns_.resize(n);
  is_stale_.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k) turns_[k] = log_turn(k);
  most_turns_ = turns_;
  constexpr int most_exchanges = 8;
  int exchanges = 0;
  for (bool again = true; again;) {
    climb();
    again = false;
    for (std::size_t k = 0; k < n && !again; ++k) {
      again = roles_[k] == Role::present && exchange(k) && ++exchanges < most_exchanges;
    }
  }
  climb();
  for (std::size_t k = 0; k < n; ++k) {
    if (turns_[k] > least_log_flip) is_open_[k] = 1;
  }
}

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
  search_.tolerance = tolerance;
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
/// probabilities tells in 1 / P(a on): a leak of .001 that a cause of posterior .01 could have
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
        const double without = 1 / std::max(1 - off / link.failure, least);
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

void SparsePosterior::evaluate(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing) {
  read_row(values, missing);
  choose_candidates();
  link_candidates();
  find_mode();
  settle_certain();
  search_open();
  share_certain();
}

}  // namespace orrery::model
