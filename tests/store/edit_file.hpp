// Changes files behind orrery's back, and looks at what is then said.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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

inline void expect_contains(const std::string& message, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
}

}  // namespace orrery::store
