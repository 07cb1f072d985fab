// What structural expectation propagation holds: the approximation of all rows. With it: sweeps
// from a start to a fixed point, and the causes, what is believed of them and holding those that
// are sure (section 5).
//
// Every rank holds q(G) and q(theta), and the messages of its rows. Cost and memory: messages.hpp.
// The evidence, and a variable's parents reconsidered: evidence.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "families/categorical/structural_ep/group_update.hpp"
#include "families/categorical/structural_ep/messages.hpp"
#include "learning/row_sums.hpp"

namespace orrery::structural_ep {

class Approximation {
 public:
  /// The table of `observed` and `rows` must outlive it; `shape` is of the table. `prior`:
  /// Dirichlet count.
  Approximation(Shape shape, const WeightedRows& observed, const learning::RowShare& rows,
                double prior);
  Approximation(const Approximation&) = delete;
  Approximation& operator=(const Approximation&) = delete;

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const learning::RowShare& rows() const noexcept { return rows_; }
  [[nodiscard]] double prior() const noexcept { return prior_; }
  [[nodiscard]] const Posterior& posterior() const noexcept { return posterior_; }
  /// D x sets: log q(G), of which posterior() has the exponentials.
  [[nodiscard]] std::span<const double> log_structure() const noexcept { return log_structure_; }
  /// The most probable set of each variable.
  [[nodiscard]] std::vector<std::uint32_t> best_sets() const;

  /// How many rows the `row`-th of this rank stands for.
  [[nodiscard]] double weight(std::size_t row) const noexcept {
    return observed_.weight(rows_.first() + row);
  }
  /// The messages of row `row` of this rank.
  [[nodiscard]] RowView view(std::size_t row);
  /// Room for the beliefs of a row, of one thread.
  [[nodiscard]] RowBeliefs& beliefs(int thread) {
    return beliefs_[static_cast<std::size_t>(thread)];
  }
  /// For the group of rows that begins with `row`.
  struct Group {
    std::array<RowView, row_lanes> views;
    std::array<double, row_lanes> weights{};
    std::size_t n_rows = 0;
  };
  [[nodiscard]] Group group(std::size_t row);
  [[nodiscard]] GroupUpdate& group_update(int thread) {
    return updates_[static_cast<std::size_t>(thread)];
  }

  /// Forgets all messages; q(G) gives `share` to these sets.
  void reset(const std::vector<std::uint32_t>& sets, double share);
  /// q(G) from the logs of all rows' messages, D x sets. Returns its largest change.
  double take_structure(std::span<const double> log_messages);
  /// q(theta) from the sums of all rows' counts. A row of parameters whose messages leave nothing
  /// of its prior begins anew. Returns the largest change of an expected parameter.
  double take_counts(std::span<const double> sums);

  /// Takes these parents for certain, for sweeps with IterateOptions::held_sweeps. The evidence is
  /// then of the data and that structure: it has the prior's -D log(sets) in it. A sweep without
  /// held ones lets go of it. Collective.
  void hold_structure(std::vector<std::uint32_t> sets);
  void release_structure() { held_.clear(); }
  /// Empty where the structure is not held.
  [[nodiscard]] const std::vector<std::uint32_t>& held_structure() const noexcept { return held_; }

  /// Takes a cause's state in one of this rank's rows for known (section 5).
  void hold_cause(std::size_t row, std::size_t cause, std::uint8_t state);
  void release_causes();

  /// Values passed over because of an improper cavity, and rows of parameters begun anew because
  /// their messages added up to something improper; over all sweeps.
  [[nodiscard]] std::uint64_t n_passed_over() const noexcept { return n_passed_over_; }
  [[nodiscard]] std::uint64_t n_improper() const noexcept { return n_improper_; }
  void count_passed_over(std::uint64_t n) noexcept { n_passed_over_ += n; }

 private:
  void keep_only(const RowView& row, std::size_t i, std::uint32_t k, double weight,
                 std::span<double> counts);
  void drop_counts(std::size_t i, std::size_t j);

  Shape shape_;
  WeightedRows observed_;
  const learning::RowShare& rows_;
  double prior_;
  RowMessages messages_;
  Posterior posterior_;
  std::vector<double> log_structure_;
  std::vector<RowBeliefs> beliefs_;
  std::vector<GroupUpdate> updates_;  // one per thread
  std::vector<std::uint32_t> held_;
  std::uint64_t n_passed_over_ = 0;
  std::uint64_t n_improper_ = 0;
};

// ---- sweeps

// Sweeps of expectation propagation over all rows: from a start to a fixed point.

/// Where to start from: a parent set per variable, and a state of each cause for each of this
/// rank's rows.
struct Start {
  std::vector<std::uint32_t> sets;                ///< D
  std::vector<std::vector<std::uint8_t>> states;  ///< K x rows of this rank
};

struct IterateOptions {
  Projection projection = Projection::mean_log;
  double damping = .5;
  std::size_t held_sweeps = 3;  ///< with q(G) as the start has it
  std::size_t max_sweeps = 200;
  /// Largest change of a q(G_i = k), or of an E[theta] where q(G) is always held, three times in a
  /// row.
  double tolerance = 1e-4;
  /// Asked after each sweep, if set: false ends the run (the time is over). Collective.
  std::function<bool()> go_on;
};

/// Forgets all, and sends messages as if `start` were likely: q(G) gives 0.9 to its sets.
/// Collective.
void begin_from(const Start& start, Approximation& approximation);
/// Sweeps until q(G) rests; returns their number. Collective.
std::size_t iterate(Approximation& approximation, const IterateOptions& options);

// ---- the causes

// The causes of all rows: what is believed of them, and holding those that are sure (section 5).

/// Sums over all rows of q(z_k = j) q(z_l = m): (K J) x (K J), and of q(z_k = j).
struct CauseMoments {
  std::vector<double> single;
  std::vector<double> pair;
};
/// Collective.
[[nodiscard]] CauseMoments cause_moments(Approximation& approximation);
/// The most probable state of each cause in each of this rank's rows.
[[nodiscard]] std::vector<std::vector<std::uint8_t>> cause_states(Approximation& approximation);
/// Section 5: holds causes at states with q > `certainty` in rows; returns how many. Collective.
std::size_t hold_causes(Approximation& approximation, double certainty);

}  // namespace orrery::structural_ep
