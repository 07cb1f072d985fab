// What is told of the columns of a dense table, gathered as its rows go by.
#pragma once

#include <cstddef>
#include <cstdint>
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
  void clear();
  void add_row(const double* row);
  /// Without a value: NaN.
  [[nodiscard]] std::vector<DenseColumn> columns() const;

 private:
  // A vector for each number, so that a row is taken many columns at a time.
  std::vector<double> present_;
  std::vector<double> mean_;
  std::vector<double> squares_;
  std::vector<double> min_;
  std::vector<double> max_;
};

}  // namespace orrery::store
