// Bits in 64-bit words: the ones of rows and columns, bytes that spell bits, squares of bits that
// are transposed, and columns that are united.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "orrery/data/bit_columns.hpp"

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

// Bytes that spell bits, packed eight (or four) at a time within a 64-bit register.

static_assert(std::endian::native == std::endian::little,
              "byte i of a file must be byte i of a register");

inline constexpr std::uint64_t every_byte = 0x0101010101010101U;

inline std::uint64_t load_eight(const void* bytes) noexcept {
  std::uint64_t eight = 0;
  std::memcpy(&eight, bytes, sizeof eight);
  return eight;
}

/// Bit 0 of each of eight bytes, as an 8-bit number. The other bits must be zero. The product moves
/// bit 8 i to bit 56 + i; no two of its terms meet, so nothing is carried.
inline std::uint64_t gather_eight(std::uint64_t bytes) noexcept {
  return (bytes * 0x0102040810204080U) >> 56U;
}

/// Bit 0 of bytes 0, 2, 4 and 6 as a 4-bit number; the same, to bits 48 .. 51.
inline std::uint64_t gather_four(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t moves = (std::uint64_t{1} << 48U) | (std::uint64_t{1} << 33U) |
                                  (std::uint64_t{1} << 18U) | (std::uint64_t{1} << 3U);
  return ((bytes * moves) >> 48U) & 15U;
}

/// Packs n bytes, `zero` or `zero` + 1 (`zero` even), into the bits of ceil(n / 64) words. Calls
/// on_other(i) for any other byte; its bit is 0.
template <class OnOther>
void pack_bytes(const unsigned char* bytes, std::size_t n, unsigned char zero, std::uint64_t* words,
                OnOther&& on_other) {
  const std::uint64_t zeros = every_byte * zero;
  for (std::size_t begin = 0; begin < n; begin += 64) {
    const std::size_t end = std::min(n, begin + 64);
    std::uint64_t word = 0;
    for (std::size_t i = begin; i < end;) {
      if (end - i >= 8) {
        const std::uint64_t eight = load_eight(bytes + i) ^ zeros;
        if ((eight & ~every_byte) == 0) {
          word |= gather_eight(eight) << (i - begin);
          i += 8;
          continue;
        }
      }
      const unsigned bit = static_cast<unsigned>(bytes[i]) ^ zero;
      if (bit <= 1) {
        word |= std::uint64_t{bit} << (i - begin);
      } else {
        on_other(i);
      }
      ++i;
    }
    words[begin / 64] = word;
  }
}

/// Appends groups of bits to words, from bit 0 of the first.
class BitAppender {
 public:
  explicit BitAppender(std::uint64_t* words) noexcept : words_(words) {}

  /// The `n` low bits of `bits`, 1 <= n <= 8; the others must be zero.
  void put(std::uint64_t bits, unsigned n) noexcept {
    word_ |= bits << fill_;
    fill_ += n;
    if (fill_ >= 64) {
      fill_ -= 64;
      *words_++ = word_;
      word_ = bits >> (n - fill_);  // what did not fit: the last fill_ of n bits
    }
  }
  /// Writes the last word, if partly filled.
  void finish() noexcept {
    if (fill_ > 0) {
      *words_ = word_;
    }
  }

 private:
  std::uint64_t* words_;
  std::uint64_t word_ = 0;
  unsigned fill_ = 0;
};

// A 64 x 64 matrix of bits: rows of samples to words of columns and back.

using BitSquare = std::array<std::uint64_t, 64>;

/// Afterwards bit r of word c is what bit c of word r was. Swaps the two off-diagonal quarters of
/// the square, then those of each quarter, down to single bits: 6 * 32 exchanges.
inline void transpose(BitSquare& square) noexcept {
  std::uint64_t low_half = 0x00000000FFFFFFFFU;  // the lower `width` bits of every 2 * width
  for (std::size_t width = 32; width > 0; width /= 2) {
    for (std::size_t base = 0; base < 64; base += 2 * width) {
      for (std::size_t row = base; row < base + width; ++row) {
        const std::uint64_t differ = ((square[row] >> width) ^ square[row + width]) & low_half;
        square[row] ^= differ << width;
        square[row + width] ^= differ;
      }
    }
    low_half ^= low_half << (width / 2);
  }
}

// Columns that are unions of others: on where one of them is (Halpern, Horng, Sontag 2015, App. E:
// an anchor of several columns).

/// The columns that are made, in order.
struct ColumnUnions {
  std::vector<std::string> names;
  std::vector<std::vector<std::size_t>> members;  ///< columns of the samples; one or more each
};

/// Of values without a missing one.
[[nodiscard]] inline BitColumns unite(const BitColumns& block, const ColumnUnions& unions) {
  BitColumns united(unions.members.size(), block.n_rows());
  for (std::size_t c = 0; c < unions.members.size(); ++c) {
    const auto into = united.column(c);
    for (const std::size_t member : unions.members[c]) {
      const auto from = block.column(member);
      for (std::size_t w = 0; w < into.size(); ++w) into[w] |= from[w];
    }
  }
  return united;
}

}  // namespace orrery::data
