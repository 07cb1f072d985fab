// Steps of EM that look again at little of the rows: of each row the causes that a pass over all
// rows found to be likely in it, and the variables that are on. Of a network like QMR-DT twenty of
// 570 causes could have a part in a row, one or two have. What the others contribute stays as that
// pass had it (incremental EM: Neal and Hinton 1998, "A view of the EM algorithm that justifies
// incremental, sparse, and other variants", section 5, sparse EM).
//
// The rows outlive changes of the network's edges, and of its causes if some go.
//
// Cost: a step takes the children of each row's likely causes; an all-reduce of 8 bytes per edge,
// which is what breaks first at 1,000 ranks. Memory: 2 bytes for each variable that is on (or
// missing) in a row with a likely cause (4 of more than 65,536 variables), at most
// most_active_bytes of all ranks: beyond that every second, third ... block of rows is kept, and
// speaks for the others as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/fixed_sums.hpp"
#include "learning/row_sums.hpp"
#include "model/sparse_posterior.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Numbers in 16 bits each, unless some are larger.
class PackedCells {
 public:
  explicit PackedCells(std::span<const std::uint32_t> cells);
  /// In place of what `cells` held.
  void unpack(std::vector<std::uint32_t>& cells) const;

 private:
  std::vector<std::uint16_t> narrow_;
  std::vector<std::uint32_t> wide_;
};

struct SparseExpectation;
class StructureSums;

/// What one thread has kept of its rows.
class ActiveRows {
 public:
  ActiveRows(std::size_t n_causes, std::size_t n_observed)
      : n_touched(n_causes, 0), n_on(n_observed, 0), n_missing(n_observed, 0), touched_(n_causes) {}

  /// The row that `row` has just evaluated.
  void add(const model::SparsePosterior& row, std::span<const std::uint64_t> missing);
  /// After the last: n_touched is known.
  void end();

  /// Rows that touch a cause, or have a variable on or missing; all rows.
  std::vector<std::uint64_t> n_touched, n_on, n_missing;
  std::uint64_t n_rows = 0;
  /// Pieces of row after row: how many causes, variables on, variables missing; which.
  std::vector<PackedCells> pieces;

 private:
  void pack();

  std::vector<std::uint32_t> cells_;  // of the piece at hand
  BitCounts touched_;
};

/// Of many rows unlikely causes are left out, whichever of them are visited.
[[nodiscard]] model::Candidates candidates_of(const learning::RowPass& rows);

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

  /// All rows are kept, so that they may judge the structure too.
  [[nodiscard]] bool is_whole() const noexcept {
    return static_cast<double>(n_kept_) == rest_.n_rows;
  }
  /// The same as at(), and what the rows say of edges and causes: missing edges that gain more than
  /// `least_gain`, nothing attributed. Of all rows. Collective.
  [[nodiscard]] SparseExpectation judge(const model::NoisyOrNetwork& network,
                                        double least_gain) const;

  /// From here on networks have the edges of `next`, whose causes are `kept` of those before.
  void follow(const model::NoisyOrNetwork& next, const std::vector<std::size_t>& kept);

 private:
  /// `structure`: what they say of it goes there, unless it is null.
  [[nodiscard]] Expectation of_active(const model::NoisyOrNetwork& network,
                                      StructureSums* structure = nullptr) const;
  void add_rest(Expectation& found) const;

  const parallel::Team* team_;
  int n_threads_;
  model::Candidates which_;
  double scale_ = 1;          // all rows over those kept
  std::uint64_t n_kept_ = 0;  // rows
  std::vector<std::uint64_t> n_touched_, n_on_, n_missing_;
  std::vector<PackedCells> pieces_;
  std::vector<std::uint32_t> cause_now_;  // by cause of the pass: its number now, or none
  std::vector<model::Edge> edges_;        // of the network at hand
  Expectation rest_;                      // what stays: whole less that of the rows kept
};

}  // namespace orrery::quartet
