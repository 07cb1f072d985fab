#include "families/noisy_or/variational_em/causes.hpp"

#include <algorithm>

namespace orrery::variational_em {

std::size_t best_number(const std::vector<Tried>& tried) {
  return std::ranges::max_element(tried,
                                  [](const Tried& x, const Tried& y) {
                                    return x.held_out < y.held_out ||
                                           (x.held_out == y.held_out && x.n_causes > y.n_causes);
                                  })
      ->n_causes;
}

std::optional<std::size_t> next_number(const std::vector<Tried>& tried, std::size_t most) {
  if (tried.empty()) return 1;
  const std::size_t best = best_number(tried);
  std::size_t below = 0;         // the next fewer that was tried; none: no causes
  std::size_t above = most + 1;  // the next more
  for (const Tried& other : tried) {
    if (other.n_causes < best) below = std::max(below, other.n_causes);
    if (other.n_causes > best) above = std::min(above, other.n_causes);
  }
  if (above > most && best < most) return std::min(2 * best, most);
  if (above - best <= 1 && best - below <= 1) return std::nullopt;
  return above - best >= best - below ? best + (above - best) / 2 : below + (best - below) / 2;
}

}  // namespace orrery::variational_em
