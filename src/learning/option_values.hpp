// Values of learners' options, checked. All throw UsageError naming the option, its value and what
// it may be.
#pragma once

#include <fmt/format.h>

#include <array>
#include <boost/program_options/variables_map.hpp>
#include <cstddef>
#include <string>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::learning {

/// From `low` to `high`, both allowed.
template <class Number>
Number value_within(const boost::program_options::variables_map& values, const char* option,
                    Number low, Number high) {
  const Number value = values[option].as<Number>();
  if (!(value >= low && value <= high)) {
    throw UsageError(fmt::format("--{} {}: from {} to {}", option, value, low, high));
  }
  return value;
}

/// Above 0, up to `most`.
inline double positive_value(const boost::program_options::variables_map& values,
                             const char* option, double most) {
  const auto value = values[option].as<double>();
  if (!(value > 0 && value <= most)) {
    throw UsageError(
        fmt::format("--{} {}: a positive number, at most {}, is needed", option, value, most));
  }
  return value;
}

/// Level of a test: between 0 and 1.
inline double level_value(const boost::program_options::variables_map& values, const char* option) {
  const auto value = values[option].as<double>();
  if (!(value > 0 && value < 1)) {
    throw UsageError(fmt::format("--{} {}: more than 0, less than 1", option, value));
  }
  return value;
}

/// What the option's word stands for.
template <class Value, std::size_t n>
Value value_of_word(const boost::program_options::variables_map& values, const char* option,
                    const std::array<std::pair<const char*, Value>, n>& words) {
  const auto& text = values[option].as<std::string>();
  std::string known;
  for (std::size_t w = 0; w < n; ++w) {
    if (text == words[w].first) return words[w].second;
    known += w == 0 ? "" : w + 1 == n ? " or " : ", ";
    known += words[w].first;
  }
  throw UsageError(fmt::format("--{} {}: {}", option, text, known));
}

}  // namespace orrery::learning
