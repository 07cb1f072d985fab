// The order in which Quickscore adds causes and lets findings in and out.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "model/quickscore.hpp"

namespace orrery::model {
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

}  // namespace orrery::model
