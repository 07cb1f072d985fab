// Which HDF5 library reads and writes the files.
#pragma once

#include <string>

namespace orrery::store {

/// "1.10.8", of the library that is loaded.
std::string hdf5_version();

}  // namespace orrery::store
