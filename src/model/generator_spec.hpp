// The text of a generator: "name", or "name:argument,key=value,...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::model {

/// Both ends belong to it; a single value is a range of one.
struct WholeRange {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
};
struct RealRange {
  double low = 0;
  double high = 0;
};

/// One "key=value" of a generator; `form` names it in messages ("con: prior=P").
struct SpecPart {
  std::string_view key;
  std::string_view value;
};

/// "8-24,causes=4-16" becomes {"", "8-24"}, {"causes", "4-16"}.
std::vector<SpecPart> split_spec(std::string_view argument);

/// The `n` values of "60,10,0.3". UsageError naming `form` for another number of them, or a key.
std::vector<std::string_view> parse_values(std::string_view form, std::string_view text,
                                           std::size_t n);

/// A whole number from `low` to `high`. UsageError naming `form`, the numbers allowed, and `text`.
std::uint32_t parse_whole(std::string_view form, std::string_view text, std::uint32_t low,
                          std::uint32_t high);
double parse_real(std::string_view form, std::string_view text, double low, double high);
/// "8" or "8-24", both from `low` to `high`.
WholeRange parse_whole_range(std::string_view form, std::string_view text, std::uint32_t low,
                             std::uint32_t high);
/// "0.1" or "0.001-0.1", both from 0 to `high`.
RealRange parse_real_range(std::string_view form, std::string_view text, double high);

}  // namespace orrery::model
