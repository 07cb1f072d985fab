// HDF5 files as other programs write them, small.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

class ForeignWriter {
 public:
  /// With checksums of metadata, or as most programs write it by default.
  explicit ForeignWriter(const std::filesystem::path& path, bool has_checksums = false);

  void group(const std::string& path);
  /// `chunk` empty: in one piece; else compressed.
  void numbers(const std::string& path, const std::vector<double>& values,
               const std::vector<hsize_t>& shape, hid_t type = H5T_NATIVE_DOUBLE,
               const std::vector<hsize_t>& chunk = {});
  void texts(const std::string& path, const std::vector<std::string>& texts);
  void text_attribute(const std::string& path, const std::string& name, const std::string& text);
  void shape_attribute(const std::string& path, const std::vector<std::int64_t>& shape);

 private:
  hdf5::LibraryLock lock_;
  hdf5::Handle file_;
};

/// AnnData: X of three cells and four genes, 0/1: 0101, 1000, 0000; layers/counts, by columns, is
/// 5 times that; other/dense holds it as numbers.
void write_anndata(const std::filesystem::path& path, bool has_checksums);

}  // namespace orrery::store
