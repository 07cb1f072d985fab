// Purpose: flips every step-th variable in a share of the rows.
// Source: Buhai et al. 2020 (IMG-FLIP: share 0.1, step 4).
// Cost: a random number per row; rows * m / (64 step) words.
#include "model/contamination.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "model/generator_spec.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {

Contamination parse_contamination(std::string_view form, std::string_view text,
                                  std::size_t n_observed) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    throw UsageError(fmt::format("{} needs SHARE:STEP, such as 0.1:4, got \"{}\"", form, text));
  }
  const double share =
      parse_real(fmt::format("{} SHARE:STEP: SHARE", form), text.substr(0, colon), 0, 1);
  const std::uint32_t step =
      parse_whole(fmt::format("{} SHARE:STEP: STEP", form), text.substr(colon + 1), 1,
                  static_cast<std::uint32_t>(n_observed));
  return {share, step};
}

void contaminate(data::BitColumns& block, const Contamination& contamination, std::uint64_t seed,
                 std::uint64_t first_row) {
  for (std::size_t word = 0; word < block.words_per_column(); ++word) {
    const std::size_t n_rows = std::min<std::size_t>(64, block.n_rows() - 64 * word);
    std::uint64_t chosen = 0;  // bit i: row 64 word + i of the block
    for (std::size_t i = 0; i < n_rows; ++i) {
      RowRandom random(seed, Stream::contamination, first_row + 64 * word + i);
      if (random.bernoulli(contamination.share)) chosen |= std::uint64_t{1} << i;
    }
    for (std::size_t a = 0; a < block.n_columns(); a += contamination.step) {
      block.column(a)[word] ^= chosen;
    }
  }
}

}  // namespace orrery::model
