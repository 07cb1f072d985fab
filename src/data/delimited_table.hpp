// A table in CSV or TSV (RFC 4180; blanks around cells, LF or CRLF): its names, and a record after
// another. What the cells mean is for its reader to say.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "data/columns.hpp"
#include "data/delimited_cells.hpp"
#include "data/text_reader.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

class DelimitedTable {
 public:
  /// True if the cells of a first row are names, where the user did not say.
  using AreNames = std::function<bool(const std::vector<std::string>& cells)>;

  /// Goes to the first record and reads the names there, or makes some. Throws InputError for an
  /// empty file and as select_columns does.
  DelimitedTable(TextReader& text, Format format, const ImportOptions& options,
                 const AreNames& are_names);

  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
  /// False if the first record is a row of values.
  [[nodiscard]] bool has_header() const noexcept { return has_header_; }
  [[nodiscard]] char delimiter() const noexcept { return delimiter_; }

  /// Goes to the next row of values; false after the last. Throws InputError for a blank line amid
  /// rows and a quote that is not closed.
  [[nodiscard]] bool next_row();
  /// The row, quotes and all.
  [[nodiscard]] std::string_view line() const noexcept { return text_.line(); }

  /// Reads the row with `cell` and calls use(column) at each cell that is kept, from the left; the
  /// column is that of the file. Throws InputError for a row of another width than the first.
  template <class Use>
  void for_each_kept(CellSplitter& cell, const Use& use) const {
    const char* const end = line().data() + line().size();
    std::size_t column = 0;
    for (const char* p = line().data();; ++p) {
      if (column == columns_.size()) {
        refuse_width(column + 1 + static_cast<std::size_t>(std::count(p, end, delimiter_)));
      }
      p = cell.read(p, end);
      if (columns_.is_kept[column] != 0) use(column);
      ++column;
      if (p == end) break;
    }
    if (column != columns_.size()) refuse_width(column);
  }

  /// "t.csv: row 7 (line 8)"
  [[nodiscard]] std::string where() const;
  /// "t.csv: row 7 (line 8), column 3 ('fever')"
  [[nodiscard]] std::string where(std::size_t column) const;
  /// Of a row that does not have a cell for each column.
  [[noreturn]] void refuse_width(std::size_t n_cells) const;

 private:
  [[nodiscard]] bool next_record();
  std::vector<std::string> read_cells();

  TextReader& text_;
  char delimiter_;
  bool has_header_ = false;
  Columns columns_;
  std::uint64_t row_ = 0;         // rows of values so far, the current one included
  std::uint64_t blank_line_ = 0;  // a blank line, if one was passed
};

}  // namespace orrery::data
