// Tables of numbers that no text table holds: what the reader of a format gives, and how its rows
// become bits or numbers. A reader gives its rows in order (RowSource), or its values in any order
// and as often as they are asked for (EntrySource).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/import_tables.hpp"
#include "orrery/data/dense_block.hpp"
#include "orrery/data/import.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

/// A value that is missing.
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// A value of one row; it may be no_value.
struct RowValue {
  std::size_t column = 0;
  double value = 0;
};

/// False for 0, which need not be listed, but -0 is kept as it is.
[[nodiscard]] inline bool is_listed(double value) noexcept {
  return value != 0 || std::signbit(value);
}

/// A table that is read from its first row to its last.
class RowSource {
 public:
  RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;
  virtual ~RowSource() = default;

  /// The file's name, for messages.
  [[nodiscard]] virtual const std::string& file() const = 0;
  /// Of every column, in the order of the file. Not checked yet: names may be empty or repeated.
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
  /// True if row_name() says how every row is called.
  [[nodiscard]] virtual bool has_row_names() const { return false; }
  /// False if NaN is refused unless --missing names it.
  [[nodiscard]] virtual bool nan_is_missing() const { return true; }

  /// Goes to the next row; false after the last. `values` becomes the row's: columns ascending,
  /// none twice, each below names().size(); a column that is not there is 0. Throws InputError.
  [[nodiscard]] virtual bool next_row(std::vector<RowValue>& values) = 0;
  /// Of the current row.
  [[nodiscard]] virtual std::string_view row_name() const { return {}; }
  /// The place of the current row, for a message: "t.svm: row 7 (line 8)".
  [[nodiscard]] virtual std::string where() const = 0;
};

/// A value of a table. NaN: missing.
struct TableEntry {
  std::uint64_t row = 0;
  std::size_t column = 0;
  double value = 0;
};

/// A table of which the values come in any order, each at most once; what does not come is 0.
class EntrySource {
 public:
  EntrySource() = default;
  EntrySource(const EntrySource&) = delete;
  EntrySource& operator=(const EntrySource&) = delete;
  virtual ~EntrySource() = default;

  [[nodiscard]] virtual const std::string& file() const = 0;
  /// As of RowSource.
  [[nodiscard]] virtual const std::vector<std::string>& names() const = 0;
  [[nodiscard]] virtual std::uint64_t n_rows() const = 0;
  /// Of each row, or empty.
  [[nodiscard]] virtual std::string row_name(std::uint64_t /*row*/) const { return {}; }
  [[nodiscard]] virtual bool has_row_names() const { return false; }
  /// As of RowSource.
  [[nodiscard]] virtual bool nan_is_missing() const { return true; }

  /// Goes to the beginning; `pass` of `n_passes`, from 1, for the progress shown.
  virtual void restart(std::uint64_t pass, std::uint64_t n_passes) = 0;
  /// False after the last. Throws InputError, so too for an entry outside of the table.
  [[nodiscard]] virtual bool next(TableEntry& entry) = 0;
  /// The place of the current entry, for a message: "t.mtx: line 8".
  [[nodiscard]] virtual std::string where() const = 0;
};

/// The numbers that --missing names.
class MissingNumbers {
 public:
  /// Throws UsageError for a token that is no number.
  explicit MissingNumbers(const std::vector<std::string>& tokens);
  /// True for NaN if it is named.
  [[nodiscard]] bool contains(double value) const noexcept;
  [[nodiscard]] bool is_empty() const noexcept { return numbers_.empty() && !has_nan_; }

 private:
  std::vector<double> numbers_;
  bool has_nan_ = false;
};

/// What the values of a table of numbers mean as bits: 1 above options.threshold, if there is one;
/// else the numbers among options.on_tokens and off_tokens, and 1 and 0 where these do not speak of
/// them; NaN and the numbers among options.missing_tokens are missing.
class NumberBits {
 public:
  /// Throws UsageError for a token that is no number, for one of two meanings, and for --threshold
  /// beside --on or --off.
  explicit NumberBits(const ImportOptions& options);
  /// 0, 1, or 2 for a missing value; 3: neither (an infinite number always is).
  [[nodiscard]] unsigned operator()(double value) const {
    if (is_plain_ && (value == 0 || value == 1)) return value == 1 ? 1 : 0;
    return meaning(value);
  }
  /// True if no option says what a number means: 0 is 0, and 1 is 1.
  [[nodiscard]] bool is_plain() const noexcept { return is_plain_; }
  [[nodiscard]] const MissingNumbers& missing() const noexcept { return missing_; }

 private:
  [[nodiscard]] unsigned meaning(double value) const;

  MissingNumbers missing_;
  std::optional<double> threshold_;
  std::vector<double> on_, off_;
  bool is_plain_;
};

/// Throws InputError for a value that is neither on, off nor missing: the remedies. `place` names
/// file, row and column; `name` is the column's.
[[noreturn]] void refuse_bit(const std::string& place, double value, const std::string& name);

/// Into bits and numbers, streamed in bounded memory. Rows in order take a block (at most 32 MiB of
/// bits, or 2 MiB of numbers); entries in any order take options.memory_bytes, and are read again
/// where the table is larger. Throws InputError as import_samples does: a value that is neither 0
/// nor 1 (the remedies: --threshold, --on and --off, --missing, --drop), an infinite number, a
/// column without any value, a second entry for one value, names that are empty or repeated.
ImportSummary import_bits(RowSource& table, Format format, const ImportOptions& options,
                          SampleSink& sink);
ImportSummary import_bits(EntrySource& table, Format format, const ImportOptions& options,
                          SampleSink& sink);
DenseImportSummary import_numbers(RowSource& table, Format format, const ImportOptions& options,
                                  DenseSink& sink);
DenseImportSummary import_numbers(EntrySource& table, Format format, const ImportOptions& options,
                                  DenseSink& sink);

}  // namespace orrery::data
