// EM of a noisy-OR network of causes that depend on one another: all parameters and the network of
// the causes at once.
//
// E-step: what rows expect of causes, pairs of causes and edges. Sums lie in one vector, so that
// the sums of parts of the rows can be added and taken away. The first pass over the rows searches
// each row for the states of the causes that weigh most (a Beam), and so do every eighth and the
// last; the others sum the states that were found. Cost: a search per row, or a tenth of it where
// its states were found before, and for each state that is kept a division per variable that is on.
// Memory: a byte for eight causes of a state, at most `most_bytes_of_states` on all ranks together.
//
// M-step:
//
//   1 - failure   E[rows in which c switched a on] / rows with the cause on and a seen
//   leak          as in em.hpp
//   causes        learn_graph of the expected pairs: a forest, learned anew with every step; with
//                 second parents, learned in the first pass, whose probabilities every step sets
//                 anew
//
// Incremental (Neal and Hinton 1998): after a first pass there is an M-step for each part of the
// rows, whose sums take the place of those that it had in the pass before. Cost: a pass over the
// rows an iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/growth/cause_graph.hpp"
#include "families/noisy_or/quartet/growth/grown.hpp"
#include "learning/row_sums.hpp"
#include "model/row_likelihood.hpp"
#include "model/state_beam.hpp"

namespace orrery::quartet {

/// Where each sum over rows is.
struct SumPlaces {
  std::size_t n_causes, n_observed;
  bool may_miss;
  bool with_losses = false;
  bool with_triples = false;

  static constexpr std::size_t log_likelihood = 0;
  static constexpr std::size_t n_rows = 1;
  static constexpr std::size_t n_truncated = 2;
  /// logarithms of the share of each row's likelihood that the states have which a search kept
  static constexpr std::size_t log_left_out = 3;
  std::size_t present = 4;                    ///< K: E[cause on]
  std::size_t together = present + n_causes;  ///< pairs of causes, see pair_index
  /// m: E[1 / P(a on | causes)] of rows with a on
  std::size_t inverse = together + n_causes * (n_causes > 0 ? n_causes - 1 : 0) / 2;
  std::size_t shared = inverse + n_observed;             ///< K x m: the same, with the cause on
  std::size_t missing = shared + n_causes * n_observed;  ///< m: rows in which a is missing
  std::size_t unseen = missing + (may_miss ? n_observed : 0);  ///< K x m: E[cause on] of those
  /// K x m: what the log likelihood loses without the edge, all else as it is
  std::size_t loss = unseen + (may_miss ? n_causes * n_observed : 0);
  /// K: what it loses with the cause on nowhere, but for n_rows log P(cause off)
  std::size_t cause_loss = loss + (with_losses ? n_causes * n_observed : 0);
  std::size_t triples = cause_loss + (with_losses ? n_causes : 0);  ///< see triple_index
  std::size_t end = triples + (with_triples ? triple_index(0, 1, n_causes) : 0);
};

/// A row of a pass.
struct WeightedRow {
  std::span<const std::uint64_t> values;   ///< 0 where missing
  std::span<const std::uint64_t> missing;  ///< may be empty
  double weight;                           ///< it stands for so many rows
  std::size_t block;                       ///< the number of its block
  std::size_t place;                       ///< in the block
};

/// Evaluates a row.
using EvaluateRow = std::function<void(model::Beam& beam, const WeightedRow& row)>;

/// One thread's way through rows.
class RowExpectation {
 public:
  RowExpectation(const model::BeamNetwork& network, const model::BeamOptions& options,
                 const SumPlaces& at);
  void add(const WeightedRow& row, const EvaluateRow& evaluate, std::span<double> sums);

 private:
  void add_losses(double weight, std::uint64_t touched, std::span<double> sums);
  void add_cause_losses(double weight, std::uint64_t touched, std::span<double> sums);

  model::Beam beam_;
  SumPlaces at_;
  std::vector<double> present_, absent_;
  std::vector<bool> is_on_;
  data::AlignedVector<double> inverse_, shared_;
};

/// Rows in parts, and the parts in blocks.
class PartedRows {
 public:
  PartedRows() = default;
  PartedRows(const PartedRows&) = delete;
  PartedRows& operator=(const PartedRows&) = delete;
  virtual ~PartedRows() = default;
  [[nodiscard]] virtual std::size_t n_parts() const = 0;
  [[nodiscard]] virtual double n_rows() const = 0;
  [[nodiscard]] virtual bool may_miss() const = 0;
  [[nodiscard]] virtual int n_threads() const = 0;
  /// Of all parts.
  [[nodiscard]] virtual std::size_t n_blocks() const = 0;
  /// Adds what a row contributes to `sums`, which are 0 at first. `thread` < n_threads().
  using Work = std::function<void(const WeightedRow& row, int thread, std::span<double> sums)>;
  /// n_sums sums over the rows of a part. A thread goes through a block from its first row on; a
  /// rank visits the same blocks each time.
  [[nodiscard]] virtual std::vector<double> sum(std::size_t part, std::size_t n_sums,
                                                const Work& work) const = 0;
};

/// All rows of the samples, by ranks and threads; equal rows once where they are in memory and
/// repeat each other. Collective.
class AllRows final : public PartedRows {
 public:
  explicit AllRows(const learning::RowPass& rows);
  [[nodiscard]] std::size_t n_parts() const override { return n_parts_; }
  [[nodiscard]] double n_rows() const override { return n_rows_; }
  /// Rows that differ, where equal ones were merged; else all.
  [[nodiscard]] const learning::RowPass& distinct() const { return *pass_; }
  /// How often each of distinct() occurs; empty: once.
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }
  [[nodiscard]] bool may_miss() const override { return pass_->may_miss(); }
  [[nodiscard]] int n_threads() const override { return pass_->n_threads(); }
  [[nodiscard]] std::size_t n_blocks() const override { return pass_->n_blocks_of_samples(); }
  [[nodiscard]] std::vector<double> sum(std::size_t part, std::size_t n_sums,
                                        const Work& work) const override;

 private:
  void merge_equal_rows(const learning::RowPass& rows);

  double n_rows_;
  data::SampleMatrix distinct_;
  std::vector<double> weights_;
  std::optional<learning::RowPass> pass_;
  std::size_t n_parts_ = 1;
};

/// Some thousand rows in memory, by one thread: rows of a trial.
class TrialRows final : public PartedRows {
 public:
  /// The rows of `rows`, each `weights` times (empty: once), at every rank. Memory: 100 bytes a
  /// variable and row while it is made. Collective.
  TrialRows(const learning::RowPass& rows, const std::vector<double>& weights,
            std::size_t n_observed, std::size_t n_parts);
  [[nodiscard]] std::size_t n_parts() const override { return n_parts_; }
  [[nodiscard]] double n_rows() const override { return n_rows_; }
  [[nodiscard]] bool may_miss() const override { return may_miss_; }
  [[nodiscard]] int n_threads() const override { return 1; }
  [[nodiscard]] std::size_t n_blocks() const override { return n_parts_; }
  [[nodiscard]] std::vector<double> sum(std::size_t part, std::size_t n_sums,
                                        const Work& work) const override;

 private:
  bool may_miss_;
  double n_rows_ = 0;
  std::size_t n_parts_;
  model::RowPatterns patterns_;
  std::vector<double> weights_;  // of the patterns
};

struct GrownFitOptions {
  int passes = 4;        ///< with the first; at most
  double tolerance = 0;  ///< stops when a pass gains less, nats over all rows
  EdgePrice tie_price;   ///< of an edge among the causes
  bool second_parents = false;
  /// A step goes so much further than EM's, in logarithms of strengths (Salakhutdinov and Roweis
  /// 2003).
  double stride = 1.5;
  model::BeamOptions beam;
  std::function<void()> pause;  ///< called before each part, if set
};

struct GrownFit {
  Grown grown;
  double log_likelihood = 0;  ///< by the parameters with which each part was seen last
  double n_truncated = 0;
};

/// EM from `start`.
GrownFit fit(const PartedRows& rows, Grown start, const GrownFitOptions& options);
/// All sums over all rows.
std::vector<double> expect(const PartedRows& rows, const Grown& grown,
                           const model::BeamOptions& options, const SumPlaces& at);
/// The log likelihood of all rows.
double log_likelihood(const PartedRows& rows, const Grown& grown,
                      const model::BeamOptions& options);

}  // namespace orrery::quartet
