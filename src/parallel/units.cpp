#include "parallel/units.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

namespace orrery::parallel {

void Units::advance(std::uint64_t n, std::vector<std::uint64_t> given_back) {
  assert(n <= left());
  const std::uint64_t again = std::min<std::uint64_t>(n, returned.size());
  returned.erase(returned.begin(), returned.begin() + static_cast<std::ptrdiff_t>(again));
  next += n - again;
  returned.insert(returned.end(), given_back.begin(), given_back.end());
  std::ranges::sort(returned);
}

std::vector<double> hand_out(std::span<const double> weights, std::size_t ranks) {
  using Free = std::pair<double, std::size_t>;  // when, which rank
  std::priority_queue<Free, std::vector<Free>, std::greater<>> first;
  std::vector<double> loads(ranks, 0);
  for (std::size_t r = 0; r < ranks; ++r) first.emplace(0, r);
  for (const double weight : weights) {
    const std::size_t rank = first.top().second;
    first.pop();
    loads[rank] += weight;
    first.emplace(loads[rank], rank);
  }
  return loads;
}

double imbalance(std::span<const double> loads) {
  const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
  if (!(sum > 0)) return 0;
  return *std::ranges::max_element(loads) * static_cast<double>(loads.size()) / sum;
}

}  // namespace orrery::parallel
