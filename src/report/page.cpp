#include "report/page.hpp"

#include <fmt/format.h>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "orrery/base/version.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

std::string head(const PageParts& parts, const Colophon& colophon) {
  const std::string title = escape(parts.title);
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"generator\" content=\"orrery {}\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<header><h1>{}</h1>",
      version, title, style_sheet, title);
  if (!colophon.file.empty()) {
    append_text(out, "<p class=\"source\">{}</p>", escape(shorten(colophon.file, 200)));
  }
  append_text(out, "</header>\n<p class=\"summary\">{}</p>\n<p class=\"detail\">{}</p>\n",
              parts.summary, parts.detail);
  return out + verdict_html(parts.verdict);
}

}  // namespace

std::string html_page(const PageParts& parts, const Colophon& colophon) {
  const std::string top = head(parts, colophon);
  const std::string read = top.substr(top.find("</head>")) + parts.body + parts.note;
  return top + parts.body + glossary_section(read) + provenance_section(colophon) +
         fmt::format("<footer>{} Drawn by orrery {}.</footer>\n</main>\n{}</body>\n</html>\n",
                     parts.note, version, parts.script);
}

std::string scroll_section(const char* title, const std::string& note, const std::string& body) {
  return fmt::format(
      "<section><h2>{0}</h2><p class=\"note\">{1}</p><div class=\"scroll\" role=\"region\" "
      "aria-label=\"{0}\" tabindex=\"0\">{2}</div></section>\n",
      title, note, body);
}

std::string empty_section(const char* title, const std::string& sentence) {
  return fmt::format("<section class=\"empty\"><h2>{}</h2><p class=\"note\">{}</p></section>\n",
                     title, sentence);
}

std::string table_section(const char* title, const std::string& note, const std::string& heads,
                          const std::string& rows, const TableStyle& style) {
  return fmt::format(
      "<section{5}><h2>{0}</h2><p class=\"note\">{1}</p><div class=\"scroll pane\" "
      "role=\"region\" aria-label=\"{0}\" tabindex=\"0\"><table class=\"patterns{6}\"><thead>"
      "<tr>{2}</tr></thead><tbody>\n{3}</tbody></table></div>{4}</section>\n",
      title, note, heads, rows, printed_rows_note(style.n_rows),
      style.is_stacked ? " class=\"found\"" : "", style.is_stacked ? " stack" : "");
}

std::string printed_rows_note(std::size_t n_rows) {
  if (n_rows <= most_printed_rows) return "";
  return fmt::format(
      "<p class=\"printed\">The first {} of {} rows are printed; the page on the screen has them "
      "all.</p>",
      most_printed_rows, format_count(n_rows));
}

std::string score_row(const std::string& what, const std::string& value, const std::string& note) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td></tr>\n", what, value,
                     note);
}

std::string remarks_section(const std::vector<std::string>& remarks) {
  if (remarks.empty()) return "";
  std::string out = "<section class=\"remarked\"><h2>Remarks</h2><ul class=\"remarks\">\n";
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
