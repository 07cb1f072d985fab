// Where a stored model came from: attributes of its group.
#pragma once

#include "orrery/model/origin.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

void write_origin(const hdf5::Handle& group, const model::Origin& origin);
/// Throws FormatError.
model::Origin read_origin(const hdf5::Handle& group);

}  // namespace orrery::store
