// /checkpoint as a part of a file.
#pragma once

#include "store/checkpoint.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Throws FormatError.
Checkpoint read_checkpoint_group(const StoredFile& file);
/// Compares every digest, holding a small piece of one array. Throws FormatError.
void verify_checkpoint_group(const StoredFile& file);

}  // namespace orrery::store
