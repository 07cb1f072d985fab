// The ones of bit-packed rows and columns.
#pragma once

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

}  // namespace orrery::data
