// Rows kept as what steps of EM look at again: the causes that a pass over all rows found to be
// likely in the row, and the variables that are on.
//
// Rows are kept by their likeliest cause: what a step looks up of a cause, and adds to its sums, is
// in the cache for the next row. (Sums are of integers: no order of rows changes them.)
//
// Memory: 2 bytes for each variable that is on (or missing) in a row with a likely cause (4 of more
// than 65,536 variables): of all ranks at most most_sample_bytes for the sample, and
// most_active_bytes for all rows. While rows come in, 8 KiB per cause and thread beside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace orrery::quartet
