// What a row says of a tree of binary variables that a noisy channel hides: its probability, and
// the hidden values given it. Values that are missing are summed out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::model {

/// A value of a row: off (the sign -1), on (+1), or not known.
enum class Reading : std::uint8_t { off, on, missing };

/// Readings of a row that is bits: bit i of word w is variable 64 w + i. `missing` may be empty.
void read_bits(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
               std::span<Reading> readings) noexcept;

/// Tables of the hidden values and of the channel as logarithms; shared by threads.
class TreeChannel {
 public:
  /// `crossover`: the probability that a value is observed as its opposite, in [0, 0.5).
  TreeChannel(TreeTables tables, double crossover);
  explicit TreeChannel(const SignTree& tree) : TreeChannel(tables_of(tree), tree.crossover()) {}

  [[nodiscard]] std::size_t n_variables() const noexcept { return tables_.n_variables(); }
  [[nodiscard]] const TreeTables& tables() const noexcept { return tables_; }
  /// log P(value | value of the parent), as ConditionalTable; -infinity: never.
  [[nodiscard]] const ConditionalTable& log_given(std::size_t i) const noexcept {
    return log_given_[i];
  }
  /// log P(what is observed of a variable | hidden value).
  [[nodiscard]] double log_observed(Reading reading, std::size_t hidden) const noexcept {
    return log_observed_[static_cast<std::size_t>(reading)][hidden];
  }

 private:
  TreeTables tables_;
  std::vector<ConditionalTable> log_given_;
  std::array<std::array<double, 2>, 3> log_observed_{};
};

/// Sum-product on the hidden tree for one row after another; a thread's own. O(p) a row, in
/// logarithms of numbers that are scaled at every variable: stable at any p.
class TreeInference {
 public:
  /// The channel must outlive it.
  explicit TreeInference(const TreeChannel& channel);

  /// log P(row), nats; -infinity: the row cannot be. One upward pass.
  double log_evidence(std::span<const Reading> row) noexcept;
  /// After log_evidence of the same row, which must not be -infinity: P(X_i = +1 | row) of each
  /// variable. One downward pass. Valid until the next call.
  std::span<const double> posterior() noexcept;

 private:
  using Pair = std::array<double, 2>;
  [[nodiscard]] Pair to_parent(std::size_t i) const noexcept;

  const TreeChannel& channel_;
  std::vector<Pair> below_;  // log P(readings of i and below | value of i), the greater one 0
  std::vector<Pair> sent_;   // what of it goes to the parent: the same given the parent's value
  std::vector<Pair> all_;    // log P(value of i, all readings), the greater one 0
  std::vector<double> posterior_;
};

/// Mean log P(row) in nats over all rows, by the OpenMP threads of the caller: the same bits for
/// any number of them. Throws InputError if the data have another number of variables or no row.
double mean_log_likelihood(const TreeChannel& channel, const data::SampleMatrix& samples);

}  // namespace orrery::model
