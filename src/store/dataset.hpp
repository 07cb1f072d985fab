// Datasets of the schema: created plain (no filters, no time stamps), opened with every claim
// checked against the file before anything is allocated, each with its digest; and the groups in
// which a model's fields stand.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "orrery/data/sample_sink.hpp"
#include "store/digest.hpp"
#include "store/hdf5_wrapper.hpp"

namespace orrery::store {

/// The remedy in a message on a file with what orrery never writes.
inline constexpr const char* not_ours = "the file was not written by orrery; write it anew";

using Shape = std::vector<hsize_t>;

void write_digest_attribute(const hdf5::Handle& object, const std::string& name,
                            std::uint64_t digest);
/// Throws FormatError if it is absent or not 16 hexadecimal digits.
std::uint64_t read_digest_attribute(const hdf5::Handle& object, const std::string& name);

/// Number of elements; throws FormatError if it exceeds 2^64.
hsize_t element_count(const Shape& shape);

class Dataset {
 public:
  /// Contiguous, written by its maker from end to end.
  static Dataset create(const hdf5::Handle& group, const std::string& name, hid_t type,
                        const Shape& shape);
  /// Two-dimensional, without columns at first, grown by extend(); unwritten cells are zero.
  static Dataset create_growing(const hdf5::Handle& group, const std::string& name, hid_t type,
                                hsize_t n_rows, const Shape& chunk);
  /// Two-dimensional, without rows at first, grown by extend_rows().
  static Dataset create_growing_rows(const hdf5::Handle& group, const std::string& name, hid_t type,
                                     hsize_t n_columns, hsize_t rows_of_chunk);
  /// One-dimensional and empty at first, grown by extend().
  static Dataset create_growing_list(const hdf5::Handle& group, const std::string& name, hid_t type,
                                     hsize_t chunk);
  /// Throws FormatError if it is absent, filtered, virtual or kept in another file, of another type
  /// or rank, or if its storage is not wholly inside the file.
  static Dataset open(const hdf5::Handle& group, const std::string& name, hid_t type,
                      std::size_t rank);
  static Dataset open_strings(const hdf5::Handle& group, const std::string& name);
  /// Of any type and shape.
  static Dataset open_any(const hdf5::Handle& group, const std::string& name);

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] hsize_t element_bytes() const noexcept { return element_bytes_; }
  [[nodiscard]] bool is_of_strings() const;
  /// Throws FormatError naming both shapes.
  void require_shape(const Shape& expected) const;

  /// The last dimension.
  void extend(hsize_t n);
  /// The first dimension.
  void extend_rows(hsize_t n);
  /// The box of `count` cells from `start`, packed row by row.
  void write(const Shape& start, const Shape& count, const void* values);
  void read(const Shape& start, const Shape& count, void* values) const;

  void write_digest(std::uint64_t digest) { write_digest_attribute(handle_, "digest", digest); }
  [[nodiscard]] std::uint64_t stored_digest() const {
    return read_digest_attribute(handle_, "digest");
  }
  /// Throws FormatError naming both digests.
  void require_digest(std::uint64_t computed) const;
  void close() { handle_.close(); }

 private:
  static Dataset create_chunked(const hdf5::Handle& group, const std::string& name, hid_t type,
                                const Shape& shape, const Shape& limits, const Shape& chunk);
  void require_plain_storage() const;
  void set_shape(const Shape& shape);

  hdf5::Handle handle_;
  hdf5::Handle type_;
  std::string name_;
  Shape shape_;
  hsize_t element_bytes_ = 0;
};

/// A whole array of numbers with its digest, which is returned.
template <class T>
std::uint64_t write_array(const hdf5::Handle& group, const std::string& name,
                          std::span<const T> values, const Shape& shape) {
  Dataset dataset = Dataset::create(group, name, hdf5::number_type<T>(), shape);
  dataset.write(Shape(shape.size(), 0), shape, values.data());
  const std::uint64_t digest = digest_of(values);
  dataset.write_digest(digest);
  dataset.close();
  return digest;
}
template <class T>
std::uint64_t write_array(const hdf5::Handle& group, const std::string& name,
                          const std::vector<T>& values) {
  return write_array(group, name, std::span<const T>(values), {values.size()});
}

/// All values, of the type that it was opened with. Throws FormatError if the digest differs.
template <class T>
std::vector<T> read_values(const Dataset& dataset) {
  std::vector<T> values(element_count(dataset.shape()));
  dataset.read(Shape(dataset.shape().size(), 0), dataset.shape(), values.data());
  dataset.require_digest(digest_of(std::span<const T>(values)));
  return values;
}
/// The same, but keeps nothing: 1 MiB, or what stands at one place of the first dimension, is held
/// at a time.
void verify_values(const Dataset& dataset);
/// All datasets of a group and of the groups inside it.
void verify_datasets(const hdf5::Handle& group);

/// Throws FormatError if the shape is not `expected` or the digest differs.
template <class T>
std::vector<T> read_array(const hdf5::Handle& group, const std::string& name,
                          const Shape& expected) {
  const Dataset dataset = Dataset::open(group, name, hdf5::number_type<T>(), expected.size());
  dataset.require_shape(expected);
  return read_values<T>(dataset);
}

/// One member of every entry, as a dataset's values.
template <class T, class Entry, class Member>
std::vector<T> gather(const std::vector<Entry>& entries, Member member) {
  std::vector<T> values;
  values.reserve(entries.size());
  for (const Entry& entry : entries) {
    values.push_back(entry.*member);
  }
  return values;
}

/// The longest string stored, in bytes: every string of a dataset takes the longest one's room.
using data::longest_name;
/// Throws InputError if a name is longer than that or holds a null character, which pads.
void require_storable_names(const std::vector<std::string>& names);

/// Strings of any length without null characters, with their digest.
void write_strings(const hdf5::Handle& group, const std::string& name,
                   const std::vector<std::string>& strings);
/// `n` is the expected number, if known.
std::vector<std::string> read_strings(const hdf5::Handle& group, const std::string& name,
                                      std::optional<std::size_t> n = std::nullopt);

// One-dimensional datasets that are written and read in pieces, in bounded memory.

inline constexpr hsize_t most_in_chunk = 65536;

/// Small data make a small file.
inline hsize_t chunk_of(std::uint64_t n_rows) {
  return std::clamp<hsize_t>(n_rows, 1, most_in_chunk);
}

/// A one-dimensional dataset that grows as its values come.
template <class T>
class ValueStream {
 public:
  ValueStream(const hdf5::Handle& group, const std::string& name, std::uint64_t n_rows)
      : dataset_(
            Dataset::create_growing_list(group, name, hdf5::number_type<T>(), chunk_of(n_rows))) {}

  void append(std::span<const T> values) {
    dataset_.extend(n_ + values.size());
    dataset_.write({n_}, {values.size()}, values.data());
    digest_.add(values);
    n_ += values.size();
  }
  void append(const std::vector<T>& values) { append(std::span<const T>(values)); }
  void finish() {
    dataset_.write_digest(digest_.value());
    dataset_.close();
  }

 private:
  Dataset dataset_;
  Digest digest_;
  hsize_t n_ = 0;
};

/// The values, n of them, in order and in pieces, then their digest.
template <class T, class Visit>
void for_each_value(const hdf5::Handle& group, const std::string& name, std::uint64_t n,
                    const Visit& visit) {
  const Dataset dataset = Dataset::open(group, name, hdf5::number_type<T>(), 1);
  dataset.require_shape({n});
  std::vector<T> piece;
  Digest digest;
  for (std::uint64_t first = 0; first < n; first += most_in_chunk) {
    piece.resize(std::min<std::uint64_t>(most_in_chunk, n - first));
    dataset.read({first}, {piece.size()}, piece.data());
    digest.add(std::span<const T>(piece));
    for (const T value : piece) visit(value);
  }
  dataset.require_digest(digest.value());
}

/// n values that are at most `most`; for probabilities NaN is allowed, for others there is none.
template <class T>
void read_bounded(const hdf5::Handle& group, const std::string& name, std::uint64_t n, T most,
                  std::vector<T>* into) {
  for_each_value<T>(group, name, n, [&](T value) {
    if (value < 0 || value > most) {
      throw hdf5::FormatError(fmt::format("{}/{} holds {}, but must be from 0 to {}; {}",
                                          hdf5::object_name(group), name, value, most, not_ours));
    }
    if (into != nullptr) into->push_back(value);
  });
}

template <class T>
void read_any(const hdf5::Handle& group, const std::string& name, std::uint64_t n,
              std::vector<T>* into) {
  for_each_value<T>(group, name, n, [&](T value) {
    if (into != nullptr) into->push_back(value);
  });
}

// Where a model's fields stand in an HDF5 file.

/// "causes/prior" is the dataset "prior" of the group "causes"; "stability@resamples" the attribute
/// "resamples" of the group "stability"; the model's own group has no name.
struct FieldPlace {
  std::string group;
  std::string name;
};
inline FieldPlace split(const std::string& path, char separator) {
  const std::size_t at = path.rfind(separator);
  if (at == std::string::npos) return {"", path};
  return {path.substr(0, at), path.substr(at + 1)};
}
inline FieldPlace dataset_place(const std::string& path) { return split(path, '/'); }
inline FieldPlace attribute_place(const std::string& path) { return split(path, '@'); }

/// The groups below the model's own, opened or made when they are first asked for.
class FieldGroups {
 public:
  FieldGroups(const hdf5::Handle& root, bool writes) : root_(root), writes_(writes) {}

  const hdf5::Handle& at(const std::string& path) {
    if (path.empty()) return root_;
    if (const auto found = open_.find(path); found != open_.end()) return found->second;
    const FieldPlace place = dataset_place(path);
    const hdf5::Handle& parent = at(place.group);
    hdf5::Handle group =
        writes_ ? hdf5::create_group(parent, place.name) : hdf5::open_group(parent, place.name);
    return open_.emplace(path, std::move(group)).first->second;
  }
  /// True if the file has the group, or the object in it.
  [[nodiscard]] bool has(const std::string& path) {
    if (path.empty()) return true;
    const FieldPlace place = dataset_place(path);
    return has(place.group) && hdf5::has_object(at(place.group), place.name);
  }
  /// Buffered data is written here.
  void close() {
    // From the innermost group outwards.
    for (auto group = open_.rbegin(); group != open_.rend(); ++group) group->second.close();
    open_.clear();
  }

 private:
  const hdf5::Handle& root_;
  bool writes_;
  std::map<std::string, hdf5::Handle> open_;
};

}  // namespace orrery::store
