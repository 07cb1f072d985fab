// A file of ours, opened to be spoilt through HDF5 itself: all metadata keeps valid checksums, so
// that a reader gets as far as the schema's own checks. For the tests and fuzz targets of readers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

enum class CellType : std::uint8_t {
  u8,
  u32,
  u64,
  i32,
  i64,
  f32,
  f64,
  big_u64,        ///< big-endian
  text,           ///< of fixed length, padded with null characters
  variable_text,  ///< of any length, kept elsewhere in the file
  complex,        ///< a compound of two f64
};
enum class Storage : std::uint8_t { contiguous, compact, chunked, deflated, elsewhere };

/// A dataset or attribute to be. `bytes` is cut or filled up with zeros.
struct Cells {
  CellType type = CellType::u64;
  std::size_t text_bytes = 1;          ///< of CellType::text
  std::vector<std::uint64_t> shape{};  ///< empty: a single value
  std::string bytes{};
  Storage storage = Storage::contiguous;
};

template <class T>
Cells cells_of(CellType type, const std::vector<T>& values, std::vector<std::uint64_t> shape) {
  const auto bytes = std::as_bytes(std::span(values));
  return {type, 1, std::move(shape), {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
}
Cells cells_of(const std::vector<std::string>& texts);

/// Where an attribute, or a dataset (no attribute) or a group (neither), is.
struct Place {
  std::string object;     ///< "/samples/bits"
  std::string attribute;  ///< "digest", or empty
  bool is_group = false;
};

/// Every edit says whether HDF5 obeyed.
class EditedHdf5 {
 public:
  explicit EditedHdf5(const std::filesystem::path& path);

  [[nodiscard]] std::vector<Place> places() const;
  /// The stored values of a dataset or attribute.
  [[nodiscard]] std::string bytes(const Place& place) const;
  /// New values of the same type and shape; cut or filled up with zeros.
  bool overwrite(const Place& place, std::string bytes);
  /// A dataset or attribute in place of whatever is there.
  bool put(const Place& place, const Cells& cells);
  bool put_group(const std::string& object);
  bool remove(const Place& place);
  bool link_hard(const std::string& object, const std::string& target);
  bool link_soft(const std::string& object, const std::string& target);
  /// The byte of the file at which the values of a dataset begin; 0 if they are nowhere.
  [[nodiscard]] std::uint64_t offset(const std::string& object) const;
  /// Gives every dataset the digest of its values, and /samples, /dense, /categorical and
  /// /checkpoint those of their parts.
  void repair_digests();

 private:
  using DigestOf = std::map<std::string, std::uint64_t>;  // of each dataset

  [[nodiscard]] std::uint64_t digest_of_values(const std::string& object) const;
  /// Of an attribute; 0 if it is absent.
  [[nodiscard]] std::uint64_t number(const Place& place) const;
  void put_digest(const std::string& object, std::uint64_t digest);
  void repair_blocks(DigestOf& digests, const std::string& bits, const std::string& blocks);
  void repair_samples(DigestOf& digests);
  void repair_dense(DigestOf& digests);
  void repair_categorical(DigestOf& digests);
  void repair_checkpoint(const DigestOf& digests);

  hdf5::LibraryLock lock_;
  hdf5::Handle file_;
};

}  // namespace orrery::store
