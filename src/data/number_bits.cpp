// What the numbers of a table mean as bits, and which of them are missing.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "data/cells.hpp"
#include "data/table_source.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

std::vector<double> numbers_of(const char* option, const std::vector<std::string>& tokens) {
  std::vector<double> numbers;
  for (const std::string& given : tokens) {
    const std::string_view token = trimmed(given);
    const bool has_sign = token.starts_with('+') && !token.starts_with("+-");
    double number = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data() + (has_sign ? 1 : 0), end, number);
    if (error != std::errc{} || stop != end) {
      throw UsageError(fmt::format(
          "{} {}: this table holds numbers, so a value must be a number, such as -999, or nan",
          option, in_quotes(given)));
    }
    numbers.push_back(number);
  }
  return numbers;
}

bool holds(const std::vector<double>& numbers, double value) {
  return std::ranges::find(numbers, value) != numbers.end();
}

}  // namespace

MissingNumbers::MissingNumbers(const std::vector<std::string>& tokens)
    : numbers_(numbers_of("--missing", tokens)) {
  has_nan_ = std::erase_if(numbers_, [](double number) { return std::isnan(number); }) > 0;
}

bool MissingNumbers::contains(double value) const noexcept {
  return holds(numbers_, value) || (has_nan_ && std::isnan(value));
}

NumberBits::NumberBits(const ImportOptions& options)
    : missing_(options.missing_tokens),
      threshold_(options.threshold),
      on_(numbers_of("--on", options.on_tokens)),
      off_(numbers_of("--off", options.off_tokens)),
      is_plain_(!threshold_ && on_.empty() && off_.empty() && missing_.is_empty()) {
  if (threshold_ && !(on_.empty() && off_.empty())) {
    throw UsageError(
        "--threshold: says of every number whether it is on; leave out --on and --off, or it");
  }
  for (const double number : on_) {
    if (!holds(off_, number) && !missing_.contains(number)) continue;
    throw UsageError(fmt::format("--on {}: has another meaning too; name it once", number));
  }
  for (const double number : off_) {
    if (!missing_.contains(number)) continue;
    throw UsageError(fmt::format("--off {}: has another meaning too; name it once", number));
  }
  const bool zero_and_one_are_values = !threshold_ && on_.empty() && off_.empty();
  for (const double number : {0.0, 1.0}) {
    if (!zero_and_one_are_values || !missing_.contains(number)) continue;
    throw UsageError(fmt::format(
        "--missing {}: 0 and 1 are values; say with --on and --off what other numbers are",
        number));
  }
}

unsigned NumberBits::meaning(double value) const {
  if (std::isnan(value) || missing_.contains(value)) return 2;
  if (std::isinf(value)) return 3;
  if (threshold_) return value > *threshold_ ? 1 : 0;
  if (holds(on_, value)) return 1;
  if (holds(off_, value)) return 0;
  return value == 0 ? 0 : value == 1 ? 1 : 3;
}

}  // namespace orrery::data
