// What every noisy-OR network in a file has: causes, observed, edges, and their standard errors.
// Messages name the group.
#pragma once

#include <string>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

/// causes/, observed/ and edges/ of `group`. Throws InputError if a name cannot be stored.
void write_network_parts(const hdf5::Handle& group, const model::NoisyOrNetwork& network,
                         const model::StandardErrors& errors);

/// In the order of the file. Throws FormatError, as all that follow.
std::vector<model::Edge> read_network_edges(const hdf5::Handle& group);
model::NoisyOrNetwork read_network(const hdf5::Handle& group, std::vector<model::Edge> edges);
/// Empty if there are none. Those of edges are in the order of the file, of `n_edges`: compare it
/// with the network's by require_same_order.
model::StandardErrors read_network_errors(const hdf5::Handle& group,
                                          const model::NoisyOrNetwork& network,
                                          std::size_t n_edges);
void require_same_order(const hdf5::Handle& group, const model::NoisyOrNetwork& network,
                        const std::vector<model::Edge>& edges);

/// Every value is in [0, greatest]; `or_nan`: or NaN. `name` is of the dataset.
void require_range(const std::vector<double>& values, double greatest, bool or_nan,
                   const std::string& name);

}  // namespace orrery::store
