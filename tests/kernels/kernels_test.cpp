// Every instruction set equals scalar exactly; scalar equals counting bit by bit.
#include "kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/wide_tile.hpp"
#include "orrery/base/error.hpp"

namespace orrery::kernels {
namespace {

constexpr std::size_t ragged_lengths[] = {0, 1, 2, 7, 15, 16, 17, 30, 31, 32, 63, 64, 65, 257};

std::vector<std::uint64_t> random_words(std::size_t n, std::uint32_t seed, int sparsity) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(n);
  for (auto& word : words) {
    word = random();
    for (int i = 0; i < sparsity; ++i) word &= random();
    if (random() % 16 == 0) word = ~std::uint64_t{0};
    if (random() % 16 == 0) word = 0;
  }
  return words;
}

std::vector<const Kernel*> fast_kernels() {
  std::vector<const Kernel*> kernels;
  for (const Isa isa : {Isa::avx2, Isa::avx512}) {
    if (const Kernel* kernel = find(isa)) kernels.push_back(kernel);
  }
  return kernels;
}

bool bit(const std::vector<std::uint64_t>& panel, std::size_t row, std::size_t lane) {
  return ((panel[8 * (row / 64) + lane] >> (row % 64)) & 1U) != 0;
}

TEST(Kernels, scalar_tile_counts_bit_by_bit) {
  const auto x = random_words(8 * 3, 1, 0);
  const auto y = random_words(8 * 3, 2, 1);
  std::vector<std::uint32_t> counts(8 * 11, 77);
  find(Isa::scalar)->tile(x.data(), y.data(), 3, counts.data(), 11);
  for (std::size_t r = 0; r < 8; ++r) {
    for (std::size_t c = 0; c < 8; ++c) {
      std::uint32_t expected = 0;
      for (std::size_t row = 0; row < 192; ++row) expected += bit(x, row, r) && bit(y, row, c);
      EXPECT_EQ(counts[11 * r + c], expected);
    }
    for (std::size_t c = 8; c < 11; ++c) EXPECT_EQ(counts[11 * r + c], 77U);  // stride respected
  }
}

TEST(Kernels, scalar_compaction_keeps_the_masked_bits_in_order) {
  const auto panel = random_words(8 * 5, 3, 0);
  const auto mask = random_words(5, 4, 1);
  const std::uint64_t flips[8] = {0, ~std::uint64_t{0}, 0, 0, ~std::uint64_t{0}, 0, 0, 0};
  std::vector<std::uint64_t> packed(8 * 6, 0);
  const std::size_t words =
      find(Isa::scalar)->compact(panel.data(), mask.data(), 1, 5, flips, packed.data());
  std::size_t kept = 0;
  for (std::size_t row = 0; row < 320; ++row) {
    if (((mask[row / 64] >> (row % 64)) & 1U) == 0) continue;
    for (std::size_t lane = 0; lane < 8; ++lane) {
      EXPECT_EQ(bit(packed, kept, lane), bit(panel, row, lane) != (flips[lane] != 0));
    }
    ++kept;
  }
  EXPECT_EQ(words, (kept + 63) / 64);
  for (std::size_t row = kept; row < 64 * words; ++row) {
    for (std::size_t lane = 0; lane < 8; ++lane) EXPECT_FALSE(bit(packed, row, lane));
  }
}

TEST(Kernels, fast_tiles_match_scalar_on_ragged_lengths) {
  for (const Kernel* kernel : fast_kernels()) {
    for (const std::size_t n : ragged_lengths) {
      for (int sparsity = 0; sparsity < 3; ++sparsity) {
        const auto x = random_words(8 * n, static_cast<std::uint32_t>(n), sparsity);
        const auto y = random_words(8 * n, static_cast<std::uint32_t>(n + 1000), 0);
        std::vector<std::uint32_t> expected(8 * 24, 5);
        std::vector<std::uint32_t> counts(8 * 24, 5);
        find(Isa::scalar)->tile(x.data(), y.data(), n, expected.data(), 24);
        kernel->tile(x.data(), y.data(), n, counts.data(), 24);
        EXPECT_EQ(counts, expected) << kernel->name << " at " << n << " words";
      }
    }
  }
}

TEST(Kernels, fast_tiles_do_not_overflow_on_all_ones) {
  const std::vector<std::uint64_t> ones(std::size_t{8} * 600, ~std::uint64_t{0});
  for (const Kernel* kernel : fast_kernels()) {
    std::vector<std::uint32_t> counts(64, 0);
    kernel->tile(ones.data(), ones.data(), 600, counts.data(), 8);
    EXPECT_EQ(counts, std::vector<std::uint32_t>(64, 600 * 64)) << kernel->name;
  }
}

TEST(Kernels, wide_tiles_add_what_two_scalar_tiles_count) {
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    if (find(isa) == nullptr) continue;
    for (const std::size_t n : ragged_lengths) {
      const auto seed = static_cast<std::uint32_t>(n);
      const auto x = random_words(8 * n, seed, 1);
      const auto y = random_words(8 * n, seed + 1000, 0);
      const auto z = random_words(8 * n, seed + 2000, 2);
      std::vector<std::uint32_t> expected(8 * 24, 0);
      find(Isa::scalar)->tile(x.data(), y.data(), n, expected.data(), 24);
      find(Isa::scalar)->tile(x.data(), z.data(), n, expected.data() + 8, 24);
      for (auto& count : expected) count += 5;
      std::vector<std::uint32_t> sums(8 * 24, 5);
      wide_tile(isa)(x.data(), y.data(), z.data(), n, y.data(), sums.data(), 24);
      EXPECT_EQ(sums, expected) << find(isa)->name << " at " << n << " words";
    }
  }
}

TEST(Kernels, fast_compaction_matches_scalar_on_ragged_lengths) {
  const std::uint64_t flips[8] = {0, ~std::uint64_t{0}, 0, ~std::uint64_t{0}, 0, 0, 0, 0};
  for (const Kernel* kernel : fast_kernels()) {
    for (const std::size_t n : ragged_lengths) {
      for (int sparsity = 0; sparsity < 4; ++sparsity) {
        for (const std::size_t stride : {std::size_t{1}, std::size_t{8}}) {
          const auto panel = random_words(8 * n, static_cast<std::uint32_t>(n), 0);
          const auto mask = random_words(stride * n, static_cast<std::uint32_t>(n + 9), sparsity);
          std::vector<std::uint64_t> expected(8 * (n + 1), 0);
          std::vector<std::uint64_t> packed(8 * (n + 1), 0);
          const std::size_t words =
              find(Isa::scalar)
                  ->compact(panel.data(), mask.data(), stride, n, flips, expected.data());
          ASSERT_EQ(kernel->compact(panel.data(), mask.data(), stride, n, flips, packed.data()),
                    words)
              << kernel->name << " at " << n << " words";
          expected.resize(8 * words);
          packed.resize(8 * words);
          EXPECT_EQ(packed, expected) << kernel->name << " at " << n << " words";
        }
      }
    }
  }
}

TEST(Kernels, scalar_lists_and_adds_rows_bit_by_bit) {
  const auto lines = random_words(8 * 70, 5, 1);
  const auto column = random_words(8 * 2, 6, 1);
  std::vector<std::uint16_t> rows(128 + 2);
  const std::size_t n = find(Isa::scalar)->list_rows(column.data() + 3, 8, 1, rows.data());
  std::vector<std::uint32_t> counts(strip_bits, 7);
  find(Isa::scalar)->add_rows(lines.data(), rows.data(), n, counts.data());
  std::vector<std::uint32_t> expected(strip_bits, 7);
  std::size_t n_on = 0;
  for (std::size_t r = 0; r < 64; ++r) {
    if (!bit(column, r, 3)) continue;
    ASSERT_EQ(rows[n_on++], r);
    for (std::size_t j = 0; j < strip_bits; ++j) {
      expected[j] += static_cast<std::uint32_t>((lines[8 * r + j / 64] >> (j % 64)) & 1U);
    }
  }
  EXPECT_EQ(n, n_on);
  EXPECT_EQ(counts, expected);
}

TEST(Kernels, scalar_transposition_turns_columns_to_rows) {
  const auto columns = random_words(std::size_t{512} * 2, 7, 0);
  auto rows = columns;
  find(Isa::scalar)->transpose(rows.data(), 2);
  for (std::size_t block = 0; block < 2; ++block) {
    for (std::size_t r = 0; r < 64; ++r) {
      for (std::size_t j = 0; j < strip_bits; ++j) {
        const auto in_row = rows[512 * block + 8 * r + j / 64] >> (j % 64);
        const auto in_column = columns[512 * block + 8 * (j % 64) + j / 64] >> r;
        ASSERT_EQ(in_row & 1U, in_column & 1U) << block << ' ' << r << ' ' << j;
      }
    }
  }
}

TEST(Kernels, fast_row_lists_match_scalar_on_ragged_lengths) {
  for (const Kernel* kernel : fast_kernels()) {
    for (const std::size_t n : ragged_lengths) {
      for (int sparsity = 0; sparsity < 6; ++sparsity) {
        for (const std::size_t stride : {std::size_t{1}, std::size_t{8}}) {
          const auto words = random_words(stride * n, static_cast<std::uint32_t>(n), sparsity);
          std::vector<std::uint16_t> expected(64 * n + 2);
          std::vector<std::uint16_t> rows(64 * n + 2);
          expected.resize(find(Isa::scalar)->list_rows(words.data(), stride, n, expected.data()));
          rows.resize(kernel->list_rows(words.data(), stride, n, rows.data()));
          EXPECT_EQ(rows, expected) << kernel->name << " at " << n << " words";
        }
      }
    }
  }
}

TEST(Kernels, fast_transpositions_match_scalar) {
  for (const Kernel* kernel : fast_kernels()) {
    for (const std::size_t n : {0U, 1U, 3U}) {
      auto expected = random_words(512 * n, 8, 0);
      auto lines = expected;
      find(Isa::scalar)->transpose(expected.data(), n);
      kernel->transpose(lines.data(), n);
      EXPECT_EQ(lines, expected) << kernel->name << " at " << n << " blocks";
    }
  }
}

TEST(Kernels, fast_row_sums_match_scalar_and_hold_all_rows_of_a_list) {
  const auto lines = random_words(8 * 100, 9, 0);
  const std::vector<std::uint64_t> ones(8 * 100, ~std::uint64_t{0});
  for (const Kernel* kernel : fast_kernels()) {
    for (const std::size_t n :
         {0U, 1U, 2U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 47U, 1000U, 65'535U}) {
      for (const auto& bits : {lines, ones}) {
        std::vector<std::uint16_t> rows(n);
        for (std::size_t i = 0; i < n; ++i) rows[i] = static_cast<std::uint16_t>(37 * i % 100);
        std::vector<std::uint32_t> expected(strip_bits, 70'000);
        std::vector<std::uint32_t> counts(strip_bits, 70'000);
        find(Isa::scalar)->add_rows(bits.data(), rows.data(), n, expected.data());
        kernel->add_rows(bits.data(), rows.data(), n, counts.data());
        EXPECT_EQ(counts, expected) << kernel->name << " at " << n << " rows";
      }
    }
  }
}

TEST(Kernels, forcing_proves_which_kernel_runs) {
  for (const Isa isa : {Isa::scalar, Isa::avx2, Isa::avx512}) {
    const Kernel* kernel = find(isa);
    if (kernel == nullptr) continue;
    force(kernel->name);
    EXPECT_EQ(&active(), kernel);
    EXPECT_EQ(active().isa, isa);
  }
  EXPECT_THROW(force("sse9"), UsageError);
}

}  // namespace
}  // namespace orrery::kernels
