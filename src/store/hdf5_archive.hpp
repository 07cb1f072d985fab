// Models as groups of HDF5 files. Matrices lie row after row, as h5py users expect them.
#pragma once

#include <functional>

#include "store/archive.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

/// Takes fields out of a group. Use inside reading().
void read_hdf5_fields(const hdf5::Handle& group,
                      const std::function<void(Archive& archive)>& fields);
/// Puts fields into a new group. Use inside writing(). Throws InputError if a text cannot be
/// stored.
void write_hdf5_fields(const hdf5::Handle& group,
                       const std::function<void(Archive& archive)>& fields);

}  // namespace orrery::store
