// Changes files behind orrery's back, and looks at what is then said.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/message_parts.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

inline void edit_file(const std::filesystem::path& path,
                      const std::function<void(hid_t file)>& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  change(file);
  ASSERT_GE(H5Fclose(file), 0);
}

template <class T>
void replace_attribute(hid_t file, const std::string& object, const std::string& name, hid_t type,
                       const T* value) {
  const hid_t id = H5Oopen(file, object.c_str(), H5P_DEFAULT);
  H5Adelete(id, name.c_str());
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(id, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, value);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Oclose(id);
}

/// The first value of a dataset.
template <class T>
void overwrite(hid_t file, const std::string& name, T value) {
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  const std::vector<hsize_t> one(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)), 1);
  const std::vector<hsize_t> zero(one.size(), 0);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, zero.data(), nullptr, one.data(), nullptr);
  const hid_t memory = H5Screate(H5S_SCALAR);
  H5Dwrite(dataset, hdf5::number_type<T>(), memory, space, H5P_DEFAULT, &value);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
}

/// Of a dataset whose values were changed.
inline void restore_digest(hid_t file, const std::string& dataset, std::uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016lx", static_cast<unsigned long>(digest));
  const hdf5::Handle type = hdf5::string_type(16);
  replace_attribute(file, dataset, "digest", type.id(), text);
}

}  // namespace orrery::store
