#include "report/page.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "orrery/base/version.hpp"
#include "report/style.hpp"
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

}  // namespace orrery::report
