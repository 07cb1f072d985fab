// Rows of numbers: what a dense table is made of, streamed in blocks as bits are (sample_sink.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace orrery::data {

/// n_rows x n_columns numbers, row after row. NaN is a missing value; nothing else is not finite.
struct DenseBlock {
  std::size_t n_rows = 0;
  std::size_t n_columns = 0;
  std::vector<double> values;

  DenseBlock() = default;
  DenseBlock(std::size_t rows, std::size_t columns)
      : n_rows(rows), n_columns(columns), values(rows * columns) {}
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return {values.data() + i * n_columns, n_columns};
  }
  [[nodiscard]] std::span<double> row(std::size_t i) noexcept {
    return {values.data() + i * n_columns, n_columns};
  }
};

/// Rows of a block of a stream: 2 MiB of numbers, 16 to 16,384 rows.
[[nodiscard]] constexpr std::size_t dense_block_rows(std::size_t n_columns) noexcept {
  return std::clamp((std::size_t{1} << 18U) / std::max<std::size_t>(n_columns, 1), std::size_t{16},
                    std::size_t{16384});
}

class RowNames;

/// Where a stream of dense rows goes: to a file (store::DenseWriter) or to memory (tests).
class DenseSink {
 public:
  DenseSink() = default;
  DenseSink(const DenseSink&) = delete;
  DenseSink& operator=(const DenseSink&) = delete;
  virtual ~DenseSink() = default;

  /// Called once, first.
  virtual void begin(const std::vector<std::string>& names) = 0;
  /// Every block but the last has exactly dense_block_rows(n_columns) rows.
  virtual void append(const DenseBlock& block) = 0;
  /// As of SampleSink.
  virtual void name_rows(const RowNames& /*names*/) {}
};

}  // namespace orrery::data
