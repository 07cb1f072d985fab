#include "moments/pair_blocks.hpp"

#include <vector>

#include "moments/pair_tiles.hpp"

namespace orrery::moments {
namespace {

std::vector<const std::uint64_t*> pointers(const PanelRange& range, std::size_t first_word) {
  std::vector<const std::uint64_t*> panels(range.n);
  for (std::size_t p = 0; p < range.n; ++p) {
    panels[p] = range.values.panel(range.first + p) + data::panel_lanes * first_word;
  }
  return panels;
}

}  // namespace

void count_pair_block(const PanelRange& rows, const PanelRange& columns, bool upper,
                      std::size_t first_word, std::size_t n_words,
                      std::span<std::uint32_t> both_on) {
  count_tiles_of(pointers(rows, first_word), pointers(columns, first_word), upper, n_words,
                 data::panel_lanes * columns.n, both_on.data());
}

}  // namespace orrery::moments
