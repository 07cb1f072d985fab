#include "families/noisy_or/quartet/scan/coherent_quartets.hpp"

#include <bit>

#include "families/noisy_or/quartet/paper/mixture.hpp"

namespace orrery::quartet {

void CoherentQuartets::test(const QuartetRow& row, Found& found) {
  const auto [a, b, c] = row.abc;
  for (std::size_t w = c / 64; w < row.d.size(); ++w) {
    for (std::uint64_t left = row.d[w]; left != 0; left &= left - 1) {
      found.add_pretested(1);
      const std::size_t d = 64 * w + static_cast<std::size_t>(std::countr_zero(left));
      moments::QuartetMoments negative{};
      for (std::size_t set = 0; set < 8; ++set) {
        negative[set] = row.moments.without_d[set];
        negative[set + 8] = row.moments.with_d[set][d];
      }
      const auto result = coherence(negative);
      if (!result || !(result->variance < tau_q_) || !(result->distance < tau_q2_)) continue;
      found.accept({result->distance, {a, b, c, static_cast<std::uint32_t>(d)}});
    }
  }
}

}  // namespace orrery::quartet
