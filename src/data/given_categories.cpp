// Purpose: categories that a user gives, on the command line or in a file.
#include <fmt/format.h>

#include <cstring>
#include <system_error>
#include <utility>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/delimited_cells.hpp"
#include "data/import_categorical.hpp"
#include "data/text_reader.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {
namespace {

std::vector<std::string> split_cells(std::string_view line) {
  std::vector<std::string> cells;
  CellSplitter cell(',');
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell.read(p, end);
    cells.emplace_back(cell.token());
    if (p == end) return cells;
  }
}

/// Throws `Error` naming `place`.
template <class Error>
void require_list(const std::vector<std::string>& list, const std::string& place) {
  if (list.size() < 2 || list.size() > max_categories) {
    throw Error(fmt::format("{}: {} {}; give 2 to {}, separated by commas", place, list.size(),
                            list.size() == 1 ? "category" : "categories", max_categories));
  }
  for (const std::string& category : list) {
    if (is_utf8(category) && !has_control_character(category)) continue;
    throw Error(fmt::format("{}: category {} is not UTF-8 without control characters; rename it",
                            place, in_quotes(category)));
  }
  try {
    require_names(list, "category");
  } catch (const InputError& error) {
    throw Error(fmt::format("{}: {}", place, error.what()));
  }
}

GivenCategories read_file(const std::string& path) {
  GivenCategories given;
  given.source = path;
  TextReader text(path);
  while (text.next_line()) {
    if (std::memchr(text.line().data(), '"', text.line().size()) != nullptr) complete_record(text);
    if (text.line().find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::string place = fmt::format("{}: line {}", path, text.line_number());
    std::vector<std::string> cells = split_cells(text.line());
    std::string name = std::move(cells.front());
    cells.erase(cells.begin());
    require_list<InputError>(cells, place);
    if (name.empty()) {
      throw InputError(
          fmt::format("{}: there is no column before the first comma; write lines "
                      "column,category,category,...",
                      place));
    }
    if (!given.of_columns.emplace(name, std::move(cells)).second) {
      throw InputError(fmt::format("{}: column {} was given categories before; keep one line of it",
                                   place, in_quotes(name)));
    }
  }
  if (given.of_columns.empty()) {
    throw InputError(
        fmt::format("{}: the file is empty; write lines column,category,category,...", path));
  }
  return given;
}

}  // namespace

GivenCategories parse_categories(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return read_file(text);
  GivenCategories given;
  given.source = fmt::format("--categories {}", text);
  if (text.find(',') == std::string::npos) {
    throw UsageError(fmt::format(
        "{}: neither a file nor a list of categories; write them in their order, such as "
        "negative,low,medium,high",
        given.source));
  }
  given.all = split_cells(text);
  require_list<UsageError>(given.all, given.source);
  return given;
}

}  // namespace orrery::data
