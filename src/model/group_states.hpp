// The states of the causes of one group of findings: all of them, whose sum is the exact evidence
// (CauseEnumeration), and the most probable ones (ExplanationSearch).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/row_groups.hpp"
#include "model/row_likelihood.hpp"

namespace orrery::model {

// Purpose: exact evidence and posteriors of a group with few causes, by all their states.
// Cost: O(2^causes (causes + findings)). Only positive numbers are added: P(a on | causes so far)
// is kept, and on <- (1 - f) + f on, so that no digit is lost; ScaledReal, so that nothing
// underflows.

class CauseEnumeration {
 public:
  [[nodiscard]] static double work(const FindingGroup& group) noexcept;
  /// Fills all of `result`.
  void run(const FindingGroup& group, GroupPosterior& result);

 private:
  void descend(std::size_t k, const ScaledReal& weight);
  void settle(ScaledReal weight);

  const FindingGroup* group_ = nullptr;
  std::vector<double> on_;  // of a finding, a row a depth
  std::vector<std::uint8_t> present_;
  ScaledReal total_;
  std::vector<ScaledReal> posterior_, absence_, inverse_;
};

// Purpose: the most probable states of the causes that could have switched some positive findings
// on. Method: branch and bound from "no cause". A node is a state: the causes included so far, all
//         others absent; its children include one more, and the n-th excludes for good the n - 1
//         before it. log P(a on) has diminishing returns in the causes, so for any share t in
//         [0, 1] a finding's gain from a set J of further causes is at most t times the sum of the
//         gains from each alone plus 1 - t times the gain from all: a state below weighs at most
//           log w + (1 - t) sum_a gain_a(all) + sum_J (log odds_j + t sum_a gain_a(j)),
//         the least of a few t. (t = 1, 0: the two bounds of state_sums.hpp.)
// Cost: O(links) a node; some tens of nodes where a few causes explain the row, 2^causes at worst.
//       Beyond max_nodes the best found so far is given, and proven() is false.

class ExplanationSearch {
 public:
  struct Link {
    std::uint32_t finding;
    double failure;
  };
  struct Cause {
    std::uint32_t cause;  // of the network
    double log_absent;    // log probabilities given the negative findings; may be -infinity
    double log_present;
    std::size_t first_link, end_link;
  };
  /// A state, by its causes' numbers in the network, rising.
  struct State {
    double log_weight;
    std::vector<std::uint32_t> present;
  };
  static constexpr std::size_t max_nodes = 100'000;

  // The problem; filled by the caller, kept between calls.
  std::vector<Cause> causes;
  std::vector<Link> links;
  std::vector<double> leak;  // a finding

  void clear() noexcept {
    causes.clear();
    links.clear();
    leak.clear();
  }
  /// The `top` heaviest states, the heaviest first.
  void run(std::size_t top);
  [[nodiscard]] std::span<const State> best() const noexcept { return best_; }
  [[nodiscard]] bool proven() const noexcept { return proven_; }

 private:
  static constexpr std::size_t n_shares = 5;  // t = 0, 1/4, ..., 1
  struct Open {
    std::uint32_t cause;  // in causes
    double log_odds;
    double gain = 0;  // log P(findings on) with it, minus without
    // Of it and those after it: log P(findings on) with all, and for each t the sum of those of the
    // terms log_odds + t gain that are positive, and the largest.
    double log_reach = 0;
    double sum[n_shares] = {};
    double largest[n_shares] = {};
  };
  struct Depth {
    std::vector<double> on;  // P(a on | included), a finding
    double log_on = 0;
    std::vector<double> reach;
    std::vector<Open> open;
  };

  void visit(std::size_t depth, double log_prior);
  void list_open(std::size_t depth, std::span<const Open> candidates, double log_prior);
  void sum_suffixes(Depth& at) const;
  [[nodiscard]] double bound_below(const Depth& at, std::size_t k, double log_weight) const;
  void include(std::uint32_t cause, const std::vector<double>& on, std::vector<double>& next) const;
  void offer(const Depth& at, double log_weight);
  [[nodiscard]] double threshold() const noexcept;

  std::size_t top_ = 0;
  std::size_t n_nodes_ = 0;
  bool proven_ = true;
  std::vector<State> best_;
  std::vector<std::uint32_t> included_;  // in causes
  std::vector<Depth> depths_;
};

}  // namespace orrery::model
