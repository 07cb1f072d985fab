// Purpose: the posterior of the hidden causes given a row, and the row's likelihood.
// Source: Heckerman 1989 for the factorisation (variables that are off factor over the causes);
//         state_sums.hpp for what remains: causes that share a variable that is on.
// Method: only a cause with a child that is on ("touched") differs from its posterior in a silent
//         row. A touched cause whose odds are below the tolerance even if it explained all it could
//         is absent. The others fall into groups that share variables; each group is searched
//         alone. Where a table of all states pays, the row is looked up in it instead, as one group
//         of all causes.
// Cost: O(n m / 64 + edges to variables that are on) + the searches. No allocation once warm.
// Memory: 28 n m bytes and the table, shared by threads.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/state_sums.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// A network as rows need it; shared by threads.
class PosteriorNetwork {
 public:
  struct Parent {
    std::uint32_t cause;
    std::uint32_t edge;  ///< in NoisyOrNetwork::edges
  };
  /// An edge from its cause's side; in rows of n_observed() for each cause.
  struct Child {
    double log_failure = 0;
    double gain = 0;  ///< log of the most that the cause can do for the variable: P(on | it) / leak
  };
  static constexpr std::uint32_t no_edge = ~std::uint32_t{0};

  explicit PosteriorNetwork(const NoisyOrNetwork& network);
  /// With a table of all states if that pays for so many rows.
  PosteriorNetwork(const NoisyOrNetwork& network, std::uint64_t n_rows, bool may_miss);

  [[nodiscard]] std::size_t n_causes() const noexcept { return log_odds_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return leak_.size(); }
  [[nodiscard]] std::span<const Parent> parents(std::size_t observed) const noexcept {
    return {parents_.data() + first_parent_[observed],
            first_parent_[observed + 1] - first_parent_[observed]};
  }
  [[nodiscard]] const Child* children(std::size_t cause) const noexcept {
    return children_.data() + cause * n_observed();
  }
  /// Of a cause by variable; 1 where there is no edge.
  [[nodiscard]] const double* failures(std::size_t cause) const noexcept {
    return failure_.data() + cause * n_observed();
  }
  /// Numbers in NoisyOrNetwork::edges by variable, or no_edge.
  [[nodiscard]] const std::uint32_t* edges(std::size_t cause) const noexcept {
    return edge_.data() + cause * n_observed();
  }
  /// A row's words, 1 where the variable is a child.
  [[nodiscard]] std::size_t n_words() const noexcept { return (n_observed() + 63) / 64; }
  [[nodiscard]] const std::uint64_t* child_bits(std::size_t cause) const noexcept {
    return child_bits_.data() + cause * n_words();
  }
  [[nodiscard]] double leak(std::size_t observed) const noexcept { return leak_[observed]; }
  /// log P(every variable is off).
  [[nodiscard]] double log_silent() const noexcept { return log_silent_; }
  [[nodiscard]] double log_leak(std::size_t observed) const noexcept { return log_leak_[observed]; }
  [[nodiscard]] double log_quiet(std::size_t observed) const noexcept {
    return log_quiet_[observed];
  }
  /// log odds of a cause when all its children are off.
  [[nodiscard]] double log_odds(std::size_t cause) const noexcept { return log_odds_[cause]; }
  /// log(1 + odds) of the same.
  [[nodiscard]] double log_sum(std::size_t cause) const noexcept { return log_sum_[cause]; }
  /// P(cause | every variable is off).
  [[nodiscard]] double quiet_posterior(std::size_t cause) const noexcept { return quiet_[cause]; }
  [[nodiscard]] const std::optional<StateTable>& table() const noexcept { return table_; }

 private:
  std::vector<double> leak_, log_leak_, log_quiet_;
  std::vector<double> log_odds_, log_sum_, quiet_;
  std::vector<std::size_t> first_parent_;
  std::vector<Parent> parents_;
  std::vector<Child> children_;
  std::vector<double> failure_;
  std::vector<std::uint32_t> edge_;
  std::vector<std::uint64_t> child_bits_;
  std::optional<StateTable> table_;
  double log_silent_ = 0;
};

/// The states of the causes that matter in some rows, as searches under one network found them.
/// Under a network with the same edges and similar parameters their sums are close to those of a
/// new search, which takes several times as long.
///
/// Memory: two bytes per state and per cause of a row's groups, and three per group.
class RowStates {
 public:
  /// Rows that find no room in so many bytes are searched again.
  explicit RowStates(std::size_t most_bytes = 0) : most_bytes_(most_bytes) {}

 private:
  friend class RowPosterior;
  /// The bytes of a row: one, then for each group the number of its causes, the causes (two bytes
  /// each), the number of its steps (two bytes), and depth and cause of each step. None: it is
  /// searched again.
  [[nodiscard]] std::span<const std::uint8_t> row(std::size_t r) const {
    if (r + 1 >= ends_.size()) return {};
    return std::span(bytes_).subspan(ends_[r], ends_[r + 1] - ends_[r]);
  }

  std::size_t most_bytes_;
  std::vector<std::uint32_t> ends_{0};
  std::vector<std::uint8_t> bytes_;
};

/// One thread's scratch and the posterior of the row seen last.
class RowPosterior {
 public:
  /// States below `tolerance` times the heaviest are left out; 0: none.
  RowPosterior(const PosteriorNetwork& network, double tolerance);

  /// `values`, `missing`: bits of a row (missing may be empty). `values` is 0 where missing.
  void evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  /// The same by a search, and adds the states found to `states` as those of its next row.
  void evaluate(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
                RowStates& states);
  /// Sums the states of row number `r` of `states` alone, if they are there, instead of a search.
  void follow(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
              const RowStates& states, std::size_t r);
  /// Logarithm of the share of the weights of all states that those added to `states` have, of the
  /// row seen last.
  [[nodiscard]] double log_share_kept() const noexcept { return log_share_kept_; }

  /// Nats; -infinity if the row is impossible.
  [[nodiscard]] double log_likelihood() const noexcept { return log_likelihood_; }
  [[nodiscard]] bool truncated() const noexcept { return truncated_; }
  /// States of the causes that were looked below: what the row took.
  [[nodiscard]] std::size_t n_states() const noexcept { return n_states_; }
  /// Causes whose posterior differs from quiet_posterior().
  [[nodiscard]] std::span<const std::uint32_t> touched() const noexcept { return touched_; }
  /// P(cause | row).
  [[nodiscard]] double posterior(std::size_t cause) const noexcept {
    return is_touched_[cause] != 0 ? posterior_[cause] : network_->quiet_posterior(cause);
  }
  /// Variables that are on, and E[1 / P(a on | causes)] of each.
  [[nodiscard]] std::span<const std::uint32_t> on() const noexcept { return on_; }
  [[nodiscard]] std::span<const double> inverse() const noexcept { return inverse_; }

  /// Causes and variables that are not independent given the row.
  struct Group {
    std::size_t first_cause, n_causes;  ///< in group_causes()
    std::size_t first_on, n_on;         ///< in group_on(): positions in on()
    std::size_t first_shared;           ///< in shared(), n_causes x n_on
  };
  [[nodiscard]] std::span<const Group> groups() const noexcept { return groups_; }
  [[nodiscard]] std::span<const std::uint32_t> group_causes(const Group& group) const noexcept {
    return std::span(group_causes_).subspan(group.first_cause, group.n_causes);
  }
  [[nodiscard]] std::span<const std::uint32_t> group_on(const Group& group) const noexcept {
    return std::span(group_on_).subspan(group.first_on, group.n_on);
  }
  /// E[u_U / P(a on | causes)] of the group's cause number k, by its variables.
  [[nodiscard]] std::span<const double> shared(const Group& group, std::size_t k) const noexcept {
    return std::span(shared_).subspan(group.first_shared + k * group.n_on, group.n_on);
  }
  /// Calls visit(edge, value of shared()) for each edge of the group's cause number k to a variable
  /// that is on.
  template <class Visit>
  void for_each_edge(const Group& group, std::size_t k, const Visit& visit) const {
    const std::uint32_t cause = group_causes_[group.first_cause + k];
    const double* values = shared_.data() + group.first_shared + k * group.n_on;
    const std::uint32_t* edges = network_->edges(cause);
    const std::uint64_t* bits = on_children(cause);
    for (std::size_t w = 0; w < network_->n_words(); ++w) {
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) {
        const std::size_t a = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
        visit(edges[a], values[place_[a]]);
      }
    }
  }

 private:
  [[nodiscard]] const std::uint64_t* on_children(std::size_t cause) const noexcept {
    return on_children_.data() + cause * network_->n_words();
  }
  void read_variables(std::span<const std::uint64_t> values,
                      std::span<const std::uint64_t> missing);
  /// Candidates are causes likely enough, or those that are followed.
  void touch_causes(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void settle_alone(std::uint32_t cause, double log_odds);
  void clear_groups();
  void form_groups();
  bool join(std::size_t k);
  void close_group();
  void settle_leaked(std::span<const std::uint64_t> values);
  void begin(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void make_room();
  void look_up(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void prepare_search(const Group& group);
  void take_results(const Group& group);
  bool note_group(const Group& group, RowStates& states);
  void read_groups(std::span<const std::uint8_t> bytes);

  const PosteriorNetwork* network_;
  double tolerance_;
  double least_log_odds_;
  double log_likelihood_ = 0;
  bool truncated_ = false;
  std::size_t n_states_ = 0;
  std::vector<std::uint32_t> on_, touched_;
  std::vector<double> inverse_, posterior_;
  std::vector<std::uint8_t> is_touched_;
  std::vector<std::uint64_t> on_children_;  // by cause: its children that are on
  std::vector<std::uint32_t> position_;     // by variable that is on: its place in on_
  std::vector<std::uint32_t> place_;        // the same: its place in its group
  struct Candidate {
    double log_most;  // its log odds if it explained all it could
    double log_odds;  // if it explained nothing
    std::uint32_t cause;
    bool grouped;
  };
  std::vector<Candidate> candidates_;   // the likeliest first
  std::vector<std::uint64_t> reach_;    // variables of the group at hand
  std::vector<std::uint64_t> grouped_;  // variables of all groups
  std::vector<std::uint32_t> members_;  // candidates of the group at hand
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_causes_, group_on_;
  std::vector<double> group_odds_, shared_;
  StateSearch search_;
  std::optional<StateSums> sums_;  // of the row, if there is a table
  double log_share_kept_ = 0;
  bool follows_ = false;                      // states that were found before
  std::vector<std::uint8_t> is_followed_;     // by cause: it is of a group that is followed
  std::vector<std::uint32_t> followed_;       // such causes
  std::vector<std::uint32_t> candidate_at_;   // by such cause: its place in candidates_
  std::vector<std::size_t> number_in_group_;  // by cause of a group: its number among those noted
  std::vector<std::size_t> group_sizes_;      // by group that is followed: its causes
  std::vector<std::span<const std::uint8_t>> paths_;  // the same: its steps
};

}  // namespace orrery::model
