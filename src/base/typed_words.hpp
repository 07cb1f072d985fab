// Words as people type them: names that are nearly right, whole numbers with an exponent.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

/// "; did you mean NAME?", to be put behind what is wrong; of several near names "NAME or NAME", of
/// none nothing. `dashes` stand before each: "--" of options.
[[nodiscard]] std::string did_you_mean(std::string_view word, const std::vector<std::string>& known,
                                       std::string_view dashes = "");

/// The decimal digits of a whole number, with its sign if that is a minus: "1000000" of "1e6", "15"
/// of "1.5e1", "-2" of "-2.0". Exact: no number of floating point is on the way. Nothing of a text
/// that is no number, or a number that is not whole. A number of more than 100 digits is cut off at
/// 101: it fits nowhere.
[[nodiscard]] std::optional<std::string> whole_digits(std::string_view text);

/// The whole number that `text` is; nothing if it is none, or does not fit.
template <class Integer>
std::optional<Integer> parse_whole(std::string_view text) {
  const std::optional<std::string> digits = whole_digits(text);
  if (!digits) return std::nullopt;
  Integer value{};
  const auto [end, error] = std::from_chars(digits->data(), digits->data() + digits->size(), value);
  if (error != std::errc() || end != digits->data() + digits->size()) return std::nullopt;
  return value;
}

}  // namespace orrery
