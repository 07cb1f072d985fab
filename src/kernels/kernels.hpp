// Bit counting, in the instruction sets of this machine. Nothing else is counted anywhere.
//
// A panel is eight columns of bits interleaved by word: lane i of word w at panel[8 w + i].
// All kernels give the same integers; `scalar` is the oracle of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace orrery::kernels {

/// Instruction sets by rising preference.
enum class Isa : std::uint8_t { scalar, avx2, avx512 };

struct Kernel {
  Isa isa;
  const char* name;

  /// counts[stride * r + c] = popcount(row lane r AND column lane c) over `n_words` words, for the
  /// 8x8 pairs of lanes. n_words < 2^25. Cost: 64 AND + popcount + add a word.
  void (*tile)(const std::uint64_t* row_panel, const std::uint64_t* column_panel,
               std::size_t n_words, std::uint32_t* counts, std::size_t stride);

  /// Keeps the bits of all eight lanes at which mask[mask_stride w] is set, packed to the front;
  /// lane i is XORed with flips[i] (0 or all ones) first. Returns the number of words written a
  /// lane, ceil(bits / 64); bits beyond the last are zero. `packed` has room for one word a
  /// lane more than that and does not overlap `panel`.
  std::size_t (*compact)(const std::uint64_t* panel, const std::uint64_t* mask,
                         std::size_t mask_stride, std::size_t n_words, const std::uint64_t* flips,
                         std::uint64_t* packed);

  /// Positions of the bits that are set in words[stride w], w < n_words <= 1024, ascending; returns
  /// how many. `rows` has room for two more.
  std::size_t (*list_rows)(const std::uint64_t* words, std::size_t stride, std::size_t n_words,
                           std::uint16_t* rows);

  /// Columns to rows, in place, a block of 64 rows after the other. Before, lane k of line c of a
  /// block is column 64 k + c of 512; after, line r is row r: bit c of its word k is that column.
  void (*transpose)(std::uint64_t* lines, std::size_t n_blocks);

  /// counts[j] += the listed rows in which bit j of 512 is set; row r is eight words at
  /// lines[8 r]. n_rows < 2^16.
  void (*add_rows)(const std::uint64_t* lines, const std::uint16_t* rows, std::size_t n_rows,
                   std::uint32_t* counts);
};

/// Bits of a row for Kernel::transpose and add_rows.
inline constexpr std::size_t strip_bits = 512;

/// The kernel of an instruction set; null if this machine lacks it.
const Kernel* find(Isa isa) noexcept;

/// The kernel in use: the best this machine has, or the one that ORRERY_KERNEL=scalar|avx2|avx512
/// names. Throws UsageError if that is unknown or not on this machine.
const Kernel& active();
/// Makes `name` the one in use (tests, benchmarks). Throws as active() does.
void force(std::string_view name);

}  // namespace orrery::kernels
