// HDF5's C library behind small owners and functions: a failed call becomes one typed error that
// carries HDF5's error stack; nothing is ever printed.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace orrery::store::hdf5 {

struct ErrorFrames;

/// A call to HDF5 failed.
class Hdf5Error : public std::runtime_error {
 public:
  /// Takes over HDF5's error stack. `action` says what was tried: "read /samples/bits".
  explicit Hdf5Error(const std::string& action);
  /// Every frame of the stack on one line, innermost first.
  [[nodiscard]] const std::string& stack() const noexcept { return stack_; }
  /// The operating system's reason ("No space left on device"); empty if it was not the cause.
  [[nodiscard]] const std::string& system_reason() const noexcept { return system_reason_; }
  /// The library could not have the memory that it asked for.
  [[nodiscard]] bool lacks_memory() const noexcept { return lacks_memory_; }

 private:
  Hdf5Error(const std::string& action, const ErrorFrames& frames);

  std::string stack_;
  std::string system_reason_;
  bool lacks_memory_;
};

/// A file whose objects are not those of the schema. The message lacks the file's name.
struct FormatError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Held by whoever calls HDF5: most builds of the library are not thread-safe. Recursive.
class LibraryLock {
 public:
  LibraryLock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Owns one identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  /// Throws Hdf5Error if `id` is that of a failed call.
  Handle(hid_t id, Close closer, const std::string& action);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle();

  [[nodiscard]] hid_t id() const noexcept { return id_; }
  [[nodiscard]] bool is_open() const noexcept { return id_ >= 0; }
  /// Closes and throws Hdf5Error if that fails: buffered data is written here.
  void close();

 private:
  void discard() noexcept;

  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Throws Hdf5Error if `status` is that of a failed call, else returns it.
template <class Status>
Status check(Status status, const std::string& action) {
  if (status < 0) {
    throw Hdf5Error(action);
  }
  return status;
}

/// Truncates or creates. Objects are laid out by HDF5 1.10, so that all metadata has checksums.
Handle create_file(const std::filesystem::path& path);
/// Read-only. The file must have a checksummed superblock; see StoredFile.
Handle open_file(const std::filesystem::path& path);
void flush_file(const Handle& file);

Handle create_group(const Handle& parent, const std::string& name);
/// Throws FormatError if there is no such group.
Handle open_group(const Handle& parent, const std::string& name);
/// False for links that lead elsewhere (soft, external): orrery writes none.
bool has_object(const Handle& parent, const std::string& name);
/// True for a group, false for a dataset.
bool is_group(const Handle& parent, const std::string& name);
/// The names in a group, sorted by their bytes.
std::vector<std::string> object_names(const Handle& group);
/// "/samples/bits".
std::string object_name(const Handle& object);

/// HDF5's name of the stored type of a C++ number, and of the same type in memory.
template <class T>
hid_t number_type();
template <>
hid_t number_type<std::uint8_t>();
template <>
hid_t number_type<std::uint32_t>();
template <>
hid_t number_type<std::uint64_t>();
template <>
hid_t number_type<std::int32_t>();
template <>
hid_t number_type<double>();
/// Null-padded UTF-8 of at most `length` bytes, at least one.
Handle string_type(std::size_t length);
/// Throws FormatError if `type` is not a string of fixed length; `what` is its object's name.
void require_fixed_string(const Handle& type, const std::string& what);

template <class T>
void write_attribute(const Handle& object, const std::string& name, const T& value);
/// Throws FormatError if the attribute is absent or of another type.
template <class T>
T read_attribute(const Handle& object, const std::string& name);
template <>
void write_attribute(const Handle& object, const std::string& name, const std::string& value);
template <>
std::string read_attribute(const Handle& object, const std::string& name);
bool has_attribute(const Handle& object, const std::string& name);

}  // namespace orrery::store::hdf5
