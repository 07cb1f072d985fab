// A sheet as text: sentences, then the facts of each section below one another, then its tables.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "report/sheet.hpp"
#include "report/sheet_rows.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

std::string blanks(std::size_t n) { return std::string(n, ' '); }

/// `text`, filled up with blanks to `width` characters.
std::string padded(const std::string& text, std::size_t width, bool to_the_right) {
  const std::size_t n = count_characters(text);
  const std::string fill = blanks(width > n ? width - n : 0);
  return to_the_right ? fill + text : text + fill;
}

std::string facts_text(const std::vector<Shown>& facts) {
  std::size_t width = 0;
  for (const Shown& fact : facts) width = std::max(width, count_characters(fact.label));
  std::string out;
  for (const Shown& fact : facts) {
    append_text(out, "  {}  {}{}\n", padded(fact.label, width, false), clean_text(fact.value),
                fact.note.empty() ? "" : fmt::format("  ({})", clean_text(fact.note)));
  }
  return out;
}

/// Cells below their headings, if there are any. No line ends with blanks.
std::string rows_text(const ShownRows& shown) {
  const std::size_t n_columns = shown.columns.size();
  std::vector<std::vector<std::string>> lines(1);
  for (const ShownColumn& column : shown.columns) lines[0].push_back(column.label);
  for (const auto& row : shown.rows) {
    auto& line = lines.emplace_back();
    for (const Shown* cell : row) line.push_back(cell == nullptr ? "" : clean_text(cell->value));
  }
  std::vector<std::size_t> width(n_columns, 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      width[c] = std::max(width[c], count_characters(line[c]));
    }
  }
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t c = 0; c < n_columns; ++c) {
      text += "  " + padded(line[c], width[c], shown.columns[c].is_number);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    if (!text.empty()) out += text + "\n";
  }
  return out;
}

std::string table_text(const Table& table) {
  if (table.title.empty()) return "";
  const ShownRows shown = shown_rows(table, table.most_shown);
  if (shown.rows.empty()) return "";
  std::string out = fmt::format("{}{}:\n", table.title,
                                table.note.empty() ? "" : fmt::format(" ({})", table.note));
  out += rows_text(shown);
  if (shown.n_rows > shown.rows.size()) {
    append_text(out, "  ... {} more; {}\n", format_count(shown.n_rows - shown.rows.size()),
                table.all_rows);
  }
  return out;
}

}  // namespace

std::string as_text(const Sheet& sheet) {
  std::string out;
  for (const Section& section : sheet.sections) {
    if (section.in_json_alone) continue;
    for (const std::string& sentence : section.sentences) out += clean_text(sentence) + "\n";
    out += facts_text(section.shown());
    for (const Table& table : section.tables) out += table_text(table);
    for (const std::string& remark : section.remarks)
      append_text(out, "  {}\n", clean_text(remark));
  }
  return out;
}

}  // namespace orrery::report
