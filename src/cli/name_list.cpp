#include "cli/name_list.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string_view>

#include "base/output_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery::cli {
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
