// What structural expectation propagation holds: the approximation of all rows.
//
// Every rank holds q(G) and q(theta), and the messages of its rows. Cost and memory: messages.hpp.
// What is done with it has a file per task: sweeps to a fixed point (sweeps.hpp), the evidence
// (evidence.hpp), a variable's parents reconsidered (structure_bounds.hpp), and the causes: what is
// believed of them, and holding them (causes.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/categorical/structural_ep/messages.hpp"
#include "families/categorical/structural_ep/parent_sets.hpp"
#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

class Approximation {
 public:
  /// `table` and `rows` must outlive it; `shape` is of the table. `prior`: Dirichlet count.
  Approximation(Shape shape, const data::CategoricalTable& table, const learning::RowShare& rows,
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

  /// The messages of row `row` of this rank.
  [[nodiscard]] RowView view(std::size_t row);
  /// Room for the beliefs of a row, of one thread.
  [[nodiscard]] RowBeliefs& beliefs(int thread) {
    return beliefs_[static_cast<std::size_t>(thread)];
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
  void keep_only(const RowView& row, std::size_t i, std::uint32_t k, std::span<double> counts);
  void drop_counts(std::size_t i, std::size_t j);

  Shape shape_;
  const data::CategoricalTable& table_;
  const learning::RowShare& rows_;
  double prior_;
  RowMessages messages_;
  Posterior posterior_;
  std::vector<double> log_structure_;
  std::vector<RowBeliefs> beliefs_;
  std::vector<std::uint32_t> held_;
  std::uint64_t n_passed_over_ = 0;
  std::uint64_t n_improper_ = 0;
};

}  // namespace orrery::structural_ep
