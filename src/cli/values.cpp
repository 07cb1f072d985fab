#include "cli/values.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/output_file.hpp"
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

namespace {

/// The parts of a text between separators; a carriage return before a line end is not part of it.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    if (part.ends_with('\r')) part.remove_suffix(1);
    parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

std::vector<std::string> listed(const std::string& text) {
  if (!text.starts_with('@')) return split(text, ',');
  std::vector<std::string> names = split(read_text_file(text.substr(1)), '\n');
  std::erase(names, "");
  return names;
}

}  // namespace

std::vector<std::uint32_t> places_of_names(const std::string& option, const std::string& text,
                                           const std::vector<std::string>& names) {
  std::map<std::string_view, std::uint32_t> places;
  std::set<std::string_view> repeated;
  for (std::uint32_t i = 0; i < names.size(); ++i) {
    if (!places.emplace(names[i], i).second) repeated.insert(names[i]);
  }
  std::vector<std::uint32_t> found;
  std::set<std::uint32_t> seen;
  for (const std::string& name : listed(text)) {
    const auto place = places.find(name);
    if (place == places.end()) {
      throw UsageError(fmt::format(
          "{}: the model has no variable '{}'; names are separated by commas, or a line each in "
          "@FILE, and `orrery export MODEL --format csv -o -` shows them",
          option, name));
    }
    if (repeated.contains(name)) {
      throw UsageError(
          fmt::format("{}: two variables of the model are called '{}'; rename one", option, name));
    }
    if (!seen.insert(place->second).second) {
      throw UsageError(fmt::format("{}: '{}' stands there twice", option, name));
    }
    found.push_back(place->second);
  }
  if (found.empty()) throw UsageError(fmt::format("{}: lists no variable", option));
  return found;
}

}  // namespace orrery::cli
