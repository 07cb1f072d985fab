// Which variable of one list is which of another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::model {

/// The place among `to` of each of `from` (as many): by name if both have the same set, else by
/// position. O(n log n).
[[nodiscard]] std::vector<std::size_t> places_of_same_names(const std::vector<std::string>& from,
                                                            const std::vector<std::string>& to);

}  // namespace orrery::model
