// /model as a part of a file. Earlier versions called it /anchored where there were anchors; that
// is read too.
#pragma once

#include "orrery/model/learned_model.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Use inside writing(). Throws InputError if a name cannot be stored.
void write_model_group(const hdf5::Handle& root, const model::LearnedModel& model);
/// Throws FormatError.
model::LearnedModel read_model_group(const StoredFile& file);

}  // namespace orrery::store
