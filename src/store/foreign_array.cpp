#include "store/foreign_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "store/stored_file.hpp"

namespace orrery::store {

using hdf5::check;
using hdf5::Handle;

namespace {

constexpr hsize_t most_chunk_bytes = hsize_t{256} << 20U;

/// A text of the file's making on one line.
std::string plain(const std::string& text) {
  const std::string quoted = data::in_quotes(text);
  return quoted.substr(1, quoted.size() - 2);
}

H5T_class_t class_of(const Handle& type) { return H5Tget_class(type.id()); }

Handle simple_space(std::span<const hsize_t> shape) {
  return {H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr), H5Sclose,
          "create a data space"};
}

}  // namespace

ForeignFile::ForeignFile(const std::filesystem::path& path)
    : path_(path), root_(hdf5::open_file(path)) {}

ForeignFile::~ForeignFile() {
  const hdf5::LibraryLock lock;
  root_ = Handle();
}

ForeignArray::ForeignArray(SharedFile file, Handle object, std::string name)
    : file_(std::move(file)), name_(std::move(name)), dataset_(std::move(object)) {
  const std::string action = "look at " + name_;
  type_ = Handle(H5Dget_type(dataset_.id()), H5Tclose, action);
  const Handle space(H5Dget_space(dataset_.id()), H5Sclose, action);
  if (H5Sget_simple_extent_type(space.id()) != H5S_SIMPLE) return;
  shape_.resize(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space.id()), action)));
  check(H5Sget_simple_extent_dims(space.id(), shape_.data(), nullptr), action);
}

ForeignArray::~ForeignArray() {
  const hdf5::LibraryLock lock;
  type_ = Handle();
  dataset_ = Handle();
}

std::string ForeignArray::describe() const {
  return fmt::format("{}: {}", path().string(), plain(name_));
}

bool ForeignArray::holds_numbers() const {
  return class_of(type_) == H5T_FLOAT || holds_integers();
}

bool ForeignArray::holds_integers() const {
  // NumPy's bool is an enumeration of FALSE and TRUE.
  return class_of(type_) == H5T_INTEGER || class_of(type_) == H5T_ENUM;
}

bool ForeignArray::holds_texts() const { return class_of(type_) == H5T_STRING; }

std::vector<hsize_t> ForeignArray::chunk() const {
  const std::string action = "look at the storage of " + name_;
  const Handle properties(H5Dget_create_plist(dataset_.id()), H5Pclose, action);
  if (check(H5Pget_layout(properties.id()), action) != H5D_CHUNKED) return {};
  std::vector<hsize_t> lengths(shape_.size());
  check(H5Pget_chunk(properties.id(), static_cast<int>(lengths.size()), lengths.data()), action);
  return lengths;
}

void ForeignArray::require_readable() const {
  const std::string action = "look at the storage of " + name_;
  const Handle properties(H5Dget_create_plist(dataset_.id()), H5Pclose, action);
  if (check(H5Pget_layout(properties.id()), action) == H5D_VIRTUAL ||
      check(H5Pget_external_count(properties.id()), action) > 0) {
    throw InputError(fmt::format(
        "{}: the values are kept in other files; copy them into one, e.g. with h5py", describe()));
  }
  // Compressed values are at most about a thousand times as many as their bytes (deflate), some
  // more elsewhere; what was never written takes no room at all.
  constexpr hsize_t most_per_byte = 65536;
  const hsize_t item_bytes = H5Tget_size(type_.id());
  const hsize_t most_items = most_per_byte * (H5Dget_storage_size(dataset_.id()) + 1);
  hsize_t n_items = 1;
  for (const hsize_t length : shape_) {
    if (length == 0) return;
    if (length > most_items / n_items) {
      throw InputError(fmt::format(
          "{}: announces {} values, but {} bytes are stored; was the file written completely?",
          describe(), fmt::join(shape_, " x "), H5Dget_storage_size(dataset_.id())));
    }
    n_items *= length;
  }
  constexpr hsize_t longest_item = hsize_t{1} << 16U;
  if (item_bytes > longest_item) {
    throw InputError(fmt::format("{}: values of {} bytes each; at most {} are read", describe(),
                                 item_bytes, longest_item));
  }
  hsize_t chunk_bytes = item_bytes;
  for (const hsize_t length : chunk()) {
    if (length > most_chunk_bytes / chunk_bytes) {
      throw InputError(
          fmt::format("{}: is stored in pieces of more than {}; write it in smaller ones (chunks)",
                      describe(), format_bytes(static_cast<double>(most_chunk_bytes))));
    }
    chunk_bytes *= length;
  }
}

hsize_t ForeignArray::rows_of_chunk() const {
  const std::vector<hsize_t> lengths = chunk();
  return lengths.empty() ? 1 : lengths[0];
}

Handle ForeignArray::select(hsize_t first, hsize_t n) const {
  const std::string action = "read " + name_;
  Handle space(H5Dget_space(dataset_.id()), H5Sclose, action);
  std::vector<hsize_t> start(shape_.size(), 0);
  std::vector<hsize_t> count = shape_;
  start[0] = first;
  count[0] = n;
  check(
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      action);
  return space;
}

void ForeignArray::read_numbers(hsize_t first, hsize_t n, double* values) const {
  const Handle space = select(first, n);
  const std::array<hsize_t, 1> length{
      static_cast<hsize_t>(check(H5Sget_select_npoints(space.id()), "read " + name_))};
  const Handle memory = simple_space(length);
  check(H5Dread(dataset_.id(), H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values),
        "read " + name_);
}

std::vector<std::string> ForeignArray::read_texts(hsize_t first, hsize_t n) const {
  const std::string action = "read " + name_;
  const Handle space = select(first, n);
  const std::array<hsize_t, 1> length{n};
  const Handle memory = simple_space(length);
  std::vector<std::string> texts;
  if (check(H5Tis_variable_str(type_.id()), action) > 0) {
    std::vector<char*> pointers(static_cast<std::size_t>(n), nullptr);
    check(H5Dread(dataset_.id(), type_.id(), memory.id(), space.id(), H5P_DEFAULT,
                  static_cast<void*>(pointers.data())),
          action);
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    check(
        H5Dvlen_reclaim(type_.id(), memory.id(), H5P_DEFAULT, static_cast<void*>(pointers.data())),
        action);
    return texts;
  }
  const std::size_t width = H5Tget_size(type_.id());
  std::string bytes(width * static_cast<std::size_t>(n), '\0');
  check(H5Dread(dataset_.id(), type_.id(), memory.id(), space.id(), H5P_DEFAULT, bytes.data()),
        action);
  for (std::size_t i = 0; i < n; ++i) {
    const std::string_view text = std::string_view(bytes).substr(i * width, width);
    texts.emplace_back(text.substr(0, text.find('\0')));
  }
  return texts;
}

// ------------------------------------------------------------------------------------- in pieces

namespace {

/// Pieces of the first dimension that are read at once.
class ArrayStream final : public data::NumberStream {
 public:
  ArrayStream(std::shared_ptr<const ForeignArray> array, std::uint64_t size, hsize_t width)
      : NumberStream(array->describe(), size, array->holds_integers()),
        array_(std::move(array)),
        width_(width) {
    constexpr hsize_t most_values = hsize_t{1} << 25U;  // 256 MiB of doubles
    constexpr hsize_t usual = hsize_t{1} << 17U;
    const hsize_t chunk =
        std::clamp<hsize_t>(array_->rows_of_chunk(), 1, std::max<hsize_t>(most_values / width_, 1));
    // Whole chunks, so that each is unpacked once.
    rows_per_read_ = chunk * std::max<hsize_t>(usual / width_ / chunk, 1);
  }

 protected:
  void rewind() override {
    row_ = 0;
    piece_.clear();
    next_ = 0;
  }
  void read(std::span<double> values) override {
    while (!values.empty()) {
      if (next_ == piece_.size()) read_piece();
      const std::size_t n = std::min(values.size(), piece_.size() - next_);
      std::copy_n(piece_.data() + next_, n, values.data());
      next_ += n;
      values = values.subspan(n);
    }
  }

 private:
  void read_piece() {
    const hsize_t n = std::min(rows_per_read_, array_->shape()[0] - row_);
    piece_.resize(static_cast<std::size_t>(n * width_));
    next_ = 0;
    reading(array_->path(), [&] { array_->read_numbers(row_, n, piece_.data()); });
    row_ += n;
  }

  std::shared_ptr<const ForeignArray> array_;
  hsize_t width_;
  hsize_t rows_per_read_;
  hsize_t row_ = 0;
  std::vector<double> piece_;
  std::size_t next_ = 0;
};

/// Texts that are asked for in ascending order, mostly.
class TextPieces {
 public:
  explicit TextPieces(std::shared_ptr<const ForeignArray> array) : array_(std::move(array)) {}
  std::string operator()(std::uint64_t number) {
    if (number < first_ || number >= first_ + piece_.size()) {
      constexpr hsize_t at_once = 1024;
      first_ = number / at_once * at_once;
      const hsize_t n = std::min(at_once, array_->shape()[0] - first_);
      reading(array_->path(), [&] { piece_ = array_->read_texts(first_, n); });
    }
    return piece_[static_cast<std::size_t>(number - first_)];
  }

 private:
  std::shared_ptr<const ForeignArray> array_;
  std::uint64_t first_ = 0;
  std::vector<std::string> piece_;
};

}  // namespace

std::unique_ptr<data::NumberStream> stream_of(std::shared_ptr<const ForeignArray> array) {
  array->require_readable();
  const hsize_t width = array->shape().size() == 2 ? array->shape()[1] : 1;
  const std::uint64_t size = array->shape()[0] * width;
  return std::make_unique<ArrayStream>(std::move(array), size, std::max<hsize_t>(width, 1));
}

data::RowNamer namer_of(std::shared_ptr<const ForeignArray> array) {
  array->require_readable();
  return TextPieces(std::move(array));
}

// ------------------------------------------------------------------------------------ attributes

std::optional<std::string> text_attribute(const Handle& object, const std::string& name) {
  if (!hdf5::has_attribute(object, name)) return std::nullopt;
  const std::string action = "read the attribute " + name;
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, action);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, action);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, action);
  if (class_of(type) != H5T_STRING || H5Sget_simple_extent_npoints(space.id()) != 1) {
    return std::nullopt;
  }
  if (check(H5Tis_variable_str(type.id()), action) > 0) {
    char* pointer = nullptr;
    check(H5Aread(attribute.id(), type.id(), static_cast<void*>(&pointer)), action);
    std::string text(pointer == nullptr ? "" : pointer);
    check(H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, static_cast<void*>(&pointer)),
          action);
    return text;
  }
  constexpr std::size_t longest = std::size_t{1} << 16U;
  const std::size_t width = H5Tget_size(type.id());
  if (width > longest) return std::nullopt;
  std::string text(width, '\0');
  check(H5Aread(attribute.id(), type.id(), text.data()), action);
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

std::optional<std::vector<std::uint64_t>> integers_attribute(const Handle& object,
                                                             const std::string& name) {
  if (!hdf5::has_attribute(object, name)) return std::nullopt;
  const std::string action = "read the attribute " + name;
  const Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose, action);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, action);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, action);
  constexpr hssize_t most = 8;
  const hssize_t n = H5Sget_simple_extent_npoints(space.id());
  if (class_of(type) != H5T_INTEGER || n < 1 || n > most) return std::nullopt;
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  check(H5Aread(attribute.id(), H5T_NATIVE_INT64, values.data()), action);
  if (std::ranges::any_of(values, [](std::int64_t value) { return value < 0; })) {
    return std::nullopt;
  }
  return std::vector<std::uint64_t>(values.begin(), values.end());
}

}  // namespace orrery::store
