#include "families/noisy_or/quartet/signatures/attribution.hpp"

namespace orrery::quartet {

void Attribution::save(std::vector<std::uint32_t>& words) const {
  words.push_back(static_cast<std::uint32_t>(n_rows_));  // of one rank
  words.push_back(static_cast<std::uint32_t>(cells_.size() & 0xFFFFFFFF));
  words.push_back(static_cast<std::uint32_t>(cells_.size() >> 32U));
  words.insert(words.end(), cells_.begin(), cells_.end());
}

std::size_t Attribution::add(std::span<const std::uint32_t> words, std::size_t place) {
  n_rows_ += words[place];
  const std::size_t n = words[place + 1] + (std::size_t{words[place + 2]} << 32U);
  const auto cells = words.subspan(place + 3, n);
  cells_.insert(cells_.end(), cells.begin(), cells.end());
  return place + 3 + n;
}

std::vector<Attribution> gathered(const parallel::Team& team, std::vector<Attribution> own) {
  if (team.size() == 1) return own;
  std::vector<std::uint32_t> words;
  for (const Attribution& rows : own) rows.save(words);
  const std::size_t n = own.size();
  own.clear();
  const std::vector<std::uint32_t> all = team.gather(words);
  if (!team.is_root()) return {};
  own.resize(n);
  for (std::size_t place = 0; place < all.size();) {
    for (Attribution& rows : own) place = rows.add(all, place);
  }
  return own;
}

}  // namespace orrery::quartet
