// Who is whose partner: at the least sum of costs, or by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace orrery {

/// Minimum-cost assignment of rows to columns (Hungarian method with potentials, O(n^2 m));
/// n <= m. cost is n x m, row-major. Returns the column of each row. A cost that is not finite
/// forbids its pair: it is taken only where nothing else is left. Between equal sums the result is
/// a function of the costs alone (searches look at columns by rising index).
std::vector<std::size_t> assign(const std::vector<double>& cost, std::size_t n, std::size_t m);

/// The same for any n and m: -1 for the rows that are left over where n > m.
std::vector<std::int64_t> assign_partners(const std::vector<double>& cost, std::size_t n,
                                          std::size_t m);

/// The place among `to` of each of `from` (as many): by name if both have the same set, else by
/// position. O(n log n).
[[nodiscard]] std::vector<std::size_t> places_of_same_names(const std::vector<std::string>& from,
                                                            const std::vector<std::string>& to);

}  // namespace orrery
