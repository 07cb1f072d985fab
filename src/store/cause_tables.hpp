// cause_tables/ of the group of a noisy-OR network: how causes depend on one another. Lists of
// parents lie one behind the other, beside how long each is.
#pragma once

#include <cstddef>

#include "orrery/model/cause_network.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

void write_cause_tables(const hdf5::Handle& parent, const model::CauseNetwork& causes);
/// Throws FormatError, or what CauseNetwork throws.
model::CauseNetwork read_cause_tables(const hdf5::Handle& parent, std::size_t n_causes);

}  // namespace orrery::store
