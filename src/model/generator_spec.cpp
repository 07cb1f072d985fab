// Purpose: reads the numbers and ranges of a generator's text; a UsageError names what is wrong.
// Names the variables and causes that a generator begins with.
#include "model/generator_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

// Digits and points alone: "1e-3" would read as a range.
bool is_plain_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

template <class T>
std::optional<T> parse_number(std::string_view text, T low, T high) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (!is_plain_number(text) || error != std::errc{} || stop != end) return std::nullopt;
  if (!(value >= low && value <= high)) return std::nullopt;
  return value;
}

// Ends of "LOW-HIGH", or of one value; empty if they are not numbers in rising order.
template <class T>
std::optional<std::pair<T, T>> parse_ends(std::string_view text, T low, T high) {
  const std::size_t dash = text.find('-');
  const auto first = parse_number<T>(text.substr(0, dash), low, high);
  const auto last =
      dash == std::string_view::npos ? first : parse_number<T>(text.substr(dash + 1), low, high);
  if (!first || !last || *first > *last) return std::nullopt;
  return std::pair{*first, *last};
}

}  // namespace

std::vector<SpecPart> split_spec(std::string_view argument) {
  std::vector<SpecPart> parts;
  for (std::size_t begin = 0; begin <= argument.size();) {
    const std::size_t comma = std::min(argument.find(',', begin), argument.size());
    const std::string_view part = argument.substr(begin, comma - begin);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      parts.push_back({{}, part});
    } else {
      parts.push_back({part.substr(0, equals), part.substr(equals + 1)});
    }
    begin = comma + 1;
  }
  return parts;
}

std::vector<std::string_view> parse_values(std::string_view form, std::string_view text,
                                           std::size_t n) {
  std::vector<std::string_view> values;
  for (const SpecPart& part : split_spec(text)) {
    if (part.key.empty()) values.push_back(part.value);
  }
  if (values.size() == n && split_spec(text).size() == n) return values;
  throw UsageError(fmt::format("{} needs {} values, got \"{}\"", form, n, text));
}

std::uint32_t parse_whole(std::string_view form, std::string_view text, std::uint32_t low,
                          std::uint32_t high) {
  const auto value = parse_number<std::uint32_t>(text, low, high);
  if (value) return *value;
  throw UsageError(
      fmt::format("{} needs a whole number {} to {}, got \"{}\"", form, low, high, text));
}

double parse_real(std::string_view form, std::string_view text, double low, double high) {
  const auto value = parse_number<double>(text, low, high);
  if (value) return *value;
  throw UsageError(fmt::format("{} needs a number {} to {}, got \"{}\"", form, low, high, text));
}

WholeRange parse_whole_range(std::string_view form, std::string_view text, std::uint32_t low,
                             std::uint32_t high) {
  const auto ends = parse_ends<std::uint32_t>(text, low, high);
  if (ends) return {ends->first, ends->second};
  throw UsageError(fmt::format(
      "{} needs a whole number {} to {}, or a rising range of them such as {}-{}, got \"{}\"", form,
      low, high, low, high, text));
}

RealRange parse_real_range(std::string_view form, std::string_view text, double high) {
  const auto ends = parse_ends<double>(text, 0.0, high);
  if (ends) return {ends->first, ends->second};
  throw UsageError(fmt::format(
      "{} needs a number 0 to {}, or a rising range of them such as 0.1-0.3, got \"{}\"", form,
      high, text));
}

std::vector<Observed> default_observed(std::uint32_t n, double leak) {
  std::vector<Observed> observed(n);
  for (std::uint32_t a = 0; a < n; ++a) observed[a] = {fmt::format("x{}", a), leak};
  return observed;
}

std::vector<Cause> default_causes(std::uint32_t n, double prior) {
  std::vector<Cause> causes(n);
  for (std::uint32_t c = 0; c < n; ++c) causes[c] = {fmt::format("cause{}", c), prior};
  return causes;
}

}  // namespace orrery::model
