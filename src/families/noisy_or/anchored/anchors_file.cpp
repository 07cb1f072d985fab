#include "families/noisy_or/anchored/anchors_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

#include "data/delimited.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

constexpr std::size_t most_causes = 10'000;

/// The parts between semicolons, without blanks around them.
std::vector<std::string> members(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    const std::string_view part(text.data() + begin, end - begin);
    const std::size_t first = part.find_first_not_of(' ');
    const std::size_t last = part.find_last_not_of(' ');
    parts.emplace_back(first == std::string_view::npos ? "" : part.substr(first, last - first + 1));
    begin = end + 1;
  }
  return parts;
}

double read_rate(const std::string& cell, const char* name, const std::string& place) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error == std::errc() && end == cell.data() + cell.size() && value >= 0 && value <= 1) {
    return value;
  }
  throw InputError(fmt::format("{}: {} is '{}'; it is a probability, 0 to 1, or empty if not known",
                               place, name, cell));
}

std::optional<std::pair<double, double>> read_rates(const data::TextRow& row,
                                                    const std::string& place) {
  if (row.cells.size() < 4) return std::nullopt;
  if (row.cells[2].empty() && row.cells[3].empty()) return std::nullopt;
  const double off = read_rate(row.cells[2], "off", place);
  const double on = read_rate(row.cells[3], "on", place);
  if (off == on) {
    throw InputError(fmt::format(
        "{}: off and on are both {}: an anchor that does not depend on its cause tells nothing of "
        "it; correct the rates, or name another column",
        place, on));
  }
  if (off > on) {
    throw InputError(fmt::format(
        "{}: off {} is larger than on {}: the column is on where the cause is absent; complement "
        "the column (noisy-OR causes switch on), or exchange the rates",
        place, off, on));
  }
  return std::pair{off, on};
}

bool is_header(const data::TextRow& row) {
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    return text;
  };
  return lower(row.cells[0]) == "cause" && lower(row.cells[1]) == "column";
}

void add_row(const data::TextRow& row, std::map<std::string, std::uint32_t>& causes,
             std::map<std::string, std::uint64_t>& lines, NamedAnchors& anchors) {
  const std::string place = fmt::format("{}: line {}", anchors.file, row.line);
  NamedAnchor anchor{row.cells[0], members(row.cells[1]), read_rates(row, place), row.line};
  if (anchor.cause.empty()) {
    throw InputError(
        fmt::format("{}: the cause has no name; its rows are cause,column[,off,on]", place));
  }
  for (const std::string& column : anchor.columns) {
    if (column.empty()) {
      throw InputError(
          fmt::format("{}: '{}' names an empty column; write a, or a;b for the union of two", place,
                      row.cells[1]));
    }
    const auto [used, is_new] = lines.emplace(column, row.line);
    if (!is_new) {
      throw InputError(fmt::format(
          "{}: column '{}' is used in line {} already; a column is the anchor of one cause, once",
          place, column, used->second));
    }
  }
  const auto [cause, is_new] =
      causes.emplace(anchor.cause, static_cast<std::uint32_t>(anchors.causes.size()));
  if (is_new) anchors.causes.push_back(anchor.cause);
  anchors.cause_of.push_back(cause->second);
  anchors.anchors.push_back(std::move(anchor));
}

}  // namespace

std::string NamedAnchors::place(const NamedAnchor& anchor) const {
  return fmt::format("{}: line {} ('{}')", file, anchor.line, anchor.cause);
}

NamedAnchors read_anchors(const std::filesystem::path& path) {
  NamedAnchors anchors;
  anchors.file = path.string();
  const std::vector<data::TextRow> rows = data::read_text_table(path, 0);
  const std::size_t width = rows.front().cells.size();
  if (width != 2 && width != 4) {
    throw InputError(
        fmt::format("{}: line {}: {} columns; a table of anchors has two or four: "
                    "cause,column or cause,column,off,on",
                    anchors.file, rows.front().line, width));
  }
  std::map<std::string, std::uint32_t> causes;
  std::map<std::string, std::uint64_t> lines;
  for (std::size_t i = is_header(rows.front()) ? 1 : 0; i < rows.size(); ++i) {
    add_row(rows[i], causes, lines, anchors);
  }
  if (anchors.causes.empty()) {
    throw InputError(
        fmt::format("{}: a header and no row; name one sure sign of each cause", anchors.file));
  }
  if (anchors.causes.size() > most_causes) {
    throw InputError(fmt::format("{}: {} causes; at most {} are learned together", anchors.file,
                                 anchors.causes.size(), most_causes));
  }
  return anchors;
}

}  // namespace orrery::anchored
