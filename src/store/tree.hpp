// /tree as a part of a file.
#pragma once

#include "orrery/model/sign_tree.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Use inside writing(). Throws InputError if a name cannot be stored.
void write_tree_group(const hdf5::Handle& root, const model::LearnedTree& learned);
/// Throws FormatError.
model::LearnedTree read_tree_group(const StoredFile& file);

}  // namespace orrery::store
