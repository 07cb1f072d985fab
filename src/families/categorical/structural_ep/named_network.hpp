// A network as others see it: its causes numbered by their children, from the most on, and their
// states from the most probable on; causes without children are left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// New numbers of causes and of their states. Causes without variables come last, and are no part
/// of the network.
struct Renaming {
  std::vector<std::uint32_t> new_cause;             // by the old number
  std::vector<std::uint32_t> old_cause;             // by the new one
  std::vector<std::vector<std::size_t>> old_state;  // by old cause and new state
  std::size_t n_kept = 0;                           // causes with variables
};

/// The new numbers of a set's causes, rising.
[[nodiscard]] std::vector<std::uint32_t> renamed(const ParentSet& set, const Renaming& names);
/// All of its causes are part of the network.
[[nodiscard]] bool is_kept(const ParentSet& set, const Renaming& names);

struct Named {
  model::CategoricalNetwork network;
  Renaming names;
};
/// `approximation` holds the most probable structure, of which it has the causes and parameters.
/// Variables that are `independent` get no parents. Collective.
[[nodiscard]] Named make_network(Approximation& approximation, const WeightedRows& observed,
                                 const std::vector<bool>& independent);

}  // namespace orrery::structural_ep
