#include "data/dense_blocks.hpp"

#include <cmath>
#include <utility>

namespace orrery::data {

DenseBlocks::DenseBlocks(std::string file, const Columns& columns, DenseSink& sink)
    : file_(std::move(file)),
      sink_(sink),
      block_(dense_block_rows(columns.kept.size()), columns.kept.size()) {
  summary_.names = columns.kept_names();
  summary_.missing.assign(n_columns(), 0);
  sink_.begin(summary_.names);
}

void DenseBlocks::finish_row() {
  ++summary_.n_samples;
  if (++n_rows_ == block_.n_rows) push();
}

void DenseBlocks::push() {
  block_.n_rows = n_rows_;
  block_.values.resize(n_rows_ * n_columns());
  for (std::size_t i = 0; i < n_rows_; ++i) {
    for (std::size_t c = 0; c < n_columns(); ++c) {
      const std::uint64_t is_missing = std::isnan(block_.row(i)[c]) ? 1 : 0;
      summary_.missing[c] += is_missing;
      summary_.n_missing += is_missing;
    }
  }
  sink_.append(block_);
  n_rows_ = 0;
}

DenseImportSummary DenseBlocks::finish(Format format) {
  if (n_rows_ > 0) push();
  require_some_values(file_, summary_.names, summary_.n_samples, summary_.missing);
  summary_.format = format;
  return std::move(summary_);
}

}  // namespace orrery::data
