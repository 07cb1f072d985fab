// From the best start to a network that others can use: the posterior of all structures, its most
// probable network, and other likely parents (section 5).
#pragma once

#include <cstddef>
#include <functional>

#include "families/categorical/structural_ep/options.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// The posterior that expectation propagation has from there, its most probable network (section
/// 5), and other likely parents of single variables.
[[nodiscard]] model::LearnedCategorical infer_network(const data::CategoricalTable& table,
                                                      const learning::RowShare& rows,
                                                      std::size_t n_causes, const Options& options,
                                                      const BestStart& best,
                                                      const std::function<bool()>& go_on = {});

}  // namespace orrery::structural_ep
