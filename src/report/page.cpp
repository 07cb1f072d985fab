#include "report/page.hpp"

#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "orrery/base/version.hpp"
#include "report/text.hpp"

namespace orrery::report {

std::string page_head(std::string_view title, std::string_view source, std::string_view summary,
                      std::string_view detail) {
  const std::string safe_title = escape(title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<header><h1>{}</h1>",
      safe_title, style_sheet, safe_title);
  if (!source.empty()) {
    append_text(out, "<p class=\"source\">{}</p>", escape(source));
  }
  append_text(out, "</header>\n<p class=\"summary\">{}</p>\n<p class=\"detail\">{}</p>\n", summary,
              detail);
  return out;
}

std::string page_foot(std::uint64_t data_digest, std::string_view note, std::string_view script) {
  std::string out = fmt::format("<footer>orrery {}", version);
  if (data_digest != 0) {
    append_text(out, ", data {:016x}", data_digest);
  }
  append_text(out, ". {}</footer>\n</main>\n{}</body>\n</html>\n", note, script);
  return out;
}

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
