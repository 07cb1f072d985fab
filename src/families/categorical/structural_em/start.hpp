// Where a restart begins: every cause is a parent of every variable, tables are random.
#pragma once

#include <cstdint>

#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_em {

/// `rows`: each row of a table is even over all distributions. `products`: a row is the product of
/// such a distribution for each cause's state, scaled to sum 1. The first says nothing of causes:
/// joint states are as many clusters, and EM finds which rows belong together, but not which bits
/// of their numbers do. With the second each cause has effects of its own from the start.
enum class StartKind : std::uint8_t { products, rows };

/// Causes "cause 1" ... with even priors; a function of (seed, restart, variable). Throws
/// InputError naming `source` if the causes have more than 2^16 joint states, or the tables more
/// than 2^24 entries.
[[nodiscard]] model::CategoricalNetwork random_start(const data::CategoricalTable& table,
                                                     std::size_t n_causes, std::size_t cardinality,
                                                     StartKind kind, std::uint64_t seed,
                                                     std::uint64_t restart,
                                                     const std::string& source);

/// Joint states of the causes, after the same checks.
[[nodiscard]] std::size_t count_joint_states(const data::CategoricalTable& table,
                                             std::size_t n_causes, std::size_t cardinality,
                                             const std::string& source);

}  // namespace orrery::structural_em
