// Causes that hide behind others of a network, found in what its rows attribute to each
// (hidden_causes.hpp), and put in their places.
#pragma once

#include <cstdint>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/signatures/hidden_causes.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// A cause that hides behind another, or behind the leaks.
struct Part {
  Elected cause;
  std::uint32_t behind;      ///< the number of causes: the leaks
  std::vector<double> rest;  ///< failures of the other without it; of the leaks: none
};

/// What is attributed to the n causes and (last) to the leaks, at root, holds these. A cause that
/// is a part of another gains more than `cause_cost` and its edges' costs. Collective.
std::vector<Part> find_parts(const learning::LearnContext& context,
                             const std::vector<Attribution>& attributed, std::size_t n,
                             double cause_cost);

/// The network with those that no other cause of it resembles; they are learned in `state` too.
/// Where one hid behind another, the rows of the one are no longer the other's.
model::NoisyOrNetwork with_parts(const model::NoisyOrNetwork& network, std::vector<Part> parts,
                                 State& state);

}  // namespace orrery::quartet
