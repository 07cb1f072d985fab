// /posterior as a part of a file.
#pragma once

#include "store/posterior.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

/// Everything of the group read and checked, in bounded memory. Throws FormatError.
void verify_posterior_group(const StoredFile& file);

}  // namespace orrery::store
