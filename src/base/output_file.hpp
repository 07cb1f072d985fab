// A file that appears whole or not at all: written beside its final name, as a whole or in pieces,
// synced, renamed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace orrery {

/// Reserves a temporary name in the directory of `path`. Until commit() the previous file at `path`
/// stays as it is; without commit() the temporary file is removed by the destructor. One that a
/// killed process left is removed by the next that writes the same output; a living process, on
/// whichever host, holds a lock on its own.
class OutputFile {
 public:
  /// Throws EnvironmentError if the directory does not exist or cannot be written, and if `path`
  /// is a directory or a device: before any work is done, so that hours of computing are not lost.
  /// A symbolic link stays one: the file that it points to is replaced.
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// Where to write. The file exists (empty) from construction on.
  [[nodiscard]] const std::filesystem::path& temporary() const noexcept { return temporary_; }
  /// fsync, rename over `path`, fsync of the directory. Throws EnvironmentError; the previous file
  /// is then still there, unless the last step failed, which the message says.
  void commit();

 private:
  void unlock() noexcept;

  std::filesystem::path path_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;  // holds the lock of the temporary file
  bool committed_ = false;
};

/// Deletes the temporary files of this process. Async-signal-safe: for handlers of signals that end
/// it, where no destructor runs.
void remove_unfinished_files() noexcept;

/// Writes a whole text file through OutputFile. Throws EnvironmentError.
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Throws InputError if `path` is missing, a directory, or unreadable, saying which.
void require_readable_file(const std::filesystem::path& path);
/// Reads a whole file. Throws InputError as require_readable_file does.
std::string read_text_file(const std::filesystem::path& path);

/// A file that is too large to be held as a whole, written in pieces. Appears whole, at finish(),
/// or not at all, as an OutputFile does.
class StreamedOutput {
 public:
  /// Throws EnvironmentError as OutputFile does.
  explicit StreamedOutput(const std::filesystem::path& path);
  /// Throws EnvironmentError if the disk is full; the previous file is untouched.
  void write(std::string_view piece);
  /// Syncs and renames. Throws EnvironmentError.
  void finish();
  [[nodiscard]] std::uint64_t n_bytes() const noexcept { return n_bytes_; }

 private:
  void require_written() const;

  OutputFile file_;
  std::ofstream out_;
  std::uint64_t n_bytes_ = 0;
};

}  // namespace orrery
