// What the built-in generators share: the text of one, "name" or "name:argument,key=value,...", and
// the variables and causes that all begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/model/network.hpp"

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

/// Rows of the random streams; the causes have those below.
inline constexpr std::uint64_t network_row = std::uint64_t{1} << 40U;
inline constexpr std::uint64_t first_observed_row = std::uint64_t{1} << 41U;

std::vector<Observed> default_observed(std::uint32_t n, double leak);
std::vector<Cause> default_causes(std::uint32_t n, double prior);

}  // namespace orrery::model
