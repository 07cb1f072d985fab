// Structural expectation propagation over all rows: from a start to a fixed point.
//
// Every rank holds q(G) and q(theta), and the messages of its rows. Cost and memory: messages.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "families/categorical/structural_ep/messages.hpp"
#include "families/categorical/structural_ep/parent_sets.hpp"
#include "learning/row_share.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

/// Where to start from: a parent set a variable, and a state of each cause for each of this rank's
/// rows.
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

class Inference {
 public:
  /// `table` and `rows` must outlive it; `shape` is of the table. `prior`: Dirichlet count.
  Inference(Shape shape, const data::CategoricalTable& table, const learning::RowShare& rows,
            double prior);
  Inference(const Inference&) = delete;
  Inference& operator=(const Inference&) = delete;

  /// Forgets all, and sends messages as if `start` were likely: q(G) gives 0.9 to its sets.
  /// Collective, like all that follows.
  void start(const Start& start);
  /// Sweeps until q(G) rests; returns their number.
  std::size_t iterate(const IterateOptions& options);
  /// Takes these parents for certain, for sweeps with IterateOptions::held_sweeps. The evidence is
  /// then of the data and that structure: it has the prior's -D log(sets) in it. A sweep without
  /// held ones lets go of it.
  void hold_structure(std::vector<std::uint32_t> sets);
  /// The approximate log marginal likelihood, Eqs. (10)-(12), of the messages as they are.
  [[nodiscard]] double log_evidence();

  /// Reconsiders each variable's parents alone: for every set, the variational bound of
  ///   log integral prod_n sum_j q\i(u_k^n = j) theta_{x,j} p(theta) dtheta,
  /// what X_i's values are worth if that set is its parents and all else stays; by `passes`
  /// expectation steps from theta's prior. D x sets. Cost of a pass: N D S.
  /// The structure must be held.
  [[nodiscard]] std::vector<double> structure_bounds(std::size_t passes);
  /// Holds these sets as the parents of these variables, whose messages begin anew as the bounds of
  /// the last call have it.
  void move(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& variable_and_set);

  /// Takes a cause's state in one of this rank's rows for known.
  void hold_cause(std::size_t row, std::size_t cause, std::uint8_t state);
  /// Section 5: holds causes at states with q > `certainty` in rows; returns how many.
  std::size_t hold_causes(double certainty);
  void release_causes();
  /// q(z) of row `row` of this rank: K x J.
  [[nodiscard]] std::vector<double> cause_beliefs(std::size_t row);
  /// Sums over all rows of q(z_k = j) q(z_l = m): (K J) x (K J), and of q(z_k = j).
  struct CauseMoments {
    std::vector<double> single;
    std::vector<double> pair;
  };
  [[nodiscard]] CauseMoments cause_moments();
  /// The most probable state of each cause in each of this rank's rows.
  [[nodiscard]] std::vector<std::vector<std::uint8_t>> cause_states();
  /// The most probable set of each variable.
  [[nodiscard]] std::vector<std::uint32_t> best_sets() const;

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const learning::RowShare& rows() const noexcept { return rows_; }
  [[nodiscard]] const Posterior& posterior() const noexcept { return posterior_; }
  [[nodiscard]] double prior() const noexcept { return prior_; }
  /// Values passed over because of an improper cavity, and rows of parameters begun anew because
  /// their messages added up to something improper; over all sweeps.
  [[nodiscard]] std::uint64_t n_passed_over() const noexcept { return n_passed_over_; }
  [[nodiscard]] std::uint64_t n_improper() const noexcept { return n_improper_; }

 private:
  double sweep(const SweepOptions& options);
  RowView view(std::size_t row);
  RowBeliefs& beliefs(int thread) { return beliefs_[static_cast<std::size_t>(thread)]; }
  double take_structure(std::span<const double> log_messages);
  double take_counts(std::span<const double> sums);
  void keep_only(const RowView& row, std::size_t i, std::uint32_t k, std::span<double> counts);
  void drop_counts(std::size_t i, std::size_t j);
  double share_value(std::span<const double> states, std::size_t i, std::size_t k, std::size_t x,
                     std::span<double> shares) const;
  void share_row(std::size_t row, int thread, std::span<double> counts, std::span<double> scores);
  void expect(std::span<const double> counts, std::span<double> scores);

  Shape shape_;
  const data::CategoricalTable& table_;
  const learning::RowShare& rows_;
  double prior_;
  RowMessages messages_;
  Posterior posterior_;
  std::vector<double>
      log_structure_;  // D x sets: log q(G), of which posterior_ has the exponentials
  std::vector<RowBeliefs> beliefs_;
  std::vector<std::uint32_t> held_;   // the structure, where it is held
  std::vector<double> expectations_;  // exp E[log theta]: D x states x L, of structure_bounds
  std::vector<std::size_t> first_expectation_;
  std::uint64_t n_passed_over_ = 0;
  std::uint64_t n_improper_ = 0;
};

}  // namespace orrery::structural_ep
