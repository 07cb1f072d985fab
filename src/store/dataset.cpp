#include "store/dataset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>

#include "orrery/base/error.hpp"
#include "store/store.hpp"

namespace orrery::store {

using hdf5::check;
using hdf5::FormatError;
using hdf5::Handle;

namespace {

constexpr const char* damaged_remedy = "the file is damaged: restore a copy or write it anew";

std::string child_name(const Handle& group, const std::string& name) {
  return fmt::format("{}/{}", hdf5::object_name(group), name);
}

std::atomic<std::uint64_t> n_bytes_read{0};

Handle creation_properties() {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "create a property list");
  check(H5Pset_obj_track_times(properties.id(), false), "switch time stamps off");
  return properties;
}

/// The box [start, start + count) of a dataset.
Handle select_box(const Handle& dataset, const Shape& start, const Shape& count,
                  const std::string& action) {
  Handle space(H5Dget_space(dataset.id()), H5Sclose, action);
  check(
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      action);
  return space;
}

Handle packed_space(const Shape& count, const std::string& action) {
  return {H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose,
          action};
}

}  // namespace

std::uint64_t bytes_read() noexcept { return n_bytes_read; }

void write_digest_attribute(const Handle& object, const std::string& name, std::uint64_t digest) {
  hdf5::write_attribute(object, name, digest_to_hex(digest));
}

std::uint64_t read_digest_attribute(const Handle& object, const std::string& name) {
  const std::string text = hdf5::read_attribute<std::string>(object, name);
  const std::optional<std::uint64_t> digest = digest_from_hex(text);
  if (!digest) {
    throw FormatError(fmt::format("attribute {} of {} is '{}', not 16 hexadecimal digits; {}", name,
                                  hdf5::object_name(object), text, damaged_remedy));
  }
  return *digest;
}

hsize_t element_count(const Shape& shape) {
  hsize_t n = 1;
  for (const hsize_t extent : shape) {
    if (__builtin_mul_overflow(n, extent, &n)) {
      throw FormatError(
          fmt::format("a shape of {} cannot be; {}", fmt::join(shape, " x "), damaged_remedy));
    }
  }
  return n;
}

Dataset Dataset::create(const Handle& group, const std::string& name, hid_t type,
                        const Shape& shape) {
  Dataset dataset;
  dataset.name_ = child_name(group, name);
  dataset.shape_ = shape;
  const std::string action = "create " + dataset.name_;
  dataset.type_ = Handle(H5Tcopy(type), H5Tclose, action);
  dataset.element_bytes_ = H5Tget_size(type);
  const Handle space = packed_space(shape, action);
  dataset.handle_ = Handle(H5Dcreate2(group.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                      creation_properties().id(), H5P_DEFAULT),
                           H5Dclose, action);
  return dataset;
}

Dataset Dataset::create_growing(const Handle& group, const std::string& name, hid_t type,
                                hsize_t n_rows, const Shape& chunk) {
  return create_chunked(group, name, type, {n_rows, 0}, {n_rows, H5S_UNLIMITED}, chunk);
}

Dataset Dataset::create_growing_rows(const Handle& group, const std::string& name, hid_t type,
                                     hsize_t n_columns, hsize_t rows_of_chunk) {
  return create_chunked(group, name, type, {0, n_columns}, {H5S_UNLIMITED, n_columns},
                        {rows_of_chunk, n_columns});
}

Dataset Dataset::create_growing_list(const Handle& group, const std::string& name, hid_t type,
                                     hsize_t chunk) {
  return create_chunked(group, name, type, {0}, {H5S_UNLIMITED}, {chunk});
}

Dataset Dataset::create_chunked(const Handle& group, const std::string& name, hid_t type,
                                const Shape& shape, const Shape& limits, const Shape& chunk) {
  Dataset dataset;
  dataset.name_ = child_name(group, name);
  dataset.shape_ = shape;
  const std::string action = "create " + dataset.name_;
  dataset.type_ = Handle(H5Tcopy(type), H5Tclose, action);
  dataset.element_bytes_ = H5Tget_size(type);
  const Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), limits.data()),
                     H5Sclose, action);
  const Handle properties = creation_properties();
  check(H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()), action);
  // Cells of a chunk beyond the data are written as zeros, never as what memory held.
  check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_ALLOC), action);
  dataset.handle_ = Handle(H5Dcreate2(group.id(), name.c_str(), type, space.id(), H5P_DEFAULT,
                                      properties.id(), H5P_DEFAULT),
                           H5Dclose, action);
  return dataset;
}

Dataset Dataset::open_any(const Handle& group, const std::string& name) {
  Dataset dataset;
  dataset.name_ = child_name(group, name);
  const std::string action = "open " + dataset.name_;
  if (!hdf5::has_object(group, name)) {
    throw FormatError(fmt::format("there is no {}; write the file anew", dataset.name_));
  }
  dataset.handle_ = Handle(H5Dopen2(group.id(), name.c_str(), H5P_DEFAULT), H5Dclose, action);
  dataset.type_ = Handle(H5Dget_type(dataset.handle_.id()), H5Tclose, action);
  dataset.element_bytes_ = H5Tget_size(dataset.type_.id());
  const Handle space(H5Dget_space(dataset.handle_.id()), H5Sclose, action);
  const int rank = check(H5Sget_simple_extent_ndims(space.id()), action);
  dataset.shape_.resize(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), dataset.shape_.data(), nullptr), action);
  dataset.require_plain_storage();
  return dataset;
}

void Dataset::require_plain_storage() const {
  const std::string action = "look at the storage of " + name_;
  const Handle properties(H5Dget_create_plist(handle_.id()), H5Pclose, action);
  const bool filtered = check(H5Pget_nfilters(properties.id()), action) > 0;
  const H5D_layout_t layout = check(H5Pget_layout(properties.id()), action);
  if (filtered || layout == H5D_VIRTUAL ||
      check(H5Pget_external_count(properties.id()), action) > 0) {
    throw FormatError(fmt::format(
        "{} is compressed or kept elsewhere, which orrery never does; write the file anew", name_));
  }
  // Before anything of the claimed size is allocated.
  hsize_t file_bytes = 0;
  const Handle file(H5Iget_file_id(handle_.id()), H5Fclose, action);
  check(H5Fget_filesize(file.id(), &file_bytes), action);
  Shape extents = shape_;
  extents.push_back(element_bytes_);
  const hsize_t claimed = element_count(extents);
  const hsize_t stored = H5Dget_storage_size(handle_.id());
  if (claimed > stored || stored > file_bytes) {
    throw FormatError(fmt::format("{} should take {} bytes, but {} are stored in a file of {}; {}",
                                  name_, claimed, stored, file_bytes, damaged_remedy));
  }
}

Dataset Dataset::open(const Handle& group, const std::string& name, hid_t type, std::size_t rank) {
  Dataset dataset = open_any(group, name);
  if (check(H5Tequal(dataset.type_.id(), type), "look at the type of " + dataset.name_) == 0) {
    throw FormatError(
        fmt::format("{} has another type than schema 1 says; write the file anew", dataset.name_));
  }
  if (dataset.shape_.size() != rank) {
    throw FormatError(fmt::format("{} has {} dimensions, schema 1 says {}; write the file anew",
                                  dataset.name_, dataset.shape_.size(), rank));
  }
  return dataset;
}

Dataset Dataset::open_strings(const Handle& group, const std::string& name) {
  Dataset dataset = open_any(group, name);
  hdf5::require_fixed_string(dataset.type_, dataset.name_);
  if (dataset.shape_.size() != 1) {
    throw FormatError(fmt::format("{} has {} dimensions, schema 1 says 1; write the file anew",
                                  dataset.name_, dataset.shape_.size()));
  }
  return dataset;
}

void Dataset::require_shape(const Shape& expected) const {
  if (shape_ != expected) {
    throw FormatError(fmt::format("{} is {}, but must be {}; {}", name_, fmt::join(shape_, " x "),
                                  fmt::join(expected, " x "), damaged_remedy));
  }
}

void Dataset::extend(hsize_t n) {
  Shape shape = shape_;
  shape.back() = n;
  set_shape(shape);
}

void Dataset::extend_rows(hsize_t n) {
  Shape shape = shape_;
  shape.front() = n;
  set_shape(shape);
}

void Dataset::set_shape(const Shape& shape) {
  check(H5Dset_extent(handle_.id(), shape.data()), "extend " + name_);
  shape_ = shape;
}

void Dataset::write(const Shape& start, const Shape& count, const void* values) {
  if (element_count(count) == 0) {
    return;
  }
  const std::string action = "write " + name_;
  const Handle memory = packed_space(count, action);
  const Handle box = select_box(handle_, start, count, action);
  check(H5Dwrite(handle_.id(), type_.id(), memory.id(), box.id(), H5P_DEFAULT, values), action);
}

void Dataset::read(const Shape& start, const Shape& count, void* values) const {
  if (element_count(count) == 0) {
    return;
  }
  const std::string action = "read " + name_;
  const Handle memory = packed_space(count, action);
  const Handle box = select_box(handle_, start, count, action);
  check(H5Dread(handle_.id(), type_.id(), memory.id(), box.id(), H5P_DEFAULT, values), action);
  n_bytes_read += element_count(count) * element_bytes_;
}

void Dataset::require_digest(std::uint64_t computed) const {
  const std::uint64_t stored = stored_digest();
  if (stored != computed) {
    throw FormatError(fmt::format("the digest of {} is {}, but its values give {}; {}", name_,
                                  digest_to_hex(stored), digest_to_hex(computed), damaged_remedy));
  }
}

bool Dataset::is_of_strings() const {
  return check(H5Tget_class(type_.id()), "look at the type of " + name_) == H5T_STRING;
}

void verify_values(const Dataset& dataset) {
  Shape count = dataset.shape();
  Shape start(count.size(), 0);
  const hsize_t n = count.at(0);
  count[0] = 1;
  const hsize_t bytes = element_count(count) * dataset.element_bytes();
  const hsize_t per_piece = std::max<hsize_t>(1, (hsize_t{1} << 20U) / std::max<hsize_t>(1, bytes));
  std::vector<std::byte> piece(std::min(per_piece, n) * bytes);
  Digest digest;
  for (start[0] = 0; start[0] < n; start[0] += per_piece) {
    count[0] = std::min(per_piece, n - start[0]);
    dataset.read(start, count, piece.data());
    digest.add(std::span<const std::byte>(piece).first(count[0] * bytes));
  }
  dataset.require_digest(digest.value());
}

void verify_datasets(const Handle& group) {
  for (const std::string& name : hdf5::object_names(group)) {
    if (hdf5::is_group(group, name)) {
      verify_datasets(hdf5::open_group(group, name));
    } else if (const Dataset dataset = Dataset::open_any(group, name); dataset.is_of_strings()) {
      read_strings(group, name);
    } else {
      verify_values(dataset);
    }
  }
}

void require_storable_names(const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > longest_name) {
      throw InputError(fmt::format("name {} has {} bytes; shorten it to at most {}", i + 1,
                                   names[i].size(), longest_name));
    }
    if (names[i].find('\0') != std::string::npos) {
      throw InputError(fmt::format("name {} holds a null character; rename it", i + 1));
    }
  }
}

void write_strings(const Handle& group, const std::string& name,
                   const std::vector<std::string>& strings) {
  std::size_t length = 1;
  for (const std::string& text : strings) {
    length = std::max(length, text.size());
  }
  std::string packed(strings.size() * length, '\0');
  for (std::size_t i = 0; i < strings.size(); ++i) {
    packed.replace(i * length, strings[i].size(), strings[i]);
  }
  const Handle type = hdf5::string_type(length);
  Dataset dataset = Dataset::create(group, name, type.id(), {strings.size()});
  dataset.write({0}, {strings.size()}, packed.data());
  Digest digest;
  digest.add(strings);
  dataset.write_digest(digest.value());
  dataset.close();
}

std::vector<std::string> read_strings(const Handle& group, const std::string& name,
                                      std::optional<std::size_t> n) {
  const Dataset dataset = Dataset::open_strings(group, name);
  if (n) {
    dataset.require_shape({*n});
  }
  const std::size_t length = dataset.element_bytes();
  std::string packed(dataset.shape()[0] * length, '\0');
  dataset.read({0}, dataset.shape(), packed.data());
  std::vector<std::string> strings(dataset.shape()[0]);
  for (std::size_t i = 0; i < strings.size(); ++i) {
    strings[i] = packed.substr(i * length, length);
    strings[i].resize(strings[i].find_last_not_of('\0') + 1);
  }
  Digest digest;
  digest.add(strings);
  dataset.require_digest(digest.value());
  return strings;
}

}  // namespace orrery::store
