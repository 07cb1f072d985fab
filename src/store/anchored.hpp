// /anchored as a part of a file.
#pragma once

#include "orrery/model/anchored_network.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Use inside writing(). Throws InputError if a name cannot be stored.
void write_anchored_group(const hdf5::Handle& root, const model::LearnedAnchored& learned);
/// Throws FormatError.
model::LearnedAnchored read_anchored_group(const StoredFile& file);

}  // namespace orrery::store
