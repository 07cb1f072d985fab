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
//       variables; among known causes O(their children). Memory: that of
//       SparseNetwork, shared by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/sparse_network.hpp"
#include "model/state_sums.hpp"

namespace orrery::model {

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
  /// A variable that is on and one of its causes that is a candidate.
  struct Hit {
    std::uint32_t parent;  ///< of all of the network's
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
  std::vector<Hit> hits_;                 // the first n_hits_
  std::size_t n_hits_ = 0;
  std::vector<std::uint32_t> at_;  // by variable, of evaluate_among: see link_children()
  std::vector<double> posterior_;
  std::vector<std::uint64_t> touched_;  // by cause: bits
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
