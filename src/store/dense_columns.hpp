// What is told of the columns of a dense table, gathered as its rows go by.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "store/dense.hpp"

namespace orrery::store {

/// Mean and squared distances by Welford's updates (Technometrics 4, 1962), a row after another: a
/// function of the rows alone, however they are cut, and exact for a constant column.
class DenseColumns {
 public:
  explicit DenseColumns(std::size_t n_columns)
      : present_(n_columns),
        mean_(n_columns),
        squares_(n_columns),
        min_(n_columns),
        max_(n_columns) {
    clear();
  }
  void clear() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (auto* sums : {&present_, &mean_, &squares_}) std::ranges::fill(*sums, 0.0);
    std::ranges::fill(min_, infinity);
    std::ranges::fill(max_, -infinity);
  }
  /// A missing value adds 0 to everything: no branch, so that the compiler takes several columns at
  /// once.
  void add_row(const double* row) {
    for (std::size_t c = 0; c < mean_.size(); ++c) {
      const double value = row[c];
      const bool is_here = !std::isnan(value);
      present_[c] += is_here ? 1.0 : 0.0;
      const double distance = is_here ? value - mean_[c] : 0.0;
      mean_[c] += distance / std::max(present_[c], 1.0);
      squares_[c] += is_here ? distance * (value - mean_[c]) : 0.0;
      min_[c] = value < min_[c] ? value : min_[c];
      max_[c] = value > max_[c] ? value : max_[c];
    }
  }
  /// Without a value: NaN.
  [[nodiscard]] std::vector<DenseColumn> columns() const {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<DenseColumn> columns(mean_.size(), {0, none, none, none, none});
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (present_[c] > 0) {
        columns[c] = {static_cast<std::uint64_t>(present_[c]), mean_[c],
                      std::sqrt(squares_[c] / present_[c]), min_[c], max_[c]};
      }
    }
    return columns;
  }

 private:
  // A vector for each number, so that a row is taken many columns at a time.
  std::vector<double> present_;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> min_;
  std::vector<double> max_;
};

}  // namespace orrery::store
