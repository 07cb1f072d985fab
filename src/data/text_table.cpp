#include "data/text_table.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "data/columns.hpp"
#include "data/delimited_cells.hpp"
#include "data/text_reader.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {
namespace {

std::vector<std::string> split(std::string_view line, char delimiter, std::size_t most) {
  std::vector<std::string> cells;
  CellSplitter cell(delimiter);
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell.read(p, end);
    cells.emplace_back(cell.token());
    if (p == end || cells.size() > most) return cells;
  }
}

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
    TextRow row{text.line_number(), split(text.line(), delimiter, most)};
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
