#include "model/same_names.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string_view>

namespace orrery::model {
namespace {

std::vector<std::size_t> in_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Place of each name, ascending by name; a repeated name follows its like.
std::vector<std::size_t> by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order = in_order(names.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::string_view(names[i]); });
  return order;
}

}  // namespace

std::vector<std::size_t> places_of_same_names(const std::vector<std::string>& from,
                                              const std::vector<std::string>& to) {
  assert(from.size() == to.size());
  const std::vector<std::size_t> of_from = by_name(from);
  const std::vector<std::size_t> of_to = by_name(to);
  std::vector<std::size_t> places(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    const std::string& name = from[of_from[k]];
    const bool repeated = k > 0 && name == from[of_from[k - 1]];
    if (repeated || name != to[of_to[k]]) return in_order(from.size());
    places[of_from[k]] = of_to[k];
  }
  return places;
}

}  // namespace orrery::model
