#include "base/near_names.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace orrery {

namespace {

std::string lower(std::string_view text) {
  std::string low(text);
  std::ranges::transform(low, low.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return low;
}

/// Letters to insert, leave out, replace, or swap with their neighbour until `a` is `b`.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& names) {
  constexpr std::size_t most_named = 3;
  constexpr std::size_t longest = 100;  // longer ones are no slips of the hand
  constexpr std::size_t shortest_part = 3;
  const std::string wanted = lower(name.substr(0, longest + 1));
  const std::size_t most_edits = 1 + wanted.size() / 4;
  std::vector<std::pair<std::size_t, std::size_t>> near;  // edits, place
  for (std::size_t i = 0; i < names.size() && wanted.size() <= longest; ++i) {
    if (names[i].size() > longest) continue;
    const std::string known = lower(names[i]);
    const bool is_part = wanted.size() >= shortest_part && known.find(wanted) != std::string::npos;
    const bool is_close =
        std::max(known.size(), wanted.size()) <= std::min(known.size(), wanted.size()) + most_edits;
    const std::size_t n = is_close ? edits(wanted, known) : most_edits + 1;
    // One letter for another is as far as can be.
    if (n <= most_edits && n < std::max(known.size(), wanted.size())) {
      near.emplace_back(n, i);
    } else if (is_part) {
      near.emplace_back(most_edits + 1, i);
    }
  }
  std::ranges::sort(near);
  std::vector<std::string> found;
  for (const auto& [n, i] : near) {
    if (found.size() < most_named) found.push_back(names[i]);
  }
  return found;
}

}  // namespace orrery
