// Quickscore (see quickscore.hpp for the method): its plan, its numbers, and its draws.
#include "model/quickscore.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/numbers.hpp"

namespace orrery::model {

// The plan: the order in which causes are added and findings are let in and out.

bool Quickscore::plan(const FindingGroup& group) {
  group_ = &group;
  steps_.clear();
  bits_.clear();
  open_.clear();
  is_open_ = is_closed_ = 0;
  work_ = cells_ = 0;
  width_ = 0;
  if (group.n_findings() > max_findings) return false;
  find_parents();
  order_causes();
  return true;
}

void Quickscore::find_parents() {
  const std::size_t n = group_->n_findings();
  reach_.assign(group_->causes.size(), 0);
  done_.assign(group_->causes.size(), 0);
  left_.assign(n, 0);
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    for (const auto& link : group_->links_of(group_->causes[k])) {
      reach_[k] |= finding_bit(link.finding);
      ++left_[link.finding];
    }
  }
  first_parent_.assign(n + 1, 0);
  for (std::size_t a = 0; a < n; ++a) first_parent_[a + 1] = first_parent_[a] + left_[a];
  parents_.resize(first_parent_[n]);
  std::vector<std::size_t> next(first_parent_.begin(), first_parent_.end() - 1);
  for (std::uint32_t k = 0; k < reach_.size(); ++k) {
    for (std::uint64_t left = reach_[k]; left != 0; left &= left - 1) {
      parents_[next[static_cast<std::size_t>(std::countr_zero(left))]++] = k;
    }
  }
}

/// The finding whose remaining causes open the fewest others.
std::size_t Quickscore::next_finding() const {
  std::size_t best = 0;
  int fewest = std::numeric_limits<int>::max();
  for (std::size_t a = 0; a < group_->n_findings(); ++a) {
    if ((is_closed_ & finding_bit(a)) != 0) continue;
    std::uint64_t reached = finding_bit(a);
    for (std::size_t i = first_parent_[a]; i < first_parent_[a + 1]; ++i) {
      if (done_[parents_[i]] == 0) reached |= reach_[parents_[i]];
    }
    const int opened = std::popcount(reached & ~is_open_);
    if (opened < fewest) {
      fewest = opened;
      best = a;
    }
  }
  return best;
}

/// Finding after finding; of a finding's causes first those that open the fewest others.
void Quickscore::order_causes() {
  const std::size_t n = group_->n_findings();
  while (static_cast<std::size_t>(std::popcount(is_closed_)) < n) {
    const std::size_t a = next_finding();
    if (left_[a] == 0) {
      open(static_cast<std::uint32_t>(a));
      close(static_cast<std::uint32_t>(a));
    }
    while (left_[a] > 0) {
      std::uint32_t best = 0;
      int fewest = std::numeric_limits<int>::max();
      for (std::size_t i = first_parent_[a]; i < first_parent_[a + 1]; ++i) {
        if (done_[parents_[i]] != 0) continue;
        const int opened = std::popcount(reach_[parents_[i]] & ~is_open_);
        if (opened >= fewest) continue;
        fewest = opened;
        best = parents_[i];
      }
      process(best);
    }
  }
}

void Quickscore::add_step(Step step, std::uint32_t width_after) {
  step.width = static_cast<std::uint32_t>(open_.size());
  step.offset = static_cast<std::size_t>(cells_ < 1e15 ? cells_ : 1e15);
  const double before = std::ldexp(1, static_cast<int>(step.width));
  const double links = static_cast<double>(
      step.kind == Kind::cause ? group_->links_of(group_->causes[step.index]).size() : 0);
  cells_ += before;
  work_ += std::max(before, std::ldexp(1, static_cast<int>(width_after))) * (links + 3);
  width_ = std::max<std::size_t>(width_, width_after);
  steps_.push_back(step);
}

void Quickscore::open(std::uint32_t finding) {
  const auto width = static_cast<std::uint32_t>(open_.size());
  add_step({Kind::open, finding, width}, width + 1);
  open_.push_back(finding);
  is_open_ |= finding_bit(finding);
}

void Quickscore::close(std::uint32_t finding) {
  const auto place = std::ranges::find(open_, finding);
  add_step({Kind::close, finding, static_cast<std::uint32_t>(place - open_.begin())},
           static_cast<std::uint32_t>(open_.size() - 1));
  open_.erase(place);
  is_closed_ |= finding_bit(finding);
}

void Quickscore::process(std::uint32_t cause) {
  done_[cause] = 1;
  const auto links = group_->links_of(group_->causes[cause]);
  for (const auto& link : links) {
    if ((is_open_ & finding_bit(link.finding)) == 0) open(link.finding);
  }
  Step step{Kind::cause, cause};
  step.first_bit = bits_.size();
  for (const auto& link : links) {
    const auto place = std::ranges::find(open_, link.finding) - open_.begin();
    bits_.push_back({static_cast<std::uint32_t>(place), link.failure, 0});
  }
  add_step(step, static_cast<std::uint32_t>(open_.size()));
  for (const auto& link : links) {
    if (--left_[link.finding] == 0) close(link.finding);
  }
}

// The numbers, and draws from the posterior.

namespace {

/// Calls visit(lower, upper, n) for the runs of states that differ in bit `j` alone.
template <class Visit>
void for_each_pair(std::size_t n_states, std::size_t j, const Visit& visit) {
  const std::size_t stride = std::size_t{1} << j;
  for (std::size_t base = 0; base < n_states; base += 2 * stride) {
    visit(base, base + stride, stride);
  }
}

/// The present cause switches finding `j` on, if it is not.
void push(double* f, std::size_t n_states, std::size_t j, double failure, double success) {
  for_each_pair(n_states, j, [=](std::size_t lower, std::size_t upper, std::size_t n) {
    double* off = f + lower;
    double* on = f + upper;
    for (std::size_t i = 0; i < n; ++i) {
      on[i] += success * off[i];
      off[i] *= failure;
    }
  });
}

/// The transpose of push.
void pull(double* b, std::size_t n_states, std::size_t j, double failure, double success) {
  for_each_pair(n_states, j, [=](std::size_t lower, std::size_t upper, std::size_t n) {
    double* off = b + lower;
    const double* on = b + upper;
    for (std::size_t i = 0; i < n; ++i) off[i] = failure * off[i] + success * on[i];
  });
}

/// In eight sums: the order of additions is the same for any instruction set.
double dot(const double* a, const double* b, std::size_t n) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += a[i + k] * b[i + k];
  }
  for (; i < n; ++i) sums[i % 8] += a[i] * b[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

/// The state with a bit more, on, at place `j`.
std::size_t insert_on(std::size_t state, std::size_t j) {
  const std::size_t below = state & (finding_bit(j) - 1);
  return ((state ^ below) << 1U) | finding_bit(j) | below;
}

}  // namespace

/// A finding that is on is measured by about the root of its probability: neither findings that are
/// switched on one by one nor those that are all at once leave a double's range.
void Quickscore::set_units() {
  unit_.assign(group_->n_findings(), 0);
  for (std::size_t a = 0; a < unit_.size(); ++a) unit_[a] = group_->fire[a];
  for (const auto& cause : group_->causes) {
    for (const auto& link : group_->links_of(cause)) {
      unit_[link.finding] += cause.present * (1 - link.failure);
    }
  }
  log_units_ = 0;
  for (double& unit : unit_) {
    const int exponent = unit > 0 ? std::min(0, std::ilogb(unit)) / 2 : 0;
    unit = std::ldexp(1, exponent);
    log_units_ += exponent * std::numbers::ln2;
  }
}

void Quickscore::set_links() {
  for (const Step& step : steps_) {
    if (step.kind != Kind::cause) continue;
    std::size_t at = step.first_bit;
    for (const auto& link : group_->links_of(group_->causes[step.index])) {
      bits_[at++].success = (1 - link.failure) / unit_[link.finding];
    }
  }
}

void Quickscore::go_forward(Step& step) {
  const std::size_t n = std::size_t{1} << step.width;
  const double* f = forward_.data() + step.offset;
  double* next = forward_.data() + step.offset + n;
  if (step.kind == Kind::open) {
    const double quiet = group_->quiet[step.index];
    const double fire = group_->fire[step.index] / unit_[step.index];
    for (std::size_t i = 0; i < n; ++i) next[i] = quiet * f[i];
    for (std::size_t i = 0; i < n; ++i) next[n + i] = fire * f[i];
  } else if (step.kind == Kind::cause) {
    const auto& cause = group_->causes[step.index];
    for (std::size_t i = 0; i < n; ++i) next[i] = cause.present * f[i];
    for (const BitLink& link : bits_of(step)) push(next, n, link.bit, link.failure, link.success);
    for (std::size_t i = 0; i < n; ++i) next[i] += cause.absent * f[i];
  } else {
    step.scale = 1;
    double largest = 0;
    for (std::size_t i = 0; i < n / 2; ++i) {
      next[i] = f[insert_on(i, step.bit)];
      largest = std::max(largest, next[i]);
    }
    if (largest < 0x1p-200 && largest > 0) step.scale = std::ldexp(1, -std::ilogb(largest));
    if (step.scale == 1) return;
    log_scale_ += std::log(step.scale);
    for (std::size_t i = 0; i < n / 2; ++i) next[i] *= step.scale;
  }
}

void Quickscore::go_back(const Step& step, double total, GroupPosterior& result) {
  const std::size_t n = std::size_t{1} << step.width;
  const double* f = forward_.data() + step.offset;
  double* b = back_.data();
  if (step.kind == Kind::open) {
    const double quiet = group_->quiet[step.index];
    const double unit = unit_[step.index];
    result.inverse[step.index] = dot(f, b + n, n) / unit / total;
    const double fire = group_->fire[step.index] / unit;
    for (std::size_t i = 0; i < n; ++i) b[i] = quiet * b[i] + fire * b[n + i];
  } else if (step.kind == Kind::cause) {
    const auto& cause = group_->causes[step.index];
    double* pulled = push_.data();
    std::copy_n(b, n, pulled);
    for (const BitLink& link : bits_of(step)) pull(pulled, n, link.bit, link.failure, link.success);
    result.absence[step.index] = std::min(1.0, cause.absent * dot(f, b, n) / total);
    result.posterior[step.index] = std::min(1.0, cause.present * dot(f, pulled, n) / total);
    for (std::size_t i = 0; i < n; ++i) b[i] = cause.absent * b[i] + cause.present * pulled[i];
  } else {
    std::copy_n(b, n / 2, push_.data());
    std::fill_n(b, n, 0.0);
    for (std::size_t i = 0; i < n / 2; ++i) {
      b[insert_on(i, step.bit)] = step.scale * push_[i];
    }
  }
}

void Quickscore::run(GroupPosterior& result) {
  result.resize(group_->causes.size(), group_->n_findings());
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    if (reach_[k] != 0) continue;
    result.posterior[k] = group_->causes[k].present;
    result.absence[k] = group_->causes[k].absent;
  }
  set_units();
  set_links();
  grow(forward_, static_cast<std::size_t>(cells_) + 1);
  grow(back_, std::size_t{1} << width_);
  grow(push_, std::size_t{1} << width_);
  log_scale_ = 0;
  forward_[0] = 1;
  for (Step& step : steps_) go_forward(step);
  const double total = forward_[static_cast<std::size_t>(cells_)];
  result.log_evidence = std::log(total) + log_units_ - log_scale_;
  if (!(total > 0)) return;
  back_[0] = 1;
  for (std::size_t i = steps_.size(); i-- > 0;) go_back(steps_[i], total, result);
}

// ------------------------------------------------------------------------------------- the draws

/// From the states after the cause to those before it. What it switched on is told finding by
/// finding, from F between its links.
void Quickscore::draw_cause(const Step& step, RowRandom& random, std::uint8_t* present) {
  const std::size_t n = std::size_t{1} << step.width;
  const auto& cause = group_->causes[step.index];
  const auto links = bits_of(step);
  const double* f = forward_.data() + step.offset;
  const double* after = f + n;
  grow(push_, (links.size() + 1) * n);
  for (std::size_t i = 0; i < n; ++i) push_[i] = cause.present * f[i];
  for (std::size_t l = 0; l < links.size(); ++l) {
    std::copy_n(push_.data() + l * n, n, push_.data() + (l + 1) * n);
    push(push_.data() + (l + 1) * n, n, links[l].bit, links[l].failure, links[l].success);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    std::uint64_t& state = states_[i];
    present[i] = random.uniform() * after[state] >= cause.absent * f[state] ? 1 : 0;
    if (present[i] == 0) continue;
    for (std::size_t l = links.size(); l-- > 0;) {
      const std::uint64_t place = finding_bit(links[l].bit);
      if ((state & place) == 0) continue;
      const double* before = push_.data() + l * n;
      const double switched = links[l].success * before[state ^ place];
      if (random.uniform() * (switched + before[state]) < switched) state ^= place;
    }
  }
}

void Quickscore::draw(RowRandom& random, std::size_t n, std::vector<std::uint8_t>& present) {
  present.assign(group_->causes.size() * n, 0);
  for (std::size_t k = 0; k < reach_.size(); ++k) {
    if (reach_[k] != 0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      present[k * n + i] = random.bernoulli(group_->causes[k].present) ? 1 : 0;
    }
  }
  states_.assign(n, 0);
  for (std::size_t s = steps_.size(); s-- > 0;) {
    const Step& step = steps_[s];
    if (step.kind == Kind::cause) {
      draw_cause(step, random, present.data() + step.index * n);
    } else if (step.kind == Kind::close) {
      for (std::uint64_t& state : states_) state = insert_on(state, step.bit);
    } else {
      for (std::uint64_t& state : states_) state &= ~finding_bit(step.bit);
    }
  }
}

}  // namespace orrery::model
