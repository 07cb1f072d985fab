#include "data/sample_blocks.hpp"

#include <bit>
#include <numeric>
#include <span>
#include <utility>

namespace orrery::data {

namespace {

std::uint64_t count_ones(std::span<const std::uint64_t> words) {
  return std::transform_reduce(
      words.begin(), words.end(), std::uint64_t{0}, std::plus<>{},
      [](std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); });
}

}  // namespace

SampleBlocks::SampleBlocks(std::string file, const Columns& columns, SampleSink& sink)
    : file_(std::move(file)), sink_(sink), rows_per_block_(block_rows(columns.kept.size())) {
  summary_.names = columns.kept_names();
  summary_.ones.assign(n_columns(), 0);
  summary_.missing.assign(n_columns(), 0);
  sink_.begin(summary_.names);
}

void SampleBlocks::push(const BitColumns& values, const BitColumns* missing) {
  for (std::size_t c = 0; c < n_columns(); ++c) {
    summary_.ones[c] += count_ones(values.column(c));
    if (missing != nullptr) {
      const std::uint64_t n_missing = count_ones(missing->column(c));
      summary_.missing[c] += n_missing;
      summary_.n_missing += n_missing;
    }
  }
  summary_.n_samples += values.n_rows();
  sink_.append(values, missing);
}

ImportSummary SampleBlocks::finish(Format format) {
  require_some_values(file_, summary_.names, summary_.n_samples, summary_.missing);
  summary_.format = format;
  return std::move(summary_);
}

}  // namespace orrery::data
