// Steps of EM that look again at little of the rows: of each row the causes that a pass over all
// rows found to be likely in it, and the variables that are on. Of a network like QMR-DT twenty of
// 570 causes could have a part in a row, one or two have. What the others contribute stays as that
// pass had it (incremental EM: Neal and Hinton 1998, "A view of the EM algorithm that justifies
// incremental, sparse, and other variants", section 5, sparse EM).
//
// Steps look at a sample of the rows: what all rows said of the network at hand stands, and the
// sample says how that changes from there on. (The expectations under two networks near each other
// differ by little, and so do the errors that a sample makes of both.) The other rows are kept if
// they are to judge the structure once more, or what all rows say is wanted again.
//
// The rows outlive changes of the network's edges, and of its causes if some go.
//
// Rows are kept by their likeliest cause: what a step looks up of a cause, and adds to its sums, is
// in the cache for the next row. (Sums are of integers: no order of rows changes them.)
//
// Cost: a step takes the children of each row's likely causes; an all-reduce of 8 bytes per edge,
// which is what breaks first at 1,000 ranks. Memory: 2 bytes for each variable that is on (or
// missing) in a row with a likely cause (4 of more than 65,536 variables): of all ranks at most
// most_sample_bytes for the sample, and most_active_bytes for all rows.
#pragma once

#include <algorithm>
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

/// Some rows with the same likeliest cause, one after the other: how many causes, variables on,
/// variables missing; which.
struct PackedRows {
  std::uint32_t cause;
  PackedCells cells;
};

/// What one thread has kept of its rows.
class ActiveRows {
 public:
  ActiveRows(std::size_t n_causes, std::size_t n_observed)
      : n_touched(n_causes, 0),
        n_on(n_observed, 0),
        n_missing(n_observed, 0),
        waiting_(n_causes),
        touched_(n_causes) {}

  /// The row that `row` has just evaluated.
  void add(const model::SparsePosterior& row, std::span<const std::uint64_t> missing);
  /// After the last: n_touched is known.
  void end();

  /// Rows that touch a cause, or have a variable on or missing; all rows.
  std::vector<std::uint64_t> n_touched, n_on, n_missing;
  std::uint64_t n_rows = 0;
  std::vector<PackedRows> pieces;

 private:
  void pack(std::uint32_t cause);

  std::vector<std::vector<std::uint32_t>> waiting_;  // by likeliest cause: cells not yet packed
  std::vector<std::uint32_t> causes_;
  BitCounts touched_;
};

/// Of many rows unlikely causes are left out, whichever of them are visited.
[[nodiscard]] model::Candidates candidates_of(const learning::RowPass& rows);

/// What is kept of the rows of a pass.
struct Keep {
  std::uint64_t sample_step = 0;  ///< one block of 256 rows in so many is of the sample; 0: none
  bool others = false;            ///< the rows beside the sample are kept too
};
/// A sample.
[[nodiscard]] Keep keep_sample(const learning::RowPass& rows, const model::NoisyOrNetwork& network);
/// The sample and, unless all rows would take more than most_active_bytes, the others.
[[nodiscard]] Keep keep_all(const learning::RowPass& rows, const model::NoisyOrNetwork& network);

/// What one thread has kept.
struct KeptRows {
  ActiveRows sample, others;
};

/// Expectations under networks near the one that a pass over all rows was made with.
class ActiveExpectation {
 public:
  /// `whole`: what that pass expected, `kept`: what its threads kept. Collective.
  ActiveExpectation(const learning::RowPass& rows, const model::NoisyOrNetwork& network,
                    Expectation whole, std::vector<KeptRows> kept);

  /// By the sample. `network` has the causes and edges of the one before, or of that of follow().
  /// Collective.
  [[nodiscard]] Expectation at(const model::NoisyOrNetwork& network) const;

  /// All rows are kept: the two functions that follow may be called.
  [[nodiscard]] bool is_whole() const noexcept {
    return static_cast<double>(sample_.n_rows + others_.n_rows) == rest_.n_rows;
  }
  /// There are others beside the sample: at_by_all() says more than at().
  [[nodiscard]] bool has_others() const noexcept { return others_.n_rows > 0; }
  /// By all rows, from which the sample goes on then. Collective.
  [[nodiscard]] Expectation at_by_all(const model::NoisyOrNetwork& network);
  /// The same, and what the rows say of edges and causes: missing edges that gain more than
  /// `least_gain`, nothing attributed. Collective.
  [[nodiscard]] SparseExpectation judge(const model::NoisyOrNetwork& network, double least_gain);

  /// From here on networks have the edges of `next`, whose causes are `kept` of those before.
  void follow(const model::NoisyOrNetwork& next, const std::vector<std::size_t>& kept);

 private:
  /// The sample, or the other rows: what this rank has kept; numbers of all ranks.
  struct Rows {
    std::uint64_t n_rows = 0;
    std::vector<std::uint64_t> n_touched, n_on, n_missing;
    std::vector<PackedRows> pieces;
  };
  [[nodiscard]] Rows gathered(std::vector<KeptRows>& kept, ActiveRows KeptRows::*which) const;
  /// Fixed-point sums over some rows; what these say of the structure is added to `structure`
  /// unless it is null.
  [[nodiscard]] std::vector<std::uint64_t> sums_over(const Rows& rows,
                                                     const model::NoisyOrNetwork& network,
                                                     const model::SparseNetwork& prepared,
                                                     StructureSums* structure) const;
  /// Of these sums, each row for `scale` rows.
  [[nodiscard]] static Expectation expected(const model::NoisyOrNetwork& network,
                                            const model::SparseNetwork& prepared,
                                            const Rows& counts,
                                            const std::vector<std::uint64_t>& words, double scale);
  /// Numbers of the sample and the other rows.
  [[nodiscard]] Rows all_counts() const;
  [[nodiscard]] Expectation by_all(const model::NoisyOrNetwork& network, StructureSums* structure);
  [[nodiscard]] double scale() const noexcept {
    return rest_.n_rows / static_cast<double>(std::max<std::uint64_t>(sample_.n_rows, 1));
  }

  const parallel::Team* team_;
  int n_threads_;
  model::Candidates which_;
  Rows sample_, others_;
  std::vector<std::uint32_t> cause_now_;  // by cause of the pass: its number now, or none
  std::vector<model::Edge> edges_;        // of the network at hand
  // What stays: what the pass expected, less that of the sample; and less that of all that is kept.
  Expectation rest_, rest_of_all_;
};

}  // namespace orrery::quartet
