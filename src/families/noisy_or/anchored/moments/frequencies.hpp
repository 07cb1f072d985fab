// How often columns are on together: of all rows, and of all rows but one group (for the
// jackknife), or of a network, exactly.
//
// Rows are in at most 32 groups, every 32nd word of 64 rows in one: by the number of rows alone.
// Cost of a count: products x columns x N / 64 words, by the kernels' 8 x 8 tiles; the products of
// a unit are formed as they are needed. Memory: 33 counts a product and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/observations.hpp"

namespace orrery::anchored {

/// A column to count: an observed variable, a label that is on, a label that is there, or every
/// row.
struct Column {
  enum class Kind : std::uint8_t { observed, label_on, labelled, every_row } kind = Kind::observed;
  std::uint32_t index = 0;
  bool operator==(const Column&) const = default;
};

/// Columns that are all on together; empty: every row.
using Product = std::vector<Column>;

/// A view is 0, all rows, or 1 + g: all rows but group g. Exact moments have view 0 alone.
class Frequencies {
 public:
  /// Counts by the calling thread.
  Frequencies(const Observations& observed, std::span<const Product> products,
              std::span<const Column> columns);

  [[nodiscard]] std::size_t n_views() const noexcept { return rows_.size(); }
  /// P(all of the product and the column are on), columns.size() stands for "the product alone".
  [[nodiscard]] double on(std::size_t view, std::size_t product, std::size_t column) const noexcept;
  [[nodiscard]] double alone(std::size_t view, std::size_t product) const noexcept {
    return on(view, product, n_columns_);
  }

 private:
  std::size_t n_products_;
  std::size_t n_columns_;
  std::vector<double> rows_;    // of a view; 1 if exact
  std::vector<double> counts_;  // view x product x (column + 1)
};

/// Groups of the rows of so many samples: 0 for exact moments.
[[nodiscard]] std::size_t n_groups(std::uint64_t n_samples) noexcept;
[[nodiscard]] inline std::size_t n_views(std::uint64_t n_samples) noexcept {
  return 1 + n_groups(n_samples);
}

/// Mean square deviation, as the delete-one-group jackknife has it (Efron, Tibshirani 1993, Sec.
/// 11.5): values[0] is of all rows; the others are of all but a group. 0 where there are no groups;
/// NaN values are left out.
[[nodiscard]] double jackknife_error(std::span<const double> values);
/// Two-sided probability of |t| or more under Student's t with as many degrees of freedom as the
/// jackknife has; 0 if t is infinite, and for exact moments.
[[nodiscard]] double tail_probability(double t, std::uint64_t n_samples);

}  // namespace orrery::anchored
