// Where the fuzz targets' imports go: the promises of sinks are checked, and a table that a size in
// the file made endless is ended by an EnvironmentError.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/sample_sink.hpp"
#include "target.hpp"

namespace orrery::fuzz {

using data::BitColumns;

/// Checks the promises of SampleSink, and ends a table that a size line made endless.
class CheckingBits final : public data::SampleSink {
 public:
  /// Of a table as a model has its variables one column is enough.
  explicit CheckingBits(std::size_t least_columns = 2) : least_columns_(least_columns) {}
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= least_columns_ && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const BitColumns& values, const BitColumns* missing) override {
    require(values.n_columns() == n_columns_ && values.n_rows() > 0 && !last_seen_);
    last_seen_ = values.n_rows() != data::block_rows(n_columns_);
    if (missing != nullptr) {
      require(missing->n_columns() == n_columns_ && missing->n_rows() == values.n_rows());
      for (std::size_t w = 0; w < values.words().size(); ++w) {
        require((values.words()[w] & missing->words()[w]) == 0);
      }
    }
    n_rows_ += values.n_rows();
    if (++n_blocks_ == 4) throw EnvironmentError("enough");
  }
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }

 private:
  std::size_t least_columns_;
  std::size_t n_columns_ = 0;
  std::size_t n_blocks_ = 0;
  std::uint64_t n_rows_ = 0;
  bool last_seen_ = false;
};

/// Checks the promises of DenseSink.
class CheckingNumbers final : public data::DenseSink {
 public:
  void begin(const std::vector<std::string>& names) override {
    require(names.size() >= 2 && n_columns_ == 0);
    n_columns_ = names.size();
  }
  void append(const data::DenseBlock& block) override {
    require(block.n_columns == n_columns_ && block.n_rows > 0 && !last_seen_);
    require(block.values.size() == block.n_rows * n_columns_);
    last_seen_ = block.n_rows != data::dense_block_rows(n_columns_);
    for (const double value : block.values) {
      require(!std::isinf(value));
      n_missing_ += std::isnan(value) ? 1 : 0;
    }
    n_rows_ += block.n_rows;
    if (n_rows_ > most_rows) throw EnvironmentError("enough");
  }
  [[nodiscard]] std::uint64_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::uint64_t n_missing() const { return n_missing_; }

 private:
  static constexpr std::uint64_t most_rows = 100'000;
  std::size_t n_columns_ = 0;
  std::uint64_t n_rows_ = 0;
  std::uint64_t n_missing_ = 0;
  bool last_seen_ = false;
};

}  // namespace orrery::fuzz
