#include "commands/roff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/help.hpp"

namespace orrery::commands::roff {
namespace {

/// Characters that roff would change: a hyphen that is copied must be a minus.
std::string escaped(char character) {
  switch (character) {
    case '\\':
      return "\\e";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return {character};
  }
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char character : text) out += escaped(character);
  return out;
}

/// A line must not begin as a request does.
std::string guarded(const std::string& line) {
  return line.starts_with('.') || line.starts_with('\'') ? "\\&" + line : line;
}

/// Of a word that stands for something else: "FILE", "N", "A-B", "RxC".
bool is_placeholder(std::string_view word) {
  const auto is_capital = [](unsigned char c) { return std::isupper(c) != 0; };
  const auto is_part = [](unsigned char c) {
    return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == 'x' || c == '_';
  };
  if (word == "options") return true;
  return !word.empty() && is_capital(static_cast<unsigned char>(word[0])) &&
         std::ranges::all_of(word, is_part);
}

std::string styled(std::string_view word) {
  if (word.empty()) return "";
  return fmt::format("\\f{}{}\\fR", is_placeholder(word) ? 'I' : 'B', escaped(word));
}

}  // namespace

std::string prose(std::string_view text) {
  std::string out;
  bool is_bold = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool opens = !is_bold && text.find('`', i + 1) != std::string_view::npos;
    if (text[i] == '`' && (is_bold || opens)) {
      out += is_bold ? "\\fR" : "\\fB";
      is_bold = !is_bold;
    } else {
      out += escaped(text[i]);
      // A long list without blanks may be broken behind its commas.
      if (text[i] == ',' && i + 1 < text.size() && text[i + 1] != ' ') out += "\\:";
    }
  }
  return guarded(out);
}

std::string bold(std::string_view text) { return fmt::format("\\fB{}\\fR", escaped(text)); }

std::string syntax(std::string_view text) {
  constexpr std::string_view separators = " []|,=:();./+";
  std::string out;
  std::string word;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (separators.find(text[i]) == std::string_view::npos) {
      word += text[i];
      continue;
    }
    out += styled(word) + escaped(text[i]);
    word.clear();
  }
  return out + styled(word);
}

std::string section(std::string_view title) { return fmt::format(".SH {}\n", escaped(title)); }

std::string subsection(std::string_view title) { return fmt::format(".SS {}\n", escaped(title)); }

std::string entry(std::string_view term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, prose(text));
}

std::string paragraph(std::string_view text) { return fmt::format(".PP\n{}\n", prose(text)); }

std::string verbatim(const std::vector<std::string>& lines) {
  std::string out = ".PP\n.nf\n";
  for (const std::string& line : lines) {
    out += line.empty() ? "\\&\n" : guarded(escaped(line)) + "\n";
  }
  return out + ".fi\n";
}

std::string tidy(const std::string& page) {
  std::string out;
  bool begins = false;
  for (const std::string& line : cli::lines_of(page)) {
    if (begins && line == ".PP") continue;
    out += line + '\n';
    begins = line.starts_with(".SH ") || line.starts_with(".SS ");
  }
  return out;
}

std::string paragraphs(const std::string& text) {
  std::string out;
  std::string running;
  std::vector<std::string> kept;
  const auto end = [&] {
    while (!kept.empty() && kept.back().empty()) kept.pop_back();
    if (!running.empty()) out += paragraph(running);
    if (!kept.empty()) out += verbatim(kept);
    running.clear();
    kept.clear();
  };
  for (const std::string& line : cli::lines_of(text)) {
    const bool is_kept = line.starts_with(' ');
    if (line.empty() && !kept.empty()) {
      kept.push_back(line);
    } else if (line.empty()) {
      end();
    } else if (is_kept) {
      if (!running.empty()) end();
      kept.push_back(line);
    } else {
      if (!kept.empty()) end();
      running += (running.empty() ? "" : " ") + line;
    }
  }
  end();
  return out;
}

}  // namespace orrery::commands::roff
