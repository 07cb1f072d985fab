// The most probable state of a row's candidates, and those that it leaves in doubt.
#include <algorithm>
#include <utility>

#include "model/numbers.hpp"
#include "model/sparse_posterior.hpp"

namespace orrery::model {

using sparse::least_probability;
using sparse::LogProduct;

namespace {

constexpr double least_log_flip = -3.5;  // 0.03
constexpr double least_log_turn = -12;   // what is less is nothing
constexpr double least_gain = 1e-9;      // rounding could let two states gain by turns

}  // namespace

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
      ratio.times(std::max(1 - off_[link.on] / link.failure, least_probability) *
                  inverse_[link.on]);
    }
  }
  return ratio.log() + (in ? candidate.log_odds : -candidate.log_odds);
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

}  // namespace orrery::model
