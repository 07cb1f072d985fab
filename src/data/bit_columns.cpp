#include "orrery/data/bit_columns.hpp"

#include <algorithm>
#include <bit>

namespace orrery::data {

void BitColumns::truncate(std::size_t n_rows) {
  const std::size_t n_words = (n_rows + 63) / 64;
  const std::uint64_t tail =
      n_rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << (n_rows % 64)) - 1;
  for (std::size_t c = 0; c < n_columns_; ++c) {
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(c * n_words_), n_words,
                words_.begin() + static_cast<std::ptrdiff_t>(c * n_words));
    if (n_words > 0) words_[c * n_words + n_words - 1] &= tail;
  }
  words_.resize(n_columns_ * n_words);
  n_rows_ = n_rows;
  n_words_ = n_words;
}

std::size_t block_rows(std::size_t n_columns) {
  constexpr std::size_t max_block_words = std::size_t{4} << 20U;  // 32 MiB
  const std::size_t words = max_block_words / std::max<std::size_t>(n_columns, 1);
  return 64 * std::clamp<std::size_t>(std::bit_floor(words), 1, 1024);
}

}  // namespace orrery::data
