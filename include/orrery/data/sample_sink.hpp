// Where a stream of sample rows goes: to a file (store::SampleWriter) or to memory.
// Readers and samplers push blocks; nothing holds the whole table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"
#include "orrery/data/sample_matrix.hpp"

namespace orrery::data {

/// Of the name of a variable, in bytes: files give every name the room of the longest.
inline constexpr std::size_t longest_name = 4096;

class RowNames;

class SampleSink {
 public:
  SampleSink() = default;
  SampleSink(const SampleSink&) = delete;
  SampleSink& operator=(const SampleSink&) = delete;
  virtual ~SampleSink() = default;

  /// Called once, first.
  virtual void begin(const std::vector<std::string>& names) = 0;
  /// Every block but the last has exactly block_rows(n_columns) rows. `missing` is null or of the
  /// same shape as `values` (1 = missing; the value bit is then 0).
  virtual void append(const BitColumns& values, const BitColumns* missing) = 0;
  /// Called once, last, if the rows have names: one for each row, all different.
  virtual void name_rows(const RowNames& /*names*/) {}
};

/// Collects a stream in memory (tests, small inputs).
class MemorySink final : public SampleSink {
 public:
  void begin(const std::vector<std::string>& names) override;
  void append(const BitColumns& values, const BitColumns* missing) override;
  /// The collected matrix; `missing` is present iff a missing value was seen.
  [[nodiscard]] SampleMatrix take();

 private:
  std::vector<std::string> names_;
  std::vector<BitColumns> values_;
  std::vector<BitColumns> missing_;
  bool any_missing_ = false;
};

}  // namespace orrery::data
