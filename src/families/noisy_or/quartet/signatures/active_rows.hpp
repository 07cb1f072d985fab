// Steps of EM that look again at little of the rows: of each row the causes that a pass over all
// rows found to be likely in it, and the variables that are on. Of a network like QMR-DT twenty of
// 570 causes could have a part in a row, one or two have. What the others contribute stays as that
// pass had it (incremental EM: Neal and Hinton 1998, "A view of the EM algorithm that justifies
// incremental, sparse, and other variants", section 5, sparse EM).
//
// The rows outlive changes of the network's edges, and of its causes if some go.
//
// Cost: a step takes the children of each row's likely causes; an all-reduce of 8 bytes per edge,
// which is what breaks first at 1,000 ranks. Memory: 4 bytes for each variable that is on (or
// missing) in a row with a likely cause, at most most_active_cells of all ranks: beyond that every
// second, third ... block of rows is kept, and speaks for the others as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "learning/row_sums.hpp"
#include "model/sparse_posterior.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// What one thread has kept of its rows.
class ActiveRows {
 public:
  ActiveRows(std::size_t n_causes, std::size_t n_observed)
      : n_touched(n_causes, 0), n_on(n_observed, 0), n_missing(n_observed, 0) {}

  /// The row that `row` has just evaluated.
  void add(const model::SparsePosterior& row, std::span<const std::uint64_t> missing);

  /// Rows that touch a cause, or have a variable on or missing; all rows.
  std::vector<std::uint64_t> n_touched, n_on, n_missing;
  std::uint64_t n_rows = 0;
  /// Pieces of row after row: how many causes, variables on, variables missing; which.
  std::vector<std::vector<std::uint32_t>> pieces;
};

/// How many blocks of rows there are for each that is kept.
[[nodiscard]] std::uint64_t active_step(const learning::RowPass& rows,
                                        const model::NoisyOrNetwork& network);

/// Expectations under networks near the one that a pass over all rows was made with.
class ActiveExpectation {
 public:
  /// `whole`: what that pass expected, `kept`: what its threads kept. Collective.
  ActiveExpectation(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                    Expectation whole, std::vector<ActiveRows> kept);

  /// `network` has the causes and edges of the one before, or of that of follow(). Collective.
  [[nodiscard]] Expectation at(const model::NoisyOrNetwork& network) const;

  /// From here on networks have the edges of `next`, whose causes are `kept` of those before.
  void follow(const model::NoisyOrNetwork& next, const std::vector<std::size_t>& kept);

 private:
  [[nodiscard]] Expectation of_active(const model::NoisyOrNetwork& network) const;

  const parallel::Team* team_;
  int n_threads_;
  double scale_ = 1;          // all rows over those kept
  std::uint64_t n_kept_ = 0;  // rows
  std::vector<std::uint64_t> n_touched_, n_on_, n_missing_;
  std::vector<std::vector<std::uint32_t>> pieces_;
  std::vector<std::uint32_t> cause_now_;  // by cause of the pass: its number now, or none
  std::vector<model::Edge> edges_;        // of the network at hand
  Expectation rest_;                      // what stays: whole less that of the rows kept
};

}  // namespace orrery::quartet
