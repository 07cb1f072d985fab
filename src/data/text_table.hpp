// Tables in text files, plain or gzip: their lines, read through one buffer that is reused; the
// cells of a line of CSV and TSV; a table to be imported, with its names and a record after
// another, whose cells their reader understands; and small tables of texts.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/dialect.hpp"
#include "data/row_names.hpp"
#include "orrery/data/import.hpp"

namespace orrery::data {

/// Of progress.
inline constexpr std::uint64_t megabyte = 1'000'000;

class TextReader {
 public:
  /// "-" is standard input. Throws InputError if the file is missing, a directory, or unreadable.
  explicit TextReader(const std::filesystem::path& path);

  /// The file's name, for messages.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The beginning of the (decompressed) content, at most one buffer; before the first line only.
  /// A UTF-8 byte order mark is not part of it.
  [[nodiscard]] std::string_view peek();
  /// True for gzip content, whatever the name.
  [[nodiscard]] bool is_compressed();

  /// Goes to the next line; false at the end of the file. Throws InputError if the gzip stream is
  /// cut short or damaged, and if the line is longer than 256 MiB.
  [[nodiscard]] bool next_line();
  /// Appends the line that follows to this one (a quoted cell holds a line end); false at the end
  /// of the file.
  [[nodiscard]] bool extend_line();
  /// The current line without its line end (LF, CRLF, or CR where the file begins so). Valid until
  /// the next call that moves on.
  [[nodiscard]] std::string_view line() const noexcept {
    return {buffer_.data() + line_begin_, line_end_ - line_begin_};
  }
  /// Number of the current line's beginning in the file, from 1.
  [[nodiscard]] std::uint64_t line_number() const noexcept { return line_number_; }

  /// Back to the beginning, for another pass with its own progress bar.
  void restart(const std::string& stage);

 private:
  struct Close {
    void operator()(gzFile stream) const noexcept { gzclose_r(stream); }
  };

  void start_progress(const std::string& stage);
  [[nodiscard]] bool find_line_end(std::size_t search_from);
  [[nodiscard]] bool refill();
  void grow_if_full();
  void require_sound_stream(int n_read);
  void skip_byte_order_mark();
  void find_line_ends();

  std::string file_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<gzFile_s, Close> stream_;
  std::optional<Progress> progress_;
  std::vector<char> buffer_;
  // Offsets into buffer_: line_begin_ <= line_end_ <= next_ <= filled_.
  std::size_t line_begin_ = 0;
  std::size_t line_end_ = 0;
  std::size_t next_ = 0;  // where the following line begins
  std::size_t filled_ = 0;
  bool at_start_ = true;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_passed_ = 0;
  char line_end_character_ = '\n';
};

// CSV, TSV and the like (RFC 4180; blanks around cells; LF, CRLF or CR).

class CellSplitter {
 public:
  explicit CellSplitter(char delimiter) : delimiter_(delimiter) {}

  /// Reads the cell at `position`; returns where its delimiter, or `end`, is. Where blanks
  /// separate, a run of them is one delimiter, and the last of the run is returned.
  const char* read(const char* position, const char* end) {
    while (position != end && (*position == ' ' || *position == '\t') && *position != delimiter_) {
      ++position;
    }
    if (position != end && *position == '"') {
      return last_of_run(read_quoted(position, end), end);
    }
    const char* const cell_end = std::find(position, end, delimiter_);
    token_ = trimmed({position, static_cast<std::size_t>(cell_end - position)});
    return last_of_run(cell_end, end);
  }
  /// What was read last; valid until the next read, and as long as the line.
  [[nodiscard]] std::string_view token() const noexcept { return token_; }

 private:
  const char* read_quoted(const char* position, const char* end);
  const char* last_of_run(const char* position, const char* end) const {
    if (delimiter_ != ' ') return position;
    while (position != end && position + 1 != end && position[1] == ' ') ++position;
    return position;
  }

  char delimiter_;
  std::string_view token_;
  std::string unquoted_;  // holds token_ where quotes were taken out
};

/// The cells of a line; of a wider one the first `most` + 1.
[[nodiscard]] std::vector<std::string> split_cells(std::string_view line, char delimiter,
                                                   std::size_t most);

/// Adds to the current line, which has a quote, those that follow until every quote is closed.
/// Throws InputError if one never is.
void complete_record(TextReader& text);

class DelimitedTable {
 public:
  /// True if the cells of a first row are names, where the user did not say.
  using AreNames = std::function<bool(const std::vector<std::string>& cells)>;

  /// Goes to the first record and reads the names there, or makes some. Throws InputError for an
  /// empty file and as select_columns does.
  DelimitedTable(TextReader& text, Format format, const ImportOptions& options,
                 const AreNames& are_names);

  [[nodiscard]] const Columns& columns() const noexcept { return columns_; }
  [[nodiscard]] const Dialect& dialect() const noexcept { return dialect_; }
  /// False if the first record is a row of values.
  [[nodiscard]] bool has_header() const noexcept { return has_header_; }
  [[nodiscard]] char delimiter() const noexcept { return dialect_.delimiter; }

  /// Goes to the next row of values; false after the last. Throws InputError for a blank line amid
  /// rows and a quote that is not closed.
  [[nodiscard]] bool next_row();
  /// The row, quotes and all.
  [[nodiscard]] std::string_view line() const noexcept {
    return delimiter() == ' ' ? trimmed(text_.line()) : text_.line();
  }

  /// Reads the row with `cell` and calls use(column) at each cell that is kept, from the left; the
  /// column is that of the file. A row's name goes to row_names(). Throws InputError for a row of
  /// another width than the first.
  template <class Use>
  void for_each_kept(CellSplitter& cell, const Use& use) {
    const char* const end = line().data() + line().size();
    std::size_t column = 0;
    for (const char* p = line().data();; ++p) {
      if (column == columns_.size()) {
        refuse_width(column + 1 + static_cast<std::size_t>(std::count(p, end, delimiter())));
      }
      p = cell.read(p, end);
      if (columns_.is_kept[column] != 0) use(column);
      if (column == columns_.index) add_row_name(cell.token());
      ++column;
      if (p == end) break;
    }
    if (column != columns_.size()) refuse_width(column);
  }

  /// "t.csv: row 7 (line 8)"
  [[nodiscard]] std::string where() const;
  /// "t.csv: row 7 (line 8), column 3 ('fever')"
  [[nodiscard]] std::string where(std::size_t column) const;
  /// Of the current row.
  void add_row_name(std::string_view name) {
    if (!is_index_left_out_) row_names_.add(name);
  }
  /// Of the rows so far, if a column holds them.
  [[nodiscard]] RowNames& row_names() noexcept { return row_names_; }
  [[nodiscard]] const RowNames& row_names() const noexcept { return row_names_; }
  /// Of a row that does not have a cell for each column.
  [[noreturn]] void refuse_width(std::size_t n_cells) const;

 private:
  [[nodiscard]] bool next_record();
  [[nodiscard]] std::size_t find_index(std::vector<std::string>& names,
                                       const ImportOptions& options) const;

  TextReader& text_;
  Dialect dialect_;
  bool has_header_ = false;
  Columns columns_;
  RowNames row_names_;
  bool is_index_left_out_ = false;  // --drop says so
  std::uint64_t row_ = 0;           // rows of values so far, the current one included
  std::uint64_t blank_line_ = 0;    // a blank line, if one was passed
};

/// Of a small table of texts: names and numbers, not samples.
struct TextRow {
  std::uint64_t line = 0;  ///< where it begins in the file, from 1
  std::vector<std::string> cells;
};

/// The rows of a CSV or TSV file (.gz too): tabs separate if the first line has one, else commas.
/// Quoted cells, blanks around cells and blank lines as RFC 4180 and import_samples have them.
/// `n_columns` 0: as many as the first row has. Throws InputError naming file and line: no row at
/// all, or a row that has not `n_columns` cells.
std::vector<TextRow> read_text_table(const std::filesystem::path& path, std::size_t n_columns);

}  // namespace orrery::data
