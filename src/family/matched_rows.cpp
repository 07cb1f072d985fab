#include "family/matched_rows.hpp"

#include <algorithm>

#include "data/bit_transpose.hpp"

namespace orrery::family {

void MatchedRows::transpose(const data::BitColumns& block, std::size_t first,
                            std::vector<std::uint64_t>& rows) const {
  rows.resize(64 * n_words());
  for (std::size_t word = 0; word < n_words(); ++word) {
    data::BitSquare square{};
    const std::size_t n = std::min<std::size_t>(64, members_.size() - 64 * word);
    for (std::size_t c = 0; c < n; ++c) {
      for (const std::size_t member : members_[64 * word + c]) {
        square[c] |= block.column(member)[first / 64];
      }
    }
    data::transpose(square);
    for (std::size_t r = 0; r < 64; ++r) rows[r * n_words() + word] = square[r];
  }
}

void MatchedRows::load(const store::SampleReader::Block& block, std::size_t first) {
  transpose(block.values, first, values_);
  missing_.clear();
  if (!block.missing) return;
  transpose(*block.missing, first, missing_);
  for (std::size_t i = 0; i < missing_.size(); ++i) missing_[i] &= ~values_[i];
}

}  // namespace orrery::family
