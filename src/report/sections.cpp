#include "report/sections.hpp"

#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "report/text.hpp"

namespace orrery::report {

std::string scroll_section(const char* title, const std::string& note, const std::string& body) {
  return fmt::format(
      "<section><h2>{}</h2><p class=\"note\">{}</p><div class=\"scroll\" tabindex=\"0\">{}</div>"
      "</section>\n",
      title, note, body);
}

std::string table_section(const char* title, const std::string& note, const std::string& heads,
                          const std::string& rows) {
  return fmt::format(
      "<section><h2>{}</h2><p class=\"note\">{}</p><div class=\"scroll pane\" tabindex=\"0\">"
      "<table class=\"patterns\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>"
      "</section>\n",
      title, note, heads, rows);
}

std::string score_row(const std::string& what, const std::string& value, const std::string& note) {
  return fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n", what, value, note);
}

std::string remarks_section(const std::vector<std::string>& remarks) {
  if (remarks.empty()) return "";
  std::string out = "<section><h2>Remarks</h2><ul class=\"remarks\">\n";
  for (const std::string& remark : remarks) {
    append_text(out, "<li>{}</li>\n", escape(remark));
  }
  return out + "</ul></section>\n";
}

std::string wrong_and_missed(std::size_t wrong, std::size_t missed) {
  std::string out;
  if (wrong > 0) {
    out += fmt::format(", <span class=\"extra\">{} wrong</span>", format_count(wrong));
  }
  if (missed > 0) {
    out += fmt::format(", <span class=\"missed\">{} missed</span>", format_count(missed));
  }
  return out;
}

std::string head_cell(const char* text, bool number) {
  return fmt::format("<th scope=\"col\"{}>{}</th>", number ? " class=\"n\"" : "", text);
}

std::string number_cell(const std::string& text) {
  return fmt::format("<td class=\"n\">{}</td>", text);
}

std::string legend_key(const char* style, const char* text) {
  return fmt::format("<span class=\"legend\"><span class=\"key {}\"></span>{}</span> ", style,
                     text);
}

}  // namespace orrery::report
