// How the rows of a delimited text file are written: what R, pandas, spreadsheets and SPSS make of
// a table by default.
#pragma once

#include <string_view>

#include "orrery/data/import.hpp"

namespace orrery::data {

struct Dialect {
  char delimiter = ',';  ///< a comma, semicolon, tab, bar, or blank: any run of spaces
  /// The first row has one cell less than the second: it names all columns but a first one of row
  /// names, as R's write.table does.
  bool has_short_header = false;
  /// "1,5" is a number: semicolons are what spreadsheets separate cells by where commas are
  /// decimal.
  [[nodiscard]] bool has_decimal_comma() const noexcept { return delimiter == ';'; }
};

/// `content` is the beginning of the file. The delimiter is that of the options or of the format
/// (tsv), or is found out: of tab, semicolon, comma and bar the first that stands outside quotes
/// equally often in the first rows; else the one that is most often in the first row; else blanks,
/// if all of the first rows have as many words; else `otherwise`.
[[nodiscard]] Dialect dialect_of(std::string_view content, Format format,
                                 const ImportOptions& options, char otherwise = ',');

/// Of --delimiter: one of `, ; | tab space`, or the character itself. Throws UsageError.
[[nodiscard]] char parse_delimiter(const std::string& text);

}  // namespace orrery::data
