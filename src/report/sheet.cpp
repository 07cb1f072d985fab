// A sheet, and its renderings: JSON, text, and a section of the page.
#include "report/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
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

Record::Record() : members_(std::make_unique<json>(json::object())) {}
Record::Record(const Record& other)
    : members_(std::make_unique<json>(other.members())), shown_(other.shown_) {}
Record& Record::operator=(const Record& other) {
  if (this != &other) {
    *members_ = other.members();
    shown_ = other.shown_;
  }
  return *this;
}
Record::~Record() = default;

Record& Record::data(const std::string& key, json value) {
  place(*members_, key) = std::move(value);
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

Record& Record::judge(Judgement judgement) {
  shown_.back().judgement = judgement;
  return *this;
}

void Section::judge(std::string sentence, Judgement judgement) {
  judgements[sentences.size()] = judgement;
  sentences.push_back(std::move(sentence));
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

/// In the colour of the verdict, if the style has colours.
std::string coloured(const std::string& text, Judgement judgement, const TextStyle& style) {
  if (judgement == Judgement::none || !style.has_colours) return text;
  return (judgement == Judgement::good ? "\033[32m" : "\033[33m") + text + "\033[0m";
}

std::string facts_text(const std::vector<Shown>& facts, const TextStyle& style) {
  std::size_t width = 0;
  for (const Shown& fact : facts) width = std::max(width, count_characters(fact.label));
  std::string out;
  for (const Shown& fact : facts) {
    append_text(out, "  {}  {}{}\n", padded(fact.label, width, false),
                coloured(clean_text(fact.value), fact.judgement, style),
                fact.note.empty() ? "" : fmt::format("  ({})", clean_text(fact.note)));
  }
  return out;
}

struct TextCell {
  std::string text;
  Judgement judgement = Judgement::none;
};

/// No line ends with blanks.
std::string line_text(const std::vector<TextCell>& cells, const std::vector<std::size_t>& width,
                      const std::vector<ShownColumn>& columns, const TextStyle& style) {
  std::string line;
  std::size_t n_blanks = 0;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const TextCell& cell = cells[c];
    const std::size_t fill = width[c] - count_characters(cell.text);
    n_blanks += 2 + (columns[c].is_number ? fill : 0);
    if (!cell.text.empty()) {
      line += blanks(n_blanks) + coloured(cell.text, cell.judgement, style);
      n_blanks = 0;
    }
    n_blanks += columns[c].is_number ? 0 : fill;
  }
  return line.empty() ? "" : line + "\n";
}

/// Cells below their headings, if there are any.
std::string rows_text(const ShownRows& shown, const TextStyle& style) {
  std::vector<std::vector<TextCell>> lines(1);
  for (const ShownColumn& column : shown.columns) lines[0].push_back({column.label});
  for (const auto& row : shown.rows) {
    auto& line = lines.emplace_back();
    for (const Shown* cell : row) {
      line.push_back(cell == nullptr ? TextCell()
                                     : TextCell{clean_text(cell->value), cell->judgement});
    }
  }
  std::vector<std::size_t> width(shown.columns.size(), 0);
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < width.size(); ++c) {
      width[c] = std::max(width[c], count_characters(line[c].text));
    }
  }
  std::string out;
  for (const auto& line : lines) out += line_text(line, width, shown.columns, style);
  return out;
}

std::string table_text(const Table& table, const TextStyle& style) {
  if (table.title.empty()) return "";
  const ShownRows shown =
      shown_rows(table, style.has_every_row ? table.rows.size() : table.most_shown);
  if (shown.rows.empty()) return "";
  std::string out = fmt::format("{}{}:\n", table.title,
                                table.note.empty() ? "" : fmt::format(" ({})", table.note));
  out += rows_text(shown, style);
  if (shown.n_rows > shown.rows.size()) {
    append_text(out, "  ... and {} more: {}\n", format_count(shown.n_rows - shown.rows.size()),
                table.all_rows);
  }
  return out;
}

std::string sentences_text(const Section& section, const TextStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < section.sentences.size(); ++i) {
    const auto judgement = section.judgements.find(i);
    out += coloured(clean_text(section.sentences[i]),
                    judgement == section.judgements.end() ? Judgement::none : judgement->second,
                    style);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string as_text(const Sheet& sheet, const TextStyle& style) {
  std::string out;
  for (const Section& section : sheet.sections) {
    if (section.in_json_alone) continue;
    out += sentences_text(section, style) + facts_text(section.shown(), style);
    for (const Table& table : section.tables) out += table_text(table, style);
    for (const std::string& remark : section.remarks) {
      append_text(out, "  {}\n", clean_text(remark));
    }
  }
  return out;
}

namespace {

// A section on the page: its sentences and facts, then a section for each of its tables.

constexpr std::size_t longest_cell = 96;  // characters

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

std::string cell_html(const Shown* shown, const ShownColumn& column, const std::string& label) {
  if (shown == nullptr) return column.is_number ? number_cell("") : "<td></td>";
  if (!shown->html.empty()) return fmt::format("<td class=\"list\"{}>{}</td>", label, shown->html);
  const std::string value = value_html(*shown);
  if (shown->share >= 0) {
    return fmt::format("<td class=\"n bar\" style=\"--v:{:.1f}%\"{}>{}</td>", 100 * shown->share,
                       label, value);
  }
  return fmt::format("<td{}{}>{}</td>", column.is_number ? " class=\"n\"" : "", label, value);
}

/// What names a value where the columns have no heads: on a phone.
std::string label_of(const Table& table, const ShownColumn& column) {
  return table.is_stacked ? fmt::format(" data-label=\"{}\"", escape(column.label)) : "";
}

std::string row_html(const Table& table, const std::vector<ShownColumn>& columns,
                     const std::vector<const Shown*>& row) {
  std::string out = "<tr>";
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (c == 0 && table.is_stacked && row[c] != nullptr) {
      append_text(out, "<th scope=\"row\">{}</th>", value_html(*row[c]));
    } else {
      out += cell_html(row[c], columns[c], label_of(table, columns[c]));
    }
  }
  return out + "</tr>\n";
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
  for (const auto& row : shown.rows) rows += row_html(table, shown.columns, row);
  std::string note = escape(table.note);
  if (shown.n_rows > shown.rows.size()) {
    if (!note.empty() && note.back() != '.') note += '.';
    append_text(note, " The first {} of {}.", format_count(shown.rows.size()),
                format_count(shown.n_rows));
  }
  return table_section(escape(table.title).c_str(), note, heads, rows,
                       {shown.rows.size(), table.is_stacked});
}

}  // namespace

std::string as_html(const Section& section) {
  std::string out = facts_html(section);
  for (const Table& table : section.tables) out += table_html(table);
  return out;
}

}  // namespace orrery::report
