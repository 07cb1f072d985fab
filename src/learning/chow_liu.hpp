// Baselines without hidden causes: the best tree over the observed variables, and independence.
#pragma once

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/tree_tables.hpp"

namespace orrery::learning {

/// Chow & Liu 1968: the tree of the greatest likelihood. Throws InputError if there is no row.
model::TreeTables fit_chow_liu(const data::SampleMatrix& samples);
/// Every variable on its own.
model::TreeTables fit_independent(const data::SampleMatrix& samples);

/// Mean log P(row) in nats over all rows, of values that are observed as they are; missing values
/// are summed out. The same bits for any number of threads. Throws InputError if the data have
/// another number of variables or no row.
double mean_log_likelihood(const model::TreeTables& tree, const data::SampleMatrix& samples);

}  // namespace orrery::learning
