// A file of the schema, being written or read; and the room's boundary, where what HDF5 reports
// becomes an InputError or EnvironmentError with the file's name and a remedy.
#pragma once

#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "base/output_file.hpp"
#include "orrery/base/error.hpp"
#include "store/hdf5_wrapper.hpp"
#include "store/run.hpp"

namespace orrery::store {

[[noreturn]] void throw_misformed(const std::filesystem::path& path,
                                  const hdf5::FormatError& error);
[[noreturn]] void throw_unreadable(const std::filesystem::path& path, const hdf5::Hdf5Error& error);
[[noreturn]] void throw_unwritable(const std::filesystem::path& path, const hdf5::Hdf5Error& error);
[[noreturn]] void throw_out_of_memory(const std::filesystem::path& path);

/// Runs `work` with the library to itself; throws InputError (or EnvironmentError if memory runs
/// out) naming the file.
template <class Work>
auto reading(const std::filesystem::path& path, Work&& work) {
  const hdf5::LibraryLock lock;
  try {
    return work();
  } catch (const hdf5::FormatError& error) {
    throw_misformed(path, error);
  } catch (const hdf5::Hdf5Error& error) {
    throw_unreadable(path, error);
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(path);
  }
}

/// The same for writing: throws EnvironmentError.
template <class Work>
auto writing(const std::filesystem::path& path, Work&& work) {
  const hdf5::LibraryLock lock;
  try {
    return work();
  } catch (const hdf5::Hdf5Error& error) {
    throw_unwritable(path, error);
  } catch (const std::bad_alloc&) {
    throw_out_of_memory(path);
  }
}

/// A file under its temporary name, with the root attributes. Use inside writing().
class NewFile {
 public:
  explicit NewFile(const std::filesystem::path& path);
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return output_.path(); }
  [[nodiscard]] const hdf5::Handle& root() const noexcept { return file_; }
  /// Writes /run, closes, reads everything back and checks it, renames. All other objects of the
  /// file must be closed. Throws EnvironmentError; the previous file is then untouched.
  void finish(const RunInfo& run);
  /// The two halves of finish(): all but the renaming, and that.
  void prepare(const RunInfo& run);
  void commit() { output_.commit(); }

 private:
  OutputFile output_;
  hdf5::Handle file_;
};

/// A file opened for reading. Use inside reading().
class StoredFile {
 public:
  /// Throws InputError: absent, a directory, not HDF5, another program's, a newer schema,
  /// truncated.
  explicit StoredFile(const std::filesystem::path& path);
  [[nodiscard]] const hdf5::Handle& root() const noexcept { return file_; }
  [[nodiscard]] std::uint32_t schema() const noexcept { return schema_; }
  [[nodiscard]] bool has(const std::string& group) const;
  /// Names of all groups below the root, sorted.
  [[nodiscard]] std::vector<std::string> groups() const;
  /// Throws FormatError listing what the file holds instead.
  [[nodiscard]] hdf5::Handle group(const std::string& name) const;

 private:
  hdf5::Handle file_;
  std::uint32_t schema_ = 0;
};

void write_run(const hdf5::Handle& root, const RunInfo& run);
RunInfo read_run(const StoredFile& file);

/// Reads every group of a file and compares every digest, in bounded memory. Use inside reading().
void verify_file(const std::filesystem::path& path);

}  // namespace orrery::store
