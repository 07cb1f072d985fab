// Variables without causes: their tables, what a table's values are worth, and which variables of a
// learned network are more probable without parents than with those that they have.
//
// The paper's parent sets have a cause each, at least: with one cause there is one set, whose
// probability is 1 whatever the variable's values are. So a network is compared with independence
// once it is learned: by the Bayes factor of one table against a table per state of the parents,
// both with the learner's Dirichlet prior. Both are as likely beforehand: of few rows some true but
// weak edges go. A share of variables without parents, inferred with them, keeps those edges, but
// with them those of columns of noise (10 tables of 20 columns and 4 of noise, 150 to 1,000 rows).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// Column i by itself: its table is the posterior mean of frequencies whose Dirichlet prior has the
/// count `prior` of each category. Missing values count nothing. Cost: N.
[[nodiscard]] model::CategoricalVariable independent_variable(const WeightedRows& observed,
                                                              std::size_t i, double prior);

/// log p(column i) of such a variable, exactly: the integral over its frequencies.
[[nodiscard]] double independent_evidence(const WeightedRows& observed, std::size_t i,
                                          double prior);

/// The network without causes, with its exact evidence.
[[nodiscard]] model::LearnedCategorical independent_network(const WeightedRows& observed,
                                                            double prior);

/// Of each variable: by how many nats it is more probable without parents than with the best of the
/// parent sets. `bounds`: of the sets, D x sets (StructureBounds::of_sets).
[[nodiscard]] std::vector<double> independence_gains(const WeightedRows& observed, double prior,
                                                     std::span<const double> bounds);

/// "likes_tea does not depend on any cause: ..."; of many variables some by name. `are_left`: these
/// have no parents in the network. Empty without such a variable.
[[nodiscard]] std::string independence_remark(const std::vector<std::string>& names, bool are_left);

}  // namespace orrery::structural_ep
