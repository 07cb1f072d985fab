// Log-likelihood of rows that several processes share: under a noisy-OR network, by connected
// components, and under a tree of signs.
#pragma once

#include <cstddef>

#include "base/shared_sums.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"
#include "orrery/model/tree_inference.hpp"

namespace orrery::model {

/// Causes in the largest connected component (causes that share a child, directly or not).
std::size_t largest_component(const NoisyOrNetwork& network);

/// Of independent causes: mean log P(row) in nats over all rows; missing values are summed out.
/// Equal rows of a component are evaluated once. Per distinct row and component: negatives are
/// absorbed into the priors, causes without a positive child are summed out, the others (k) are
/// enumerated: O(2^k * k). Block sums are added in block order: the same bits for any number of
/// threads. -infinity if a row is impossible under the network. Throws UsageError if a component
/// has more than `max_component` causes, InputError if the data have another number of variables or
/// no row. Collective for those that `share` the rows: the same bits for any number of them.
double mean_log_likelihood(const NoisyOrNetwork& network, const data::SampleMatrix& samples,
                           std::size_t max_component = 20, const BlockShare& share = {});

/// The same for any number of causes, a little less: in each row, states that weigh less than 1e-7
/// of the heaviest are left out, and all but the heaviest where some hundred are left
/// (RowPosterior; an impossible variable counts as 1e-30). Of causes that form a forest: the states
/// that a wide Beam meets; UsageError of others that depend on one another. The same bits for any
/// number of threads.
double mean_log_likelihood_bound(const NoisyOrNetwork& network, const data::SampleMatrix& samples,
                                 const BlockShare& share = {});

/// As mean_log_likelihood(channel, samples), which works alone: the same bits. Collective.
double mean_log_likelihood(const TreeChannel& channel, const data::SampleMatrix& samples,
                           const BlockShare& share);

}  // namespace orrery::model
