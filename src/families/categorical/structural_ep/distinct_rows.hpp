// Rows that are equal send equal messages all the way, if they begin with equal ones: one of them,
// with a weight, stands for all. Of few columns with few categories there are few kinds of rows:
// 1,468 rows of four columns may be 24.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

/// A table that must outlive it, and how many rows each of its rows stands for.
class WeightedRows {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a table alone is one whose rows weigh 1
  WeightedRows(const data::CategoricalTable& table, std::span<const double> weights = {})
      : table_(&table), weights_(weights), total_(static_cast<double>(table.n_rows)) {
    if (!weights.empty()) total_ = 0;
    for (const double weight : weights) total_ += weight;
  }
  [[nodiscard]] const data::CategoricalTable& table() const noexcept { return *table_; }
  [[nodiscard]] bool are_weighted() const noexcept { return !weights_.empty(); }
  [[nodiscard]] double weight(std::uint64_t row) const noexcept {
    return weights_.empty() ? 1 : weights_[row];
  }
  [[nodiscard]] double total() const noexcept { return total_; }

 private:
  const data::CategoricalTable* table_;
  std::span<const double> weights_;
  double total_;
};

struct DistinctRows {
  data::CategoricalTable table;  ///< in the order in which they come first
  std::vector<double> weights;
};
/// None if they are more than nine tenths of the rows: then it is not worth it. Cost: N D.
[[nodiscard]] std::optional<DistinctRows> distinct_rows(const data::CategoricalTable& table);

}  // namespace orrery::structural_ep
