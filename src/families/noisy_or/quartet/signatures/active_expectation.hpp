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
// Cost: a step takes the children of each row's likely causes; an all-reduce of 8 bytes per edge,
// which is what breaks first at 1,000 ranks. Memory: that of the rows (active_rows.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/refine/expectation.hpp"
#include "families/noisy_or/quartet/signatures/active_rows.hpp"
#include "families/noisy_or/quartet/signatures/sparse_expectation.hpp"
#include "learning/row_sums.hpp"
#include "model/sparse_posterior.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

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
