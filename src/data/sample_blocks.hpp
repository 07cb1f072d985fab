// The end of every import: blocks of rows are counted, pushed to the sink, and judged as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "data/columns.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

class SampleBlocks {
 public:
  /// Begins the sink's stream with the names of the kept columns.
  SampleBlocks(std::string file, const Columns& columns, SampleSink& sink);

  /// Columns of a block: the kept ones.
  [[nodiscard]] std::size_t n_columns() const noexcept { return summary_.names.size(); }
  /// Rows of every block but the last.
  [[nodiscard]] std::size_t rows_per_block() const noexcept { return rows_per_block_; }

  /// `missing` is null if the block has no missing value.
  void push(const BitColumns& values, const BitColumns* missing);

  /// Throws InputError if there was no row, or a column without any value.
  [[nodiscard]] ImportSummary finish(Format format);

 private:
  std::string file_;
  SampleSink& sink_;
  std::size_t rows_per_block_;
  ImportSummary summary_;
};

}  // namespace orrery::data
