#include "data/delimited.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "data/columns.hpp"
#include "data/text_reader.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

const char* CellSplitter::read_quoted(const char* position, const char* end) {
  unquoted_.clear();
  bool is_open = false;
  for (; position != end && (is_open || *position != delimiter_); ++position) {
    if (*position != '"') {
      unquoted_ += *position;
    } else if (is_open && position + 1 != end && position[1] == '"') {
      unquoted_ += '"';
      ++position;
    } else {
      is_open = !is_open;
    }
  }
  token_ = trimmed(unquoted_);
  return position;
}

std::vector<std::string> split_cells(std::string_view line, char delimiter, std::size_t most) {
  std::vector<std::string> cells;
  CellSplitter cell(delimiter);
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell.read(p, end);
    cells.emplace_back(cell.token());
    if (p == end || cells.size() > most) return cells;
  }
}

// Quotes come in pairs in a complete record (an escaped quote is two): after an odd number, the
// line end stands inside a cell.
void complete_record(TextReader& text) {
  std::size_t counted = 0;
  bool is_open = false;
  while (true) {
    const std::string_view fresh = text.line().substr(counted);
    is_open ^= (std::count(fresh.begin(), fresh.end(), '"') % 2) != 0;
    if (!is_open) {
      return;
    }
    counted += fresh.size();
    if (!text.extend_line()) {
      throw InputError(fmt::format("{}: a quote opened in line {} is never closed; close it",
                                   text.file(), text.line_number()));
    }
  }
}

DelimitedTable::DelimitedTable(TextReader& text, Format format, const ImportOptions& options,
                               const AreNames& are_names)
    : text_(text), delimiter_(format == Format::tsv ? '\t' : ',') {
  if (!next_record()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", text_.file()));
  }
  // Not many more than can be imported.
  std::vector<std::string> first = split_cells(text_.line(), delimiter_, most_columns);
  require_column_count(text_.file(), first.size());
  has_header_ =
      options.header == Header::automatic ? are_names(first) : options.header == Header::yes;
  columns_ =
      select_columns(text_.file(), has_header_ ? std::move(first) : default_names(first.size()),
                     options.drop_columns);
}

bool DelimitedTable::next_row() {
  ++row_;
  return (row_ == 1 && !has_header_) || next_record();
}

// Blank lines may only end the file.
bool DelimitedTable::next_record() {
  while (text_.next_line()) {
    const std::string_view line = text_.line();
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      blank_line_ = blank_line_ == 0 ? text_.line_number() : blank_line_;
      continue;
    }
    if (blank_line_ != 0) {
      throw InputError(fmt::format(
          "{}: line {} is blank but line {} is not; remove the blank line, or write its values",
          text_.file(), blank_line_, text_.line_number()));
    }
    if (std::memchr(line.data(), '"', line.size()) != nullptr) {
      complete_record(text_);
    }
    return true;
  }
  return false;
}

std::string DelimitedTable::where() const {
  return fmt::format("{}: row {} (line {})", text_.file(), row_, text_.line_number());
}

std::string DelimitedTable::where(std::size_t column) const {
  return fmt::format("{}, column {}", where(), columns_.describe(column));
}

void DelimitedTable::refuse_width(std::size_t n_cells) const {
  throw InputError(fmt::format(
      "{} has {} columns, the first row has {}; complete the row, or quote a cell that holds the "
      "delimiter",
      where(), n_cells, columns_.size()));
}

namespace {

// Where the first row says how many cells there are.
constexpr std::size_t widest = 64;

// Cells become names, of networks and then of samples, and are told in messages of one line.
void require_usable(const std::string& place, const std::string& cell) {
  if (!is_utf8(cell)) {
    throw InputError(
        fmt::format("{}: {} is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`", place,
                    in_quotes(cell)));
  }
  if (has_control_character(cell)) {
    throw InputError(fmt::format("{}: {} holds a line end or another control character; remove it",
                                 place, in_quotes(cell)));
  }
  if (cell.size() > longest_name) {
    throw InputError(fmt::format("{}: {} has {} bytes; shorten it to at most {}", place,
                                 in_quotes(cell), cell.size(), longest_name));
  }
}

}  // namespace

std::vector<TextRow> read_text_table(const std::filesystem::path& path, std::size_t n_columns) {
  TextReader text(path);
  char delimiter = '\0';  // not known yet
  std::vector<TextRow> rows;
  while (text.next_line()) {
    if (text.line().find_first_not_of(" \t") == std::string_view::npos) continue;
    if (text.line().find('"') != std::string_view::npos) complete_record(text);
    if (delimiter == '\0') {
      delimiter = text.line().find('\t') != std::string_view::npos ? '\t' : ',';
    }
    const std::size_t most = n_columns > 0 ? n_columns : widest;
    TextRow row{text.line_number(), split_cells(text.line(), delimiter, most)};
    if (n_columns == 0) n_columns = row.cells.size();
    if (row.cells.size() != n_columns) {
      throw InputError(fmt::format(
          "{}: line {}: {} is not the {} columns of this table, separated by {}; complete the "
          "line, or quote a name that holds the separator",
          text.file(), row.line, in_quotes(text.line()), n_columns,
          delimiter == ',' ? "commas" : "tabs"));
    }
    const std::string place = fmt::format("{}: line {}", text.file(), row.line);
    for (const std::string& cell : row.cells) require_usable(place, cell);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    throw InputError(fmt::format("{}: the file is empty; was it written completely?", text.file()));
  }
  return rows;
}

}  // namespace orrery::data
