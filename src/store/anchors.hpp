// anchors/ and moments/ of the group of a noisy-OR network: which variables are anchors, how noisy
// they are, and the causes' moments as they were recovered. Each is absent where there are none.
#pragma once

#include <cstddef>
#include <vector>

#include "orrery/model/learned_model.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

void write_anchors(const hdf5::Handle& parent, const model::LearnedModel& learned);
void write_cause_moments(const hdf5::Handle& parent, const model::SubsetTables& moments);

// Each throws FormatError.

std::vector<model::Anchor> read_anchors(const hdf5::Handle& parent);
/// In the order of the file.
std::vector<model::AnchorRates> read_anchor_rates(const hdf5::Handle& parent,
                                                  std::size_t n_anchors);
model::SubsetTables read_cause_moments(const hdf5::Handle& parent, std::size_t n_causes);

}  // namespace orrery::store
