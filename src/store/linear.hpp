// /linear as a part of a file.
#pragma once

#include "orrery/model/linear_network.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Use inside writing(). Throws InputError if a name cannot be stored.
void write_linear_group(const hdf5::Handle& root, const model::LearnedLinear& learned);
/// Throws FormatError.
model::LearnedLinear read_linear_group(const StoredFile& file);

}  // namespace orrery::store
