#include "families/noisy_or/quartet/scan/round.hpp"

#include <algorithm>

namespace orrery::quartet {

std::vector<std::uint64_t> Round::later_siblings(std::size_t a) const {
  const auto all = siblings.row(a);
  std::vector<std::uint64_t> later(all.begin(), all.end());
  std::fill_n(later.begin(), a / 64, 0);
  later[a / 64] &= ~std::uint64_t{1} << (a % 64);
  return later;
}

std::size_t slab_bytes(std::size_t m, std::size_t n_siblings) {
  return n_siblings * (moments::row_stride(m) * 12 + (m + 63) / 64 * 8) + 4 * m;
}

std::size_t slabs_kept(const SiblingGraph& siblings, const Options& options) {
  std::size_t most = 1;  // siblings of one variable
  const std::size_t m = siblings.n_variables();
  for (std::size_t a = 0; a < m; ++a) most = std::max(most, siblings.n_later(a));
  const std::size_t of_a_unit = 2 * WorkPlan(m).side() + 1;
  return std::clamp<std::size_t>(options.slab_budget_bytes / slab_bytes(m, most), 2,
                                 std::max(of_a_unit, m));
}

}  // namespace orrery::quartet
