// The subsets of a list, in an order that is the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::anchored {

/// C(n, k), exact for what fits into memory.
constexpr std::size_t binomial(std::size_t n, std::size_t k) noexcept {
  if (k > n) return 0;
  std::size_t product = 1;
  for (std::size_t i = 1; i <= k; ++i) product = product * (n - k + i) / i;
  return product;
}

/// Colexicographic: the last place varies slowest. Rising items give rising subsets.
template <class Use>  // void(std::span<const std::uint32_t> subset)
void for_each_subset(std::span<const std::uint32_t> items, std::size_t size, const Use& use) {
  if (size > items.size()) return;
  std::vector<std::size_t> places(size);
  std::vector<std::uint32_t> subset(size);
  for (std::size_t i = 0; i < size; ++i) places[i] = i;
  while (true) {
    for (std::size_t i = 0; i < size; ++i) subset[i] = items[places[i]];
    use(std::span<const std::uint32_t>(subset));
    std::size_t i = 0;
    while (i + 1 < size && places[i] + 1 == places[i + 1]) ++i;
    if (i == size || (i + 1 == size && places[i] + 1 == items.size())) return;
    ++places[i];
    for (std::size_t j = 0; j < i; ++j) places[j] = j;
  }
}

/// The set with one more member, in its place.
inline std::vector<std::uint32_t> with_member(std::span<const std::uint32_t> set,
                                              std::uint32_t member) {
  std::vector<std::uint32_t> larger;
  larger.reserve(set.size() + 1);
  bool placed = false;
  for (const std::uint32_t other : set) {
    if (!placed && other > member) {
      larger.push_back(member);
      placed = true;
    }
    larger.push_back(other);
  }
  if (!placed) larger.push_back(member);
  return larger;
}

/// Place of a member in a rising set.
inline std::size_t place_of(std::span<const std::uint32_t> set, std::uint32_t member) {
  std::size_t place = 0;
  while (place < set.size() && set[place] != member) ++place;
  return place;
}

}  // namespace orrery::anchored
