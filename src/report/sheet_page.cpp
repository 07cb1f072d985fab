// A section of a sheet on the page: its sentences and facts, then a section for each of its tables.
#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "report/sections.hpp"
#include "report/sheet.hpp"
#include "report/sheet_rows.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

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
