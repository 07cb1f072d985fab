// The end of every import of numbers: rows are gathered into blocks, missing values counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/columns.hpp"
#include "data/import_dense.hpp"
#include "orrery/data/dense_block.hpp"

namespace orrery::data {

class DenseBlocks {
 public:
  /// Begins the sink's stream with the names of the kept columns.
  DenseBlocks(std::string file, const Columns& columns, DenseSink& sink);

  /// Columns of a block: the kept ones.
  [[nodiscard]] std::size_t n_columns() const noexcept { return summary_.names.size(); }
  /// The current row of n_columns() values; every one must be written, NaN: missing.
  [[nodiscard]] double* row() noexcept { return block_.values.data() + n_rows_ * n_columns(); }
  /// The current row is complete.
  void finish_row();
  /// Throws InputError as require_some_values does.
  [[nodiscard]] DenseImportSummary finish(Format format);

 private:
  void push();

  std::string file_;
  DenseSink& sink_;
  DenseBlock block_;
  std::size_t n_rows_ = 0;  // complete in the block
  DenseImportSummary summary_;
};

}  // namespace orrery::data
