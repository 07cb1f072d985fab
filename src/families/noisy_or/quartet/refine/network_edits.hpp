// Networks with a cause more or less, for the trials of refiner.hpp; and causes that stand for two
// others at once.
#pragma once

#include <cstddef>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::quartet {

[[nodiscard]] std::vector<std::size_t> all_causes(const model::NoisyOrNetwork& network);
/// The network of some of the causes, in this order.
[[nodiscard]] model::NoisyOrNetwork select(const model::NoisyOrNetwork& network,
                                           const std::vector<std::size_t>& chosen);
[[nodiscard]] model::NoisyOrNetwork without(const model::NoisyOrNetwork& network,
                                            std::size_t cause);
/// `failures`: m values, 1 where there is no edge; moved into a range that EM can leave.
[[nodiscard]] model::NoisyOrNetwork with(const model::NoisyOrNetwork& network,
                                         const model::Cause& cause,
                                         const std::vector<double>& failures);
/// Common children over all children of two causes.
[[nodiscard]] double jaccard(const std::vector<double>& failures,
                             const std::vector<double>& other_failures);
/// Cosine of two causes' strengths, 1 - failure; 0 where a cause has none.
[[nodiscard]] double cosine_of_strengths(const std::vector<double>& failures,
                                         const std::vector<double>& other_failures);
/// Leaks of independent variables, less what the causes explain.
[[nodiscard]] model::NoisyOrNetwork explain_leaks(const model::NoisyOrNetwork& network);

// Where two causes come together more often than chance, independent causes explain the rows of
// both by a third one.

/// True if a cause switches on what two others do together, about as surely, and neither of them
/// alone does. Cost: O(n^3 m) for n causes of m variables.
[[nodiscard]] bool has_composite(const model::NoisyOrNetwork& network);

}  // namespace orrery::quartet
