// Purpose: the posterior of hundreds of hidden causes given a row of thousands of variables, of
//          which few are on: what row_posterior.hpp does exactly for fewer.
// Method: Variables that are on name the causes that could have switched them on; those whose odds
//         are below `least_bound` even if they explained all they could are absent. The most
//         probable state of the others is climbed to (best cause in or out, until none gains).
//         A cause stays as it is there if neither turning it nor exchanging it for one that shares
//         a variable reaches `least_flip` times that state; its posterior is then that of turning
//         it alone. The rest fall into groups that share variables, and each group's states are
//         summed (state_sums.hpp).
// Error: against exact sums the log-likelihood of rows of a QMR-like network differs by less than
//        0.001 nats per row in the mean (tests/model/sparse_posterior_test.cpp).
//         A row whose likely causes are known from before is evaluated among them alone.
// Cost: O(edges to variables that are on) + the searches: some 10 us a row of 570 causes, 4,075
//       variables; among known causes O(their children). Memory: 56 bytes per edge, shared by
//       threads.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/state_sums.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

// What the parts of SparsePosterior share.

namespace sparse {

inline constexpr double least_probability = 1e-9;  // of probabilities
inline double inside(double probability) {
  return std::clamp(probability, least_probability, 1 - least_probability);
}

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
  /// No less than log(), by the exponent alone: by 0.7 more at most.
  [[nodiscard]] double most_log() const {
    constexpr double log_two = 0.6931471805599453;
    const auto exponent = static_cast<int>(std::bit_cast<std::uint64_t>(product_) >> 52U) - 1022;
    return log_ + log_two * exponent;
  }

 private:
  double product_ = 1;
  double log_ = 0;
};

}  // namespace sparse

/// A network by its variables; shared by threads.
class SparseNetwork {
 public:
  struct Reach {
    std::uint32_t cause;
    float log_most;  ///< by which its log odds rise when the variable is on, at most
  };
  struct Parent {
    std::uint32_t edge;  ///< in NoisyOrNetwork::edges
    double log_failure;
    double failure;
    double log_gain;  ///< by which the cause makes the variable likelier, beside its leak
  };

  struct Child {
    std::uint32_t observed;
    double log_failure;
    double failure;
    double log_gain;
  };

  explicit SparseNetwork(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_causes() const noexcept { return log_odds_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return quiet_.size(); }
  /// The causes of a variable, and the rest of them in the same order.
  [[nodiscard]] std::span<const Reach> reaches(std::size_t observed) const noexcept {
    return {reaches_.data() + first_parent_[observed], n_parents(observed)};
  }
  [[nodiscard]] std::span<const Parent> parents(std::size_t observed) const noexcept {
    return {parents_.data() + first_parent_[observed], n_parents(observed)};
  }
  /// The variables of a cause; child 0 is edge first_child() of the network.
  [[nodiscard]] std::span<const Child> children(std::size_t cause) const noexcept {
    const std::size_t first = first_child_[cause];
    return {children_.data() + first, first_child_[cause + 1] - first};
  }
  /// Child::observed of each.
  [[nodiscard]] std::span<const std::uint32_t> child_variables(std::size_t cause) const noexcept {
    const std::size_t first = first_child_[cause];
    return {child_variables_.data() + first, first_child_[cause + 1] - first};
  }
  [[nodiscard]] std::size_t first_child(std::size_t cause) const noexcept {
    return first_child_[cause];
  }
  /// The causes of a variable as bits, in so many words; and how many are in the words before each.
  [[nodiscard]] std::size_t n_words() const noexcept { return loud_.size(); }
  [[nodiscard]] const std::uint64_t* parent_bits(std::size_t observed) const noexcept {
    return parent_bits_.data() + observed * n_words();
  }
  [[nodiscard]] const std::uint32_t* parents_before(std::size_t observed) const noexcept {
    return parents_before_.data() + observed * n_words();
  }
  /// 1 - leak, and its logarithm.
  [[nodiscard]] double quiet(std::size_t observed) const noexcept { return quiet_[observed]; }
  [[nodiscard]] double log_quiet(std::size_t observed) const noexcept {
    return log_quiet_[observed];
  }
  /// log P(every variable is off).
  [[nodiscard]] double log_silent() const noexcept { return log_silent_; }
  /// log odds of a cause when all its children are off, log(1 + odds), and its posterior.
  [[nodiscard]] double log_odds(std::size_t cause) const noexcept { return log_odds_[cause]; }
  [[nodiscard]] double log_sum(std::size_t cause) const noexcept { return log_sum_[cause]; }
  [[nodiscard]] double quiet_posterior(std::size_t cause) const noexcept {
    return posterior_[cause];
  }
  /// Bits of the causes whose log_sum() is more than rounding of a log-likelihood.
  [[nodiscard]] std::span<const std::uint64_t> loud() const noexcept { return loud_; }
  /// The least Reach::log_most of all that is on with which a cause is worth a look.
  [[nodiscard]] std::span<const float> least_most() const noexcept { return least_most_; }

 private:
  void list_parents(const NoisyOrNetwork& network);
  void bound_causes();
  [[nodiscard]] std::size_t n_parents(std::size_t observed) const noexcept {
    return first_parent_[observed + 1] - first_parent_[observed];
  }

  std::vector<double> quiet_, log_quiet_;
  std::vector<double> log_odds_, log_sum_, posterior_;
  std::vector<std::size_t> first_parent_;
  std::vector<Reach> reaches_;
  std::vector<Parent> parents_;
  std::vector<std::size_t> first_child_;
  std::vector<Child> children_;
  std::vector<std::uint32_t> child_variables_;
  std::vector<std::uint64_t> parent_bits_, loud_;
  std::vector<std::uint32_t> parents_before_;
  std::vector<float> least_most_;
  double log_silent_ = 0;
};

/// Whether causes that are next to surely absent in the mode (odds below exp(-12)) are candidates
/// still: without them a row takes less.
enum class Candidates : std::uint8_t { all, likely };

/// One thread's scratch and the posterior of the row seen last.
class SparsePosterior {
 public:
  explicit SparsePosterior(const SparseNetwork& network, Candidates which = Candidates::all);

  /// `values`, `missing`: bits of a row (missing may be empty). `values` is 0 where missing.
  void evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);

  /// A row with these variables on and missing as if all causes but `causes` had no part in it.
  /// on() is then of those variables alone that one of `causes` may have switched on, and
  /// log_likelihood() is beyond that of a row with nothing on but what they leave.
  void evaluate_among(std::span<const std::uint32_t> causes, std::span<const std::uint32_t> on,
                      std::span<const std::uint32_t> missing);

  /// Nats.
  [[nodiscard]] double log_likelihood() const noexcept { return log_likelihood_; }
  [[nodiscard]] bool truncated() const noexcept { return truncated_; }
  /// Bits of the causes whose posterior differs from SparseNetwork::quiet_posterior.
  [[nodiscard]] std::span<const std::uint64_t> touched() const noexcept { return touched_; }
  /// P(cause | row). It is 0 for a cause that is touched and neither a candidate nor unseen.
  [[nodiscard]] double posterior(std::size_t cause) const noexcept {
    const bool is_touched = (touched_[cause / 64] >> (cause % 64) & 1U) != 0;
    return is_touched ? posterior_[cause] : network_->quiet_posterior(cause);
  }
  /// Causes that only missing variables touch.
  [[nodiscard]] std::span<const std::uint32_t> unseen() const noexcept { return unseen_causes_; }
  /// Variables that are on and that evaluate_among() left out.
  [[nodiscard]] std::span<const std::uint32_t> alone() const noexcept { return alone_; }
  /// Variables that are on, and E[1 / P(a on | causes)] of each.
  [[nodiscard]] std::span<const std::uint32_t> on() const noexcept { return on_; }
  [[nodiscard]] std::span<const double> inverse() const noexcept { return inverse_; }

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  /// A cause that may have switched something on.
  struct Candidate {
    std::uint32_t cause;
    std::uint32_t first, n;  ///< its edges, in links()
    std::uint64_t mask;  ///< positions in on() modulo 64: without a common bit nothing is shared
    double log_odds;     ///< if it explained nothing
    double posterior;
    std::uint32_t group = none;    ///< one of its group's, if it is not certain
    std::size_t first_shared = 0;  ///< see for_each_unlinked
  };
  struct Link {
    std::uint32_t on;    ///< position in on()
    std::uint32_t edge;  ///< in NoisyOrNetwork::edges
    double failure;
    double shared;  ///< E[u / P(a on | causes)]
  };
  [[nodiscard]] bool is_open(const Candidate& candidate) const noexcept {
    return is_open_[static_cast<std::size_t>(&candidate - candidates_.data())] != 0;
  }
  [[nodiscard]] std::span<const Candidate> candidates() const noexcept { return candidates_; }
  [[nodiscard]] std::span<const Link> links(const Candidate& candidate) const noexcept {
    return std::span(links_).subspan(candidate.first, candidate.n);
  }
  /// Calls visit(variable, E[u / P(variable on | causes)]) for each variable that is on and that
  /// the candidate has no edge to.
  template <class Visit>
  void for_each_unlinked(const Candidate& candidate, const Visit& visit) const {
    const Link* link = links_.data() + candidate.first;
    const Link* const end = link + candidate.n;
    for (std::uint32_t i = 0; i < on_.size(); ++i) {
      if (link != end && link->on == i) {
        ++link;
        continue;
      }
      const bool together = candidate.group != none && owner_[i] == candidate.group;
      visit(on_[i], together ? shared_[candidate.first_shared + place_[i]]
                             : candidate.posterior * inverse_[i]);
    }
  }

 private:
  enum class Role : std::uint8_t { absent, present };
  /// Candidates among the causes of a variable that is on, of one word of them; one of them.
  struct Hits {
    std::uint64_t bits;
    std::uint32_t on, word;
  };
  struct Hit {
    const SparseNetwork::Parent* parent;
    std::uint32_t on, candidate;
  };
  void read_row(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void choose_candidates();
  void choose_where_missing();
  void add_candidate(std::uint32_t cause, double log_odds);
  void forget_causes();
  void link_children(std::uint32_t cause);
  void find_posteriors();
  void find_hits();
  void link_candidates();
  [[nodiscard]] double log_turn(std::size_t k) const;
  [[nodiscard]] double last_log_turn(std::size_t k) const;
  [[nodiscard]] sparse::LogProduct turn_ratio(std::size_t k) const;
  void turn(std::size_t k);
  void turn(std::size_t k, std::vector<double>& turns);
  [[nodiscard]] bool overlap(std::size_t k, std::size_t l) const noexcept {
    return (candidates_[k].mask & candidates_[l].mask) != 0;
  }
  [[nodiscard]] std::size_t best_turn() const;
  void list_gaining();
  void climb();
  [[nodiscard]] bool is_irreplaceable(std::size_t out) const;
  bool exchange(std::size_t out);
  void find_mode();
  void leave_out_unlikely();
  void settle_certain();
  void search_open();
  void search_group(std::uint32_t group);
  void settle_unsearched();
  void share_certain();

  const SparseNetwork* network_;
  Candidates which_;
  double log_likelihood_ = 0;
  bool truncated_ = false;
  std::vector<float> most_;               // by cause: log odds that the row's variables add at most
  std::vector<double> unseen_;            // by cause: log odds that missing variables add
  std::vector<std::uint32_t> candidate_;  // by cause, or none
  std::vector<Hits> word_hits_;           // parents that are candidates
  std::vector<Hit> hits_;                 // the same one by one
  std::vector<std::uint32_t> at_;         // by variable, of evaluate_among: see link_children()
  std::vector<double> posterior_;
  std::vector<std::uint64_t> touched_, is_candidate_;  // by cause: bits
  std::vector<std::uint32_t> on_, alone_, unseen_causes_, chosen_;
  std::vector<double> inverse_, correction_;
  std::vector<double> off_;  // by on(): probability that it stays off in the state at hand
  std::vector<Candidate> candidates_;
  std::vector<Link> links_;
  std::vector<Role> roles_;             // by candidate, in the state at hand
  std::vector<double> turns_;           // by candidate: log ratio of turning it alone in the mode
  std::vector<std::uint8_t> is_open_;   // by candidate: its posterior takes a search
  std::vector<double> most_turns_;      // by candidate: the same with nothing else present, or more
  std::vector<std::uint8_t> is_stale_;  // by candidate: turns_ is a bound
  std::vector<std::uint32_t> gaining_;  // candidates that gain something by turning
  std::vector<double> gains_;           // turns_ in a state near the mode
  std::vector<std::size_t> changed_;
  std::vector<std::uint32_t> owner_;  // by on(): the root of its group, or none
  std::vector<std::uint32_t> place_;  // by on(): its place in its group
  std::vector<std::uint32_t> group_;  // by candidate: a union-find
  std::vector<std::uint32_t> members_, group_on_;
  std::vector<double> shared_;  // group after group, member after member: by place
  StateSearch search_;
};

}  // namespace orrery::model
