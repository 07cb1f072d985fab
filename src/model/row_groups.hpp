// Purpose: a row in the parts that need a sum over states (FindingGroup) and all that factors.
// Source: Heckerman 1989: negative findings factor over the causes.
// Cost: O(edges to positive or missing findings).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/model/inference.hpp"

namespace orrery::model {

/// What is left of a row once everything that factors is summed out: positive findings and the
/// causes that two or more of them share. Negative findings are in the causes' odds, causes with a
/// single positive finding in that finding's leak.
///
///   symbol                                                code
///   P(U on | the row's negative findings)                 present, absent = 1 - present
///   prod (1 - P(on by itself)) over leak and lone causes  quiet
///   1 - that, from sums of positive numbers               fire
///   f_{U,a}                                               Link::failure
struct FindingGroup {
  struct Link {
    std::uint32_t finding = 0;  // of the group
    double failure = 0;
  };
  struct Cause {
    std::uint32_t cause = 0;  // of the network
    double present = 0;
    double absent = 0;
    std::size_t first_link = 0;
    std::size_t end_link = 0;
  };
  std::vector<double> quiet;  // a finding
  std::vector<double> fire;   // the same
  std::vector<Cause> causes;
  std::vector<Link> links;  // by cause

  [[nodiscard]] std::size_t n_findings() const noexcept { return quiet.size(); }
  [[nodiscard]] std::span<const Link> links_of(const Cause& cause) const noexcept {
    return {links.data() + cause.first_link, cause.end_link - cause.first_link};
  }
  void clear() noexcept {
    quiet.clear();
    fire.clear();
    causes.clear();
    links.clear();
  }
};

/// What a row asks of a group. `inverse` of finding a is E[1 / P(a on | causes)]: all that the lone
/// causes of a need. Errors are 0 where it is exact.
struct GroupPosterior {
  double log_evidence = 0;  // nats, of the positive findings; -infinity if impossible
  double log_evidence_error = 0;
  std::vector<double> posterior, posterior_error;  // a cause
  std::vector<double> absence;  // the same: 1 - posterior, with all its digits where that is small
  std::vector<double> inverse, inverse_error;  // a finding
  double effective_samples = 0;                // 0: exact

  void resize(std::size_t n_causes, std::size_t n_findings) {
    log_evidence = log_evidence_error = effective_samples = 0;
    posterior.assign(n_causes, 0);
    posterior_error.assign(n_causes, 0);
    absence.assign(n_causes, 1);
    inverse.assign(n_findings, 1);
    inverse_error.assign(n_findings, 0);
  }
};

/// One thread's scratch; allocates nothing once warm.
class RowGroups {
 public:
  /// A cause with a child that is positive or missing. Probabilities are given its negative ones.
  struct Touched {
    std::uint32_t cause = 0;
    double log_sum = 0;  // log(P(absent) + P(present, its negative findings))
    double present = 0;
    double absent = 0;
    std::size_t first_link = 0;  // in links(): its positive findings
    std::size_t end_link = 0;
    [[nodiscard]] std::size_t n_links() const noexcept { return end_link - first_link; }
  };

  explicit RowGroups(const InferenceNetwork& network);

  /// Fills all below; stops early if the row contradicts the network.
  void read(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);

  [[nodiscard]] const std::optional<RowInference::Contradiction>& contradiction() const noexcept {
    return contradiction_;
  }
  /// log P(row) without the groups.
  [[nodiscard]] double log_factored() const noexcept { return log_factored_; }
  /// Variables that are on; "finding" below is a place in this list.
  [[nodiscard]] std::span<const std::uint32_t> positives() const noexcept { return positives_; }
  [[nodiscard]] std::span<const Touched> touched() const noexcept { return touched_; }
  [[nodiscard]] std::span<const FindingGroup::Link> links(const Touched& cause) const noexcept {
    return {links_.data() + cause.first_link, cause.n_links()};
  }
  /// P(finding on), and off, by its leak and its lone causes.
  [[nodiscard]] double fire(std::size_t finding) const noexcept { return fire_[finding]; }

  [[nodiscard]] std::size_t n_groups() const noexcept { return n_groups_; }
  [[nodiscard]] const FindingGroup& group(std::size_t g) const noexcept { return groups_[g]; }
  /// Of a group's finding number l: the finding.
  [[nodiscard]] std::span<const std::uint32_t> findings(std::size_t g) const noexcept {
    return {group_findings_.data() + first_finding_[g], first_finding_[g + 1] - first_finding_[g]};
  }
  /// Findings of no group: nothing but their leak and lone causes is behind them.
  [[nodiscard]] bool is_alone(std::size_t finding) const noexcept {
    return group_of_[finding] == none;
  }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  struct RawLink {
    std::uint32_t slot;  // in touched_
    std::uint32_t finding;
    double failure;
  };

  void touch_parents(std::uint32_t observed, std::uint32_t finding);
  void settle_touched();
  void sort_links();
  void settle_lone_causes();
  [[nodiscard]] std::uint32_t root_of(std::uint32_t finding);
  void form_groups();
  void fill_groups();
  [[nodiscard]] bool in_group(const Touched& cause) const noexcept {
    return cause.n_links() > 1 && cause.present > 0;
  }
  void require_no_certain_leak(std::span<const std::uint64_t> values,
                               std::span<const std::uint64_t> missing);
  void blame_certain_child(std::uint32_t cause, std::span<const std::uint64_t> values,
                           std::span<const std::uint64_t> missing);

  const InferenceNetwork* network_;
  std::optional<RowInference::Contradiction> contradiction_;
  double log_factored_ = 0;
  std::vector<std::uint32_t> positives_;
  std::vector<std::uint32_t> slot_of_;  // a cause; none
  std::vector<Touched> touched_;
  std::vector<InferenceNetwork::CauseWeights> weights_;  // as touched_
  std::vector<RawLink> raw_links_;
  std::vector<FindingGroup::Link> links_;
  std::vector<double> quiet_, fire_;     // a finding
  std::vector<std::uint32_t> joined_;    // union-find over findings
  std::vector<std::uint32_t> group_of_;  // a finding
  std::vector<std::uint32_t> local_;     // a finding: its number in its group
  std::vector<FindingGroup> groups_;     // the first n_groups_ are in use
  std::size_t n_groups_ = 0;
  std::vector<std::uint32_t> group_findings_;
  std::vector<std::size_t> first_finding_;
};

}  // namespace orrery::model
