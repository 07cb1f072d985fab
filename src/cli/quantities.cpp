#include "cli/quantities.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::cli {
namespace {

using Unit = std::pair<const char*, double>;

double parse(const std::string& option, const std::string& text, std::initializer_list<Unit> units,
             const char* wanted) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && number >= 0 && std::isfinite(number)) {
    const std::string unit(rest, end);
    for (const auto& [name, factor] : units) {
      if (unit == name) return number * factor;
    }
  }
  throw UsageError(fmt::format("--{} {}: {}", option, text, wanted));
}

}  // namespace

double parse_duration(const std::string& option, const std::string& text) {
  return parse(option, text, {{"", 1}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}},
               "must be a time such as 90s, 5min or 2h");
}

double parse_size(const std::string& option, const std::string& text) {
  constexpr double k = 1024;
  return parse(option, text,
               {{"", 1},
                {"K", 1e3},
                {"M", 1e6},
                {"G", 1e9},
                {"T", 1e12},
                {"kB", 1e3},
                {"MB", 1e6},
                {"GB", 1e9},
                {"TB", 1e12},
                {"KiB", k},
                {"MiB", k * k},
                {"GiB", k * k * k},
                {"TiB", k * k * k * k}},
               "must be a size such as 500MB, 64MiB or 4G");
}

}  // namespace orrery::cli
