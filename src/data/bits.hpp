// The ones of bit-packed rows and columns, from words and into them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace orrery::data {

/// Calls visit(first + i) for each bit i of the word that is set, ascending.
template <class Visit>
void for_each_bit(std::uint64_t word, std::size_t first, const Visit& visit) {
  for (; word != 0; word &= word - 1) {
    visit(first + static_cast<std::size_t>(std::countr_zero(word)));
  }
}

/// The same of bit i of word w as 64 w + i.
template <class Visit>
void for_each_bit(std::span<const std::uint64_t> words, const Visit& visit) {
  for (std::size_t w = 0; w < words.size(); ++w) for_each_bit(words[w], 64 * w, visit);
}

/// Bits at these places are set (bit i of word w: place 64 w + i), all others cleared.
template <class Place>
void set_bits(std::span<const Place> places, std::span<std::uint64_t> words) {
  std::ranges::fill(words, 0);
  for (const std::size_t place : places) words[place / 64] |= std::uint64_t{1} << (place % 64);
}

}  // namespace orrery::data
