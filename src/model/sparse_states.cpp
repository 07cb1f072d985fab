// The posterior of a row's candidates in two steps: their most probable state with those that it
// leaves in doubt, then sums over the states around it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "model/numbers.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::model {

// The most probable state of a row's candidates, and those that it leaves in doubt.

using sparse::least_probability;
using sparse::LogProduct;

namespace {

constexpr double least_log_flip = -3.5;  // 0.03
constexpr double least_log_turn = -12;   // what is less is nothing
constexpr double least_gain = 1e-9;      // rounding could let two states gain by turns
constexpr double sum_rounding = 1e-9;    // of sums of a row's logarithms, and more

}  // namespace

/// What the variables say of candidate k turned.
LogProduct SparsePosterior::turn_ratio(std::size_t k) const {
  const Candidate& candidate = candidates_[k];
  LogProduct ratio;
  if (roles_[k] == Role::absent) {
    for (const Link& link : links(candidate)) {
      ratio.times((1 - off_[link.on] * link.failure) * inverse_[link.on]);
    }
  } else {
    for (const Link& link : links(candidate)) {
      ratio.times(std::max(1 - off_[link.on] / link.failure, least_probability) *
                  inverse_[link.on]);
    }
  }
  return ratio;
}

/// Log of the state with candidate k turned, over the state at hand.
double SparsePosterior::log_turn(std::size_t k) const {
  const double log_odds = candidates_[k].log_odds;
  return turn_ratio(k).log() + (roles_[k] == Role::absent ? log_odds : -log_odds);
}

/// The same of an absent one in the mode, or a bound if that is enough.
double SparsePosterior::last_log_turn(std::size_t k) const {
  const LogProduct ratio = turn_ratio(k);
  const double most = ratio.most_log() + candidates_[k].log_odds;
  return which_ == Candidates::likely && most < least_log_turn
             ? most
             : ratio.log() + candidates_[k].log_odds;
}

void SparsePosterior::turn(std::size_t k) {
  const bool in = roles_[k] == Role::absent;
  for (const Link& link : links(candidates_[k])) {
    double& off = off_[link.on];
    off = in ? off * link.failure : off / link.failure;
    inverse_[link.on] = 1 / std::max(1 - off, least_probability);
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

void SparsePosterior::list_gaining() {
  gaining_.resize(candidates_.size());
  std::size_t n_gaining = 0;
  for (std::uint32_t k = 0; k < candidates_.size(); ++k) {
    gaining_[n_gaining] = k;
    n_gaining += static_cast<std::size_t>(turns_[k] > least_gain);
  }
  gaining_.resize(n_gaining);
}

/// The first of those that gain most. Which one gains more no processor can guess: the most is
/// found without a branch, and whose it is afterwards.
std::size_t SparsePosterior::best_turn() const {
  double most = 0;
  for (const std::uint32_t k : gaining_) most = std::max(most, turns_[k]);
  return *std::ranges::find(gaining_, most, [&](std::uint32_t k) { return turns_[k]; });
}

/// What a cause gains only falls as others come in: what it was before bounds it, and is computed
/// anew once it matters.
void SparsePosterior::climb() {
  const std::size_t n = candidates_.size();
  list_gaining();
  for (std::size_t step = 0; step <= 9 * n && !gaining_.empty(); ++step) {
    const std::size_t best = best_turn();
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
    list_gaining();
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (is_stale_[k] != 0 && turns_[k] > least_log_turn) turns_[k] = last_log_turn(k);
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
  // What linking added up, but for its rounding: each is computed anew once it matters.
  for (double& turn : turns_) turn += sum_rounding;
  is_stale_.assign(n, 1);
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
  if (which_ == Candidates::likely) leave_out_unlikely();
}

/// Candidates that are absent, as good as surely. The others stay in order.
void SparsePosterior::leave_out_unlikely() {
  std::size_t n_kept = 0;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const std::uint32_t u = candidates_[k].cause;
    if (is_open_[k] == 0 && roles_[k] == Role::absent && turns_[k] < least_log_turn) {
      candidate_[u] = none;
      continue;
    }
    candidates_[n_kept] = candidates_[k];
    roles_[n_kept] = roles_[k];
    turns_[n_kept] = turns_[k];
    is_open_[n_kept] = is_open_[k];
    ++n_kept;
  }
  candidates_.resize(n_kept);
}

// The posterior around the mode: certain candidates by turning each alone, the others by sums over
// the states of each group.

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
  // Of each variable once: the state at hand has no part any more.
  for (std::size_t i = 0; i < on_.size(); ++i) off_[i] = 1 - 1 / inverse_[i];
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const Candidate& candidate = candidates_[k];
    posterior_[candidate.cause] = candidate.posterior;
    if (is_open_[k] != 0) continue;
    for (std::uint32_t i = 0; i < candidate.n; ++i) {
      Link& link = links_[candidate.first + i];
      const double inverse = inverse_[link.on];
      const double off = off_[link.on];
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
