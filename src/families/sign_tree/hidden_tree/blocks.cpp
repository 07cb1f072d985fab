// With missing values, of N rows, A the rows in which a variable is on or missing and M those in
// which it is missing, inclusion and exclusion give
//   both observed                  n     = N - |Ma| - |Mb| + |Ma Mb|
//   both observed and off          off   = N - |Aa| - |Ab| + |Aa Ab|
//   a off (so observed), b observed        N - |Aa| - |Mb| + |Aa Mb|
// Cost: one kernel count per pair, four with missing values.
#include "families/sign_tree/hidden_tree/blocks.hpp"

#include <algorithm>

#include "moments/pair_tiles.hpp"

namespace orrery::hidden_tree {
namespace {

using data::panel_lanes;

constexpr std::size_t least_side = 64;
constexpr std::size_t most_side = 256;
constexpr std::size_t wanted_ranges = 32;

std::size_t panels(std::size_t n) { return (n + panel_lanes - 1) / panel_lanes; }

std::size_t side_of(std::size_t p) {
  return std::clamp(panel_lanes * panels((p + wanted_ranges - 1) / wanted_ranges), least_side,
                    most_side);
}

}  // namespace

Blocks::Blocks(std::size_t p) : Blocks(p, side_of(p)) {}
Blocks::Blocks(std::size_t p, std::size_t side) : p_(p), side_(side), n_((p + side - 1) / side) {}

BlockShape Blocks::at(std::uint64_t unit) const noexcept {
  std::uint64_t range = 0;
  for (; unit >= n_ - range; ++range) unit -= n_ - range;
  const auto shape = [&](std::uint64_t number) {
    const std::size_t first = number * side_;
    return std::pair{static_cast<std::uint32_t>(first),
                     static_cast<std::uint32_t>(std::min(side_, p_ - first))};
  };
  const auto [first, n] = shape(range);
  const auto [other_first, other_n] = shape(range + unit);
  return {first, n, other_first, other_n};
}

std::size_t table_size(const BlockShape& block, bool may_miss) {
  return (may_miss ? 4 : 1) * panel_lanes * panels(block.n) * panel_lanes * panels(block.other_n);
}

void count_block(const data::BitPanels& values, const data::BitPanels* missing,
                 const BlockShape& block, std::size_t first_word, std::size_t n_words,
                 std::span<std::uint32_t> table) {
  const auto count = [&](const data::BitPanels& rows, const data::BitPanels& columns,
                         std::size_t layer) {
    const std::size_t size = table_size(block, false);
    moments::count_pair_block({rows, block.first / panel_lanes, panels(block.n)},
                              {columns, block.other_first / panel_lanes, panels(block.other_n)},
                              block.diagonal(), first_word, n_words,
                              table.subspan(layer * size, size));
  };
  count(values, values, 0);
  if (missing == nullptr) return;
  count(*missing, *missing, 1);
  count(values, *missing, 2);
  count(*missing, values, 3);
}

BlockCells::BlockCells(const Singles& singles, const BlockShape& block,
                       std::span<const std::uint32_t> table)
    : singles_(singles),
      block_(block),
      stride_(panel_lanes * panels(block.other_n)),
      layer_(table_size(block, false)),
      table_(table) {}

Cells BlockCells::operator()(std::uint32_t i, std::uint32_t j) const {
  const std::size_t a = block_.first + i;
  const std::size_t b = block_.other_first + j;
  const std::size_t place = i * stride_ + j;
  const auto narrow = [](std::uint64_t count) { return static_cast<std::uint32_t>(count); };
  const std::uint64_t n_rows = singles_.n_rows;
  if (singles_.missing.empty()) {
    return {narrow(n_rows), narrow(singles_.on[a]), narrow(singles_.on[b]), table_[place]};
  }
  const std::uint64_t n =
      n_rows + table_[layer_ + place] - singles_.missing[a] - singles_.missing[b];
  const std::uint64_t both_off = n_rows + table_[place] - singles_.on[a] - singles_.on[b];
  const std::uint64_t a_off =
      n_rows + table_[2 * layer_ + place] - singles_.on[a] - singles_.missing[b];
  const std::uint64_t b_off =
      n_rows + table_[3 * layer_ + place] - singles_.missing[a] - singles_.on[b];
  return {narrow(n), narrow(n - a_off), narrow(n - b_off), narrow(n + both_off - a_off - b_off)};
}

}  // namespace orrery::hidden_tree
