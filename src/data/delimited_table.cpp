#include "data/delimited_table.hpp"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::data {

DelimitedTable::DelimitedTable(TextReader& text, Format format, const ImportOptions& options,
                               const AreNames& are_names)
    : text_(text), delimiter_(format == Format::tsv ? '\t' : ',') {
  if (!next_record()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", text_.file()));
  }
  std::vector<std::string> first = read_cells();
  require_column_count(text_.file(), first.size());
  has_header_ =
      options.header == Header::automatic ? are_names(first) : options.header == Header::yes;
  columns_ =
      select_columns(text_.file(), has_header_ ? std::move(first) : default_names(first.size()),
                     options.drop_columns);
}

// The cells of the current line; not many more than can be imported.
std::vector<std::string> DelimitedTable::read_cells() {
  std::vector<std::string> cells;
  CellSplitter cell(delimiter_);
  const std::string_view line = text_.line();
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell.read(p, end);
    cells.emplace_back(cell.token());
    if (p == end || cells.size() > most_columns) {
      return cells;
    }
  }
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

}  // namespace orrery::data
