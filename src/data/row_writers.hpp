// Rows of samples in the formats that every statistics program reads, CSV and NPY, piece by piece:
// what `import` reads back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/row_names.hpp"
#include "orrery/data/bit_columns.hpp"
#include "orrery/data/categorical_table.hpp"

namespace orrery::data {

/// Takes the pieces of a file in their order; a piece is valid during the call.
using PieceSink = std::function<void(std::string_view piece)>;

/// Quoted (RFC 4180) where a comma, tab, quote, line end or outer blank would be misread.
std::string csv_field(const std::string& text);

/// A line of names, then a line per row; a missing value is an empty field, or "" where it is the
/// only one of its row (a blank line is no row). Holds a megabyte of text.
class CsvRows {
 public:
  /// `row_names` of all rows, or none: a first column without a name, as R and pandas write it.
  CsvRows(const std::vector<std::string>& names, PieceSink sink, RowNames row_names = {});

  /// Bits as 0 and 1; `missing` is null or of the same shape.
  void append(const BitColumns& values, const BitColumns* missing);
  /// Numbers, n_rows x the number of names, in the shortest form that reads back as the same
  /// double; NaN is missing.
  void append(const double* rows, std::size_t n_rows);
  /// Categories by their names.
  void append(const CategoricalTable& table);
  /// Gives the rest away.
  void finish();

 private:
  void begin_row();
  void end_field(std::size_t column, bool is_missing);

  std::size_t n_columns_;
  PieceSink sink_;
  RowNames row_names_;
  std::uint64_t n_rows_ = 0;  // begun
  std::string text_;
};

/// An NPY 1.0 array of two dimensions in C order: bits as uint8 (|u1), or, where some are missing,
/// as int8 (|i1), of which -1 is missing; numbers as float64 of the host's byte order, NaN where
/// missing. Names have no place in it.
class NpyRows {
 public:
  enum class Item : std::uint8_t { bit, bit_or_missing, number };
  NpyRows(Item item, std::uint64_t n_rows, std::size_t n_columns, PieceSink sink);

  /// `missing` is null or of the same shape.
  void append(const BitColumns& values, const BitColumns* missing = nullptr);
  void append(const double* rows, std::size_t n_rows);

 private:
  std::size_t n_columns_;
  PieceSink sink_;
};

/// What the rows hold.
enum class RowKind : std::uint8_t { bits, numbers, categories };
/// False if `import` would take a line of these names for values, unless told --header yes.
[[nodiscard]] bool is_plain_header(const std::vector<std::string>& names, RowKind kind);
/// True if `import` takes this text for a missing value.
[[nodiscard]] bool reads_as_missing(const std::string& text);

}  // namespace orrery::data
