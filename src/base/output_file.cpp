#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "base/output_error.hpp"
#include "base/streamed_output.hpp"
#include "base/temporary_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery {

void throw_unwritten(const std::filesystem::path& path, const std::string& step,
                     const std::string& why) {
  throw EnvironmentError(
      fmt::format("{}: cannot {}: {}; choose another place, or make room in this one; a previous "
                  "file is untouched",
                  path.string(), step, why));
}

namespace {

std::string reason() { return std::strerror(errno); }

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

/// Names of temporary files, for remove_unfinished_files. A process writes one or two at a time;
/// one that finds no room here is only left behind by a kill.
std::array<std::atomic<const char*>, 8> unfinished{};

void remember(const char* name) {
  for (auto& slot : unfinished) {
    const char* empty = nullptr;
    if (slot.compare_exchange_strong(empty, name)) return;
  }
}

void forget(const char* name) {
  for (auto& slot : unfinished) {
    const char* found = name;
    if (slot.compare_exchange_strong(found, nullptr)) return;
  }
}

/// Where a symbolic link points, or the path itself.
std::filesystem::path follow(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_symlink(path, ignored)) return path;
  std::error_code error;
  auto target = std::filesystem::weakly_canonical(path, error);
  return error ? path : target;
}

/// A file or directory opened to be synced: its bytes, or its entries, are then on the disk.
class Synced {
 public:
  Synced(const std::filesystem::path& what, int flags, const std::filesystem::path& shown)
      : descriptor_(::open(what.c_str(), flags | O_CLOEXEC)) {
    if (descriptor_ < 0) throw_unwritten(shown, "open for syncing", reason());
  }
  Synced(const Synced&) = delete;
  Synced& operator=(const Synced&) = delete;
  ~Synced() { ::close(descriptor_); }
  [[nodiscard]] bool sync() const { return ::fsync(descriptor_) == 0; }

 private:
  int descriptor_;
};

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path) : path_(follow(path)) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path_, ignored);
  if (std::filesystem::is_directory(status)) {
    throw EnvironmentError(fmt::format("{}: is a directory; name a file to write", path_.string()));
  }
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw EnvironmentError(fmt::format(
        "{}: is a device or pipe, which a file cannot replace; name a file", path_.string()));
  }
  if (!path_.has_filename()) {
    throw EnvironmentError(
        fmt::format("'{}': an output file needs a name; name a file to write", path_.string()));
  }
  if (!std::filesystem::is_directory(directory_of(path_), ignored)) {
    throw EnvironmentError(fmt::format("{}: there is no directory {}; make it, or choose another",
                                       path_.string(), directory_of(path_).string()));
  }
  const TemporaryFile made = make_temporary(path_);
  if (made.descriptor < 0) throw_unwritten(path_, "make a file in its directory", reason());
  descriptor_ = made.descriptor;
  temporary_ = made.path;
  remember(temporary_.c_str());
  // Temporaries are private; give the permissions an ordinary new file would have.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  (void)::fchmod(descriptor_, 0666 & ~mask);
}

OutputFile::~OutputFile() {
  if (!committed_) {
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
  }
  forget(temporary_.c_str());
  unlock();
}

void OutputFile::unlock() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void OutputFile::commit() {
  const Synced file(temporary_, O_RDONLY, path_);
  const Synced directory(directory_of(path_), O_RDONLY | O_DIRECTORY, path_);
  if (!file.sync()) throw_unwritten(path_, "sync", reason());
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    throw_unwritten(path_, "rename into place", reason());
  committed_ = true;
  unlock();
  if (!directory.sync()) {
    throw EnvironmentError(
        fmt::format("{}: the new file is in place, but its directory cannot be synced: {}; if the "
                    "host fails now it may be lost: copy it elsewhere, or write it again",
                    path_.string(), reason()));
  }
}

void remove_unfinished_files() noexcept {
  for (const auto& slot : unfinished) {
    if (const char* name = slot.load()) ::unlink(name);
  }
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  StreamedOutput file(path);
  file.write(text);
  file.finish();
}

void require_readable_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    throw InputError(fmt::format("{}: no such file; check the path", path.string()));
  }
  if (std::filesystem::is_directory(status)) {
    throw InputError(fmt::format("{}: is a directory; name a file in it", path.string()));
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw InputError(fmt::format("{}: cannot be read: {}", path.string(), reason()));
  }
}

std::string read_text_file(const std::filesystem::path& path) {
  require_readable_file(path);
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw InputError(fmt::format("{}: cannot be read: {}", path.string(), reason()));
  return std::move(text).str();
}

}  // namespace orrery
