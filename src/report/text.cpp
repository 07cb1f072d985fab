#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/progress.hpp"

namespace orrery::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Decoded {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes; 0: not UTF-8
};

/// The first code point of a non-empty text (RFC 3629: shortest form, no surrogates).
Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < least[length] || code > 0x10FFFF || surrogate) return {};
  return {code, length};
}

bool is_printable(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  return !control && code != 0xFFFE && code != 0xFFFF;
}

bool starts_character(char c) { return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded next = decode(text);
    const std::size_t length = std::max<std::size_t>(next.length, 1);
    if (next.length == 1 && (next.code == '\t' || next.code == '\n' || next.code == '\r')) {
      out += ' ';
    } else if (next.length == 0 || !is_printable(next.code)) {
      out += replacement;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string escape(std::string_view text) {
  std::string out;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shorten(std::string_view text, std::size_t max_characters) {
  std::string clean = clean_text(text);
  if (count_characters(clean) <= max_characters) return clean;
  std::size_t bytes = 0;
  for (std::size_t kept = 0; bytes < clean.size(); ++bytes) {
    if (starts_character(clean[bytes]) && ++kept == max_characters) break;
  }
  return clean.substr(0, bytes) + "\xE2\x80\xA6";
}

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= .01 && size < 1e5) return fmt::format("{:.3f}", value);
  if (size >= .001 && size < 1) return fmt::format("{:.4f}", value);
  std::string text = fmt::format("{:.1e}", value);
  std::size_t digits = text.find('e') + 1;  // "1.2e-04": the sign stays, the leading zero goes
  if (text[digits] == '+') text.erase(digits, 1);
  if (text[digits] == '-') ++digits;
  if (text[digits] == '0') text.erase(digits, 1);
  return text;
}

std::string count_of(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", format_count(n), noun, n == 1 ? "" : "s");
}

}  // namespace orrery::report
