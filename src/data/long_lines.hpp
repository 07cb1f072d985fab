// The lines of a long table: each says that a row has a variable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/text_table.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

/// An interval of times: from one on, and before another. Times are ISO 8601 dates, of which the
/// bytes are compared (a blank before the hours counts as a T; zones are not converted), or
/// numbers. A year alone is both.
class TimeInterval {
 public:
  /// Throws UsageError for limits without a column or a column without limits, and for limits that
  /// are neither dates nor numbers, or not of one kind.
  explicit TimeInterval(const ImportOptions& options);

  [[nodiscard]] bool has_limits() const noexcept { return are_dates_ || are_numbers_; }
  /// Nothing if the time is of another kind than the limits.
  [[nodiscard]] std::optional<bool> contains(std::string_view time) const;
  /// Of the limits, for a message.
  [[nodiscard]] const char* kind() const noexcept {
    return are_dates_ ? "an ISO 8601 date, such as 2020-01-31" : "a number";
  }

 private:
  std::string from_, before_;  // dates; empty: no limit
  double least_, most_;        // numbers
  bool are_dates_ = false;     // the limits
  bool are_numbers_ = false;
};

class LongLines {
 public:
  /// Reads the header. Throws InputError for a column that is not there, UsageError for options
  /// that name none or one twice. `options` must outlive this.
  LongLines(TextReader& text, const ImportOptions& options);

  /// Goes to the next line within the interval of time; false after the last. Throws InputError.
  [[nodiscard]] bool next();
  [[nodiscard]] std::string_view row() const noexcept { return cells_[row_cell]; }
  [[nodiscard]] std::string_view variable() const noexcept { return cells_[variable_cell]; }
  [[nodiscard]] std::string_view value() const noexcept { return cells_[value_cell]; }
  [[nodiscard]] bool has_values() const noexcept { return !options_.value_column.empty(); }
  [[nodiscard]] bool has_decimal_comma() const { return table_->dialect().has_decimal_comma(); }
  /// "t.csv: row 7 (line 8), column 3 ('code')"
  [[nodiscard]] std::string where_row() const { return where(row_cell); }
  [[nodiscard]] std::string where_value() const { return where(value_cell); }

  /// Lines that were passed over: without a time, and outside of the interval.
  [[nodiscard]] std::uint64_t n_without_time() const noexcept { return n_without_time_; }
  [[nodiscard]] std::uint64_t n_outside() const noexcept { return n_outside_; }

  /// Back to the first line.
  void restart(const std::string& stage);

 private:
  // What a column of the file is for.
  enum Cell : std::uint8_t { row_cell, variable_cell, value_cell, time_cell, n_cells };

  void open();
  void find_column(Cell cell, const char* option, const std::string& name);
  [[nodiscard]] std::string where(Cell cell) const { return table_->where(column_of_[cell]); }
  [[nodiscard]] bool is_within_interval();

  TextReader& text_;
  const ImportOptions& options_;
  ImportOptions table_options_;
  TimeInterval interval_;
  NumberReader tokens_;  // tells which times are missing
  std::optional<DelimitedTable> table_;
  std::optional<CellSplitter> splitter_;
  std::vector<std::uint8_t> use_of_;  // of each column of the file; n_cells: none
  std::array<std::size_t, n_cells> column_of_{};
  std::array<std::string, n_cells> cells_;  // of the line
  std::uint64_t n_without_time_ = 0;
  std::uint64_t n_outside_ = 0;
};

}  // namespace orrery::data
