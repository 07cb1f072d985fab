#include "families/noisy_or/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string_view>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

std::string trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(blanks) - begin + 1));
}

/// Letters to insert, delete or replace. O(|a| |b|).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);  // from a prefix of a to each prefix of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<EdgeLine> parse_edge_list(const std::string& text, const std::string& path) {
  std::vector<EdgeLine> edges;
  std::istringstream stream(text);
  std::string raw;
  for (std::size_t number = 1; std::getline(stream, raw); ++number) {
    const std::string line = trim(raw);
    if (line.empty() || line[0] == '#') continue;
    const std::size_t comma = line.find(',');
    EdgeLine edge{trim(line.substr(0, comma)),
                  comma == std::string::npos ? "" : trim(line.substr(comma + 1)), number};
    if (edge.cause.empty() || edge.observed.empty()) {
      throw InputError(fmt::format(
          "{}: line {}: '{}' is no edge; write cause,variable (*,variable: every cause)", path,
          number, line));
    }
    edges.push_back(std::move(edge));
  }
  return edges;
}

std::string nearest_names(const std::string& name, const std::set<std::string>& known) {
  constexpr std::size_t shown = 3;
  std::vector<std::pair<std::size_t, std::string>> order;
  for (const std::string& other : known) order.emplace_back(edit_distance(name, other), other);
  std::ranges::sort(order);
  order.resize(std::min(order.size(), shown));
  std::string text;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool last = i + 1 == order.size();
    text += fmt::format("{}'{}'", i == 0 ? "" : last ? " or " : ", ", order[i].second);
  }
  return text;
}

}  // namespace orrery::noisy_or
