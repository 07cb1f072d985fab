#include "base/typed_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/near_names.hpp"
#include "base/text.hpp"

namespace orrery {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Takes the digits at the beginning of `text` away and returns them.
std::string_view take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::string_view digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

/// Takes "e6", "E-2" or "e+3" away; 0 if there is none. Nothing if what is there is no exponent.
std::optional<int> take_exponent(std::string_view& text) {
  constexpr int far = 100'000;  // no number has so many digits
  if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
  text.remove_prefix(1);
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) return std::nullopt;
  int exponent = 0;
  for (const char digit : digits) exponent = std::min(far, 10 * exponent + (digit - '0'));
  return is_negative ? -exponent : exponent;
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                         std::string_view dashes) {
  const std::vector<std::string> near = near_names(word, known);
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const char* const before = i == 0 ? "" : i + 1 == near.size() ? " or " : ", ";
    append_text(text, "{}{}{}", before, dashes, near[i]);
  }
  return text.empty() ? "" : fmt::format("; did you mean {}?", text);
}

std::optional<std::string> whole_digits(std::string_view text) {
  constexpr std::size_t most_digits = 100;
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  std::string digits(take_digits(text));
  std::string_view fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (digits.empty() && fraction.empty()) return std::nullopt;
  const std::optional<int> exponent = take_exponent(text);
  if (!exponent || !text.empty()) return std::nullopt;
  digits += fraction;
  int shift = *exponent - static_cast<int>(fraction.size());
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return "0";
  for (; shift < 0 && digits.ends_with('0'); ++shift) digits.pop_back();
  if (shift < 0) return std::nullopt;
  const auto n_zeros = static_cast<std::size_t>(shift);
  digits.append(std::min(n_zeros, most_digits + 1), '0');
  if (digits.size() > most_digits) digits.resize(most_digits + 1);
  return (is_negative ? "-" : "") + digits;
}

}  // namespace orrery
