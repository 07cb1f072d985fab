// /prediction as a part of a file.
#pragma once

#include "store/prediction.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Everything of the group read and checked, in bounded memory. Throws FormatError.
void verify_prediction_group(const StoredFile& file);

}  // namespace orrery::store
