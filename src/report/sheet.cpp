// A sheet, and its renderings: JSON, text, and a section of the page.
#include "report/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

using nlohmann::json;

/// The place of `key` in `object`; objects on the way to it are made.
json& place(json& object, const std::string& key) {
  if (key.find('/') == std::string::npos) return object[key];
  return object[json::json_pointer("/" + key)];
}

void add_to(json& object, const Section& section) {
  object.update(section.members(), true);
  for (const Table& table : section.tables) {
    if (table.key.empty()) continue;
    place(object, table.key) = rows_json(table);
  }
  if (!section.remarks.empty()) object["remarks"] = section.remarks;
}

}  // namespace

Record& Record::data(const std::string& key, json value) {
  place(members_, key) = std::move(value);
  return *this;
}

Record& Record::show(std::string label, std::string value, std::string note) {
  shown_.push_back({std::move(label), std::move(value), std::move(note)});
  return *this;
}

Record& Record::show_html(std::string label, std::string value, std::string html) {
  shown_.push_back({std::move(label), std::move(value), "", std::move(html)});
  return *this;
}

Record& Record::show_share(std::string label, std::string value, double share) {
  shown_.push_back({std::move(label), std::move(value), "", "", share});
  return *this;
}

Record& Record::tell(const std::string& key, json value, std::string label, std::string text,
                     std::string note) {
  return data(key, std::move(value)).show(std::move(label), std::move(text), std::move(note));
}

Table& Section::table(std::string table_key, std::string table_title, std::string note) {
  return tables.emplace_back(Table{std::move(table_key), std::move(table_title), std::move(note)});
}

Section& Sheet::section(std::string key, std::string title) {
  Section& section = sections.emplace_back();
  section.key = std::move(key);
  section.title = std::move(title);
  return section;
}

json rows_json(const Table& table) {
  json rows = json::array();
  for (const Record& row : table.rows) rows.push_back(row.members());
  return rows;
}

json as_json(const Sheet& sheet) {
  json object = json::object();
  for (const Section& section : sheet.sections) {
    add_to(section.key.empty() ? object : place(object, section.key), section);
  }
  return object;
}

json finite_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

namespace {

// The rows of a table, as the text and the page lay them out.

struct ShownColumn {
  std::string label;
  bool is_number = true;  ///< all of its values are: it is set to the right
};

struct ShownRows {
  std::vector<ShownColumn> columns;
  /// A row each, a value for each column; null where the row has none.
  std::vector<std::vector<const Shown*>> rows;
  std::size_t n_rows = 0;  ///< of the table, as far as people read them
};

/// "12", "1,234", "-0.5 (+- 0.1)", "0.1 to 0.3", "-": what stands in a column of numbers. A list is
/// none.
bool is_number(const std::string& text) {
  if (text.find(", ") != std::string::npos) return false;
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (text.size() == sign) return true;
  return std::isdigit(static_cast<unsigned char>(text[sign])) != 0 || text.substr(sign) == "inf";
}

std::size_t place_of(std::vector<ShownColumn>& columns, const std::string& label) {
  const auto found = std::ranges::find(columns, label, &ShownColumn::label);
  const auto place = static_cast<std::size_t>(found - columns.begin());
  if (found == columns.end()) columns.push_back({label});
  return place;
}

/// The first `most` rows.
ShownRows shown_rows(const Table& table, std::size_t most) {
  ShownRows shown;
  for (const Record& record : table.rows) {
    if (record.shown().empty()) continue;
    if (shown.n_rows++ >= most) continue;
    std::vector<const Shown*>& row = shown.rows.emplace_back(shown.columns.size(), nullptr);
    for (const Shown& value : record.shown()) {
      const std::size_t column = place_of(shown.columns, value.label);
      row.resize(shown.columns.size(), nullptr);
      row[column] = &value;
      shown.columns[column].is_number &= value.html.empty() && is_number(value.value);
    }
  }
  for (auto& row : shown.rows) row.resize(shown.columns.size(), nullptr);
  return shown;
}

// As text: sentences, then the facts of each section below one another, then its tables.

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

namespace {

// A section on the page: its sentences and facts, then a section for each of its tables.

constexpr std::size_t longest_cell = 56;  // characters

std::string value_html(const Shown& shown) {
  std::string text = escape(shorten(shown.value, longest_cell));
  const std::size_t plus_minus = text.find(" +- ");
  return plus_minus == std::string::npos ? text : text.replace(plus_minus, 4, " \u00b1 ");
}

std::string facts_html(const Section& section) {
  if (section.sentences.empty() && section.shown().empty()) return "";
  std::string rows;
  for (const Shown& fact : section.shown()) {
    rows += score_row(escape(fact.label), value_html(fact), escape(fact.note));
  }
  std::string sentences;
  for (const std::string& sentence : section.sentences) sentences += escape(sentence) + ". ";
  return fmt::format(
      "<section><h2>{}</h2>{}{}</section>\n", escape(section.title),
      sentences.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", sentences),
      rows.empty() ? "" : fmt::format("<table class=\"scores\"><tbody>\n{}</tbody></table>", rows));
}

std::string cell_html(const Shown* shown, bool is_number) {
  if (shown == nullptr) return is_number ? number_cell("") : "<td></td>";
  if (!shown->html.empty()) return "<td class=\"list\">" + shown->html + "</td>";
  if (shown->share < 0) {
    return is_number ? number_cell(value_html(*shown)) : "<td>" + value_html(*shown) + "</td>";
  }
  return fmt::format("<td class=\"n bar\" style=\"--v:{:.1f}%\">{}</td>", 100 * shown->share,
                     value_html(*shown));
}

std::string table_html(const Table& table) {
  if (table.title.empty()) return "";
  const ShownRows shown = shown_rows(table, table.most_on_page);
  if (shown.rows.empty()) return "";
  std::string heads;
  for (const ShownColumn& column : shown.columns) {
    heads += head_cell(escape(column.label).c_str(), column.is_number);
  }
  std::string rows;
  for (const auto& row : shown.rows) {
    rows += "<tr>";
    for (std::size_t c = 0; c < row.size(); ++c) {
      rows += cell_html(row[c], shown.columns[c].is_number);
    }
    rows += "</tr>\n";
  }
  std::string note = escape(table.note);
  if (shown.n_rows > shown.rows.size()) {
    append_text(note, " The first {} of {}.", format_count(shown.rows.size()),
                format_count(shown.n_rows));
  }
  return table_section(escape(table.title).c_str(), note, heads, rows);
}

}  // namespace

std::string as_html(const Section& section) {
  std::string out = facts_html(section);
  for (const Table& table : section.tables) out += table_html(table);
  return out;
}

}  // namespace orrery::report
