#include "families/categorical/structural_ep/distinct_rows.hpp"

#include <string>
#include <unordered_map>

namespace orrery::structural_ep {

std::optional<DistinctRows> distinct_rows(const data::CategoricalTable& table) {
  DistinctRows found;
  found.table.names = table.names;
  found.table.categories = table.categories;
  std::unordered_map<std::string, std::size_t> place;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const auto row = table.row(n);
    const auto [at, is_new] =
        place.try_emplace(std::string(row.begin(), row.end()), found.weights.size());
    if (!is_new) {
      found.weights[at->second] += 1;
      continue;
    }
    if (10 * (found.weights.size() + 1) > 9 * table.n_rows) return std::nullopt;
    found.weights.push_back(1);
    found.table.codes.insert(found.table.codes.end(), row.begin(), row.end());
    ++found.table.n_rows;
  }
  return found;
}

}  // namespace orrery::structural_ep
