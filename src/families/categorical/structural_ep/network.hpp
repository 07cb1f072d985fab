// From a posterior to a network that others can use.
#pragma once

#include "families/categorical/structural_ep/inference.hpp"
#include "families/categorical/structural_ep/options.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// `inference` holds the most probable structure, of which it has the causes and parameters;
/// `posterior` is what all structures together had. Causes are numbered by their children, from the
/// most on; states of a cause from the most probable on. Priors of causes are the means of their
/// posteriors in the rows (with one count per state): inference itself takes them for uniform, as
/// the paper does. Collective.
[[nodiscard]] model::LearnedCategorical make_network(Inference& inference,
                                                     const data::CategoricalTable& table,
                                                     const Posterior& posterior,
                                                     const Options& options);

}  // namespace orrery::structural_ep
