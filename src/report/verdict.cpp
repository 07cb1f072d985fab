#include "report/verdict.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/progress.hpp"
#include "base/text.hpp"
#include "report/text.hpp"

namespace orrery::report {
namespace {

constexpr double nearly_all = .9;

/// What stands between backticks is code.
std::string with_code(const std::string& html) {
  std::string out;
  bool inside = false;
  for (const char c : html) {
    if (c != '`') {
      out += c;
      continue;
    }
    out += inside ? "</code>" : "<code>";
    inside = !inside;
  }
  if (inside) out += "</code>";
  return out;
}

/// With a capital letter and a full stop.
std::string as_sentence(std::string_view text) {
  std::string out = with_code(escape(text));
  if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 32);
  out += '.';
  return out;
}

}  // namespace

void Verdict::add_found(std::size_t n_found, std::size_t n_true, const std::string& what) {
  const bool enough = static_cast<double>(n_found) >= nearly_all * static_cast<double>(n_true);
  (enough ? achieved : doubts)
      .push_back(
          fmt::format("{} of {} true {}", format_count(n_found), format_count(n_true), what));
}

void Verdict::add_wrong(std::size_t n_wrong, const std::string& what) {
  if (n_wrong == 0) return;
  doubts.push_back(fmt::format("{} {} not in the true network", count_of(n_wrong, what),
                               n_wrong == 1 ? "is" : "are"));
}

void Verdict::add_remarks(std::size_t n_remarks) {
  if (n_remarks == 0) return;
  doubts.push_back(
      fmt::format("The learner has {} on this table: see below", count_of(n_remarks, "remark")));
}

std::string verdict_html(const Verdict& verdict) {
  const bool is_judged = !verdict.achieved.empty() || !verdict.doubts.empty();
  if (!is_judged && verdict.not_judged.empty()) return "";
  const char* word = verdict.is_good() ? "Good" : is_judged ? "Take care" : "Not judged";
  std::string out = fmt::format("<div class=\"verdict {}\"><p><strong>{}.</strong>",
                                verdict.is_good() ? "good" : "amber", word);
  for (const std::string& sentence : verdict.achieved)
    append_text(out, " {}", as_sentence(sentence));
  if (!verdict.doubts.empty()) {
    out += verdict.achieved.empty() ? " What to distrust:" : "</p><p>What to distrust:";
  }
  out += "</p>";
  if (!verdict.doubts.empty()) {
    out += "<ul>";
    for (const std::string& doubt : verdict.doubts) {
      append_text(out, "<li>{}</li>", as_sentence(doubt));
    }
    out += "</ul>";
  }
  if (!verdict.not_judged.empty()) append_text(out, "<p>{}</p>", as_sentence(verdict.not_judged));
  return out + "</div>\n";
}

}  // namespace orrery::report
