// Arrays of HDF5 files that other programs wrote: numbers of any type as doubles, and texts, in
// bounded memory, compressed or not. Use inside reading().
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/stream_tables.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

/// A file that stays open as long as an array of it is read.
class ForeignFile {
 public:
  explicit ForeignFile(const std::filesystem::path& path);
  ForeignFile(const ForeignFile&) = delete;
  ForeignFile& operator=(const ForeignFile&) = delete;
  ~ForeignFile();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] const hdf5::Handle& root() const noexcept { return root_; }

 private:
  std::filesystem::path path_;
  hdf5::Handle root_;
};
using SharedFile = std::shared_ptr<const ForeignFile>;

class ForeignArray {
 public:
  /// `object` is a data set, `name` its path: "/X/data".
  ForeignArray(SharedFile file, hdf5::Handle object, std::string name);
  ForeignArray(const ForeignArray&) = delete;
  ForeignArray& operator=(const ForeignArray&) = delete;
  ~ForeignArray();

  /// "t.h5ad: /X/data"
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const std::vector<hsize_t>& shape() const noexcept { return shape_; }
  /// Whole numbers, real ones, or truth values.
  [[nodiscard]] bool holds_numbers() const;
  [[nodiscard]] bool holds_integers() const;
  [[nodiscard]] bool holds_texts() const;
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_->path(); }

  /// Throws InputError for an array that is kept in other files, whose pieces are too large for
  /// memory, or that announces far more than the file holds.
  void require_readable() const;
  /// Of pieces of the first dimension; 1 if the array lies in one.
  [[nodiscard]] hsize_t rows_of_chunk() const;
  /// Places `first` to first + n - 1 of the first dimension, all of the second one, if there is.
  void read_numbers(hsize_t first, hsize_t n, double* values) const;
  [[nodiscard]] std::vector<std::string> read_texts(hsize_t first, hsize_t n) const;

 private:
  [[nodiscard]] hdf5::Handle select(hsize_t first, hsize_t n) const;
  [[nodiscard]] std::vector<hsize_t> chunk() const;

  SharedFile file_;
  std::string name_;
  hdf5::Handle dataset_, type_;
  std::vector<hsize_t> shape_;
};

/// The numbers of an array of one dimension, or of two, row after row.
[[nodiscard]] std::unique_ptr<data::NumberStream> stream_of(
    std::shared_ptr<const ForeignArray> array);

/// The texts of an array of one dimension, by their number.
[[nodiscard]] data::RowNamer namer_of(std::shared_ptr<const ForeignArray> array);

/// Empty if there is no such attribute, or none of this type and size.
[[nodiscard]] std::optional<std::string> text_attribute(const hdf5::Handle& object,
                                                        const std::string& name);
[[nodiscard]] std::optional<std::vector<std::uint64_t>> integers_attribute(
    const hdf5::Handle& object, const std::string& name);

}  // namespace orrery::store
