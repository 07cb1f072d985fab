// The marginal likelihood of data under a structure that is given, as the paper's Figures 4 and 5
// and Table 3 have it: p(data | parents of each variable), all parameters and causes integrated
// out by expectation propagation (Eqs. 10-12).
//
// A variable may have any number of parents up to six causes of two states: each set of parents is
// a product cause (section 4.4), and only those that the structure has are there. Parameters have
// the prior Dirichlet(1, ..., 1) and causes a uniform one, as when a structure is learned; of the
// network's own tables the run only takes where it starts from, the most probable states of the
// causes. So two structures are compared, and not two sets of parameters.
//
// Cost: up to 200 sweeps; of a row D products over a set's states and as many projections.
// Memory: messages.hpp, with the sets of the structure alone.
#pragma once

#include "learning/row_sums.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/model/categorical_network.hpp"

namespace orrery::structural_ep {

/// log p(table | the parents that `network` has); the table is in the network's order
/// (model::in_order_of). Throws InputError for causes of different or of more than 8 states, and
/// for a variable whose parents have more than 64 states together. Collective.
[[nodiscard]] double log_marginal_likelihood(const model::CategoricalNetwork& network,
                                             const data::CategoricalTable& table,
                                             const learning::RowShare& rows);

/// Memory of that, of a row of the rank that has it. Throws as it does.
[[nodiscard]] double bytes_a_row(const model::CategoricalNetwork& network);

}  // namespace orrery::structural_ep
