// What is known of the structure beside the most probable network: the posterior of each variable's
// parents, other likely ones, and which variables are better off without any.
#pragma once

#include <vector>

#include "families/categorical/structural_ep/approximation.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "families/categorical/structural_ep/options.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// Variables whose most probable parents have less than --independent-below.
[[nodiscard]] std::vector<bool> unlikely_parents(const Shape& shape, const Posterior& posterior,
                                                 const Options& options);

/// The network of `approximation`, which holds the most probable structure, and what is known of
/// the others; `posterior` is what all structures together had. Collective.
[[nodiscard]] model::LearnedCategorical with_structures(Approximation& approximation,
                                                        const WeightedRows& observed,
                                                        const Posterior& posterior,
                                                        const Options& options);

}  // namespace orrery::structural_ep
