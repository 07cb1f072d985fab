#include "families/noisy_or/quartet/signatures/edge_turns.hpp"

#include <utility>

#include "families/noisy_or/quartet/constants.hpp"

namespace orrery::quartet {

model::NoisyOrNetwork EdgeTurns::without_returning(const model::NoisyOrNetwork& before,
                                                   const model::NoisyOrNetwork& after) {
  std::vector<bool> was(n_dropped_.size());
  std::vector<bool> is(n_dropped_.size());
  for (const model::Edge& edge : before.edges()) was[place(edge)] = true;
  for (const model::Edge& edge : after.edges()) is[place(edge)] = true;
  std::size_t n_dropped = 0;
  for (const model::Edge& edge : before.edges()) {
    if (is[place(edge)]) continue;
    ++n_dropped;
    ++n_dropped_[place(edge)];
  }
  drop_many_ =
      drop_many_ || n_dropped * constants::signatures::many_drops_of > before.edges().size();
  if (!drop_many_) return after;
  std::vector<model::Edge> kept = after.edges();
  std::erase_if(kept, [&](const model::Edge& edge) {
    return !was[place(edge)] && n_dropped_[place(edge)] >= constants::signatures::most_drops;
  });
  return {after.causes(), after.observed(), std::move(kept)};
}

void EdgeTurns::select(const std::vector<std::size_t>& causes) {
  std::vector<std::uint8_t> left;
  for (const std::size_t u : causes) {
    const auto first = n_dropped_.begin() + static_cast<std::ptrdiff_t>(u * m_);
    left.insert(left.end(), first, first + static_cast<std::ptrdiff_t>(m_));
  }
  n_dropped_ = std::move(left);
}

}  // namespace orrery::quartet
