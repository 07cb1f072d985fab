#include "base/output_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"

namespace orrery {
namespace {

std::filesystem::path directory_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

// The file beside an output that is written first: locked as long as its process lives, so that the
// next run can tell what a killed one left behind.

struct TemporaryFile {
  std::filesystem::path path;
  int descriptor = -1;  ///< holds the lock until it is closed; -1: the file could not be made
};

constexpr std::size_t n_random = 6;  // characters that mkostemp fills in
constexpr int most_attempts = 100;

/// The name of all temporaries of an output, but for the random end. It names orrery: rsync and
/// others make hidden files .NAME.XXXXXX too, which are not ours to remove.
std::string beginning_of(const std::filesystem::path& output) {
  return fmt::format(".{}.orrery-", output.filename().string());
}

bool is_ours(std::string_view name, std::string_view beginning) {
  if (name.size() != beginning.size() + n_random || !name.starts_with(beginning)) return false;
  return std::ranges::all_of(name.substr(beginning.size()), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

enum class Lock { taken, held_by_another, not_available };

Lock try_lock(int descriptor) {
#ifdef F_OFD_SETLK
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(descriptor, F_OFD_SETLK, &whole) == 0) return Lock::taken;
  return errno == EAGAIN || errno == EACCES ? Lock::held_by_another : Lock::not_available;
#else
  static_cast<void>(descriptor);
  return Lock::not_available;
#endif
}

/// True if `path` still is the regular file that `descriptor` has open.
bool is_still(const std::filesystem::path& path, int descriptor) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         S_ISREG(named.st_mode) && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

void remove_if_dead(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (is_still(path, descriptor) && try_lock(descriptor) == Lock::taken &&
      is_still(path, descriptor)) {
    ::unlink(path.c_str());
  }
  ::close(descriptor);
}

void remove_dead(const std::filesystem::path& output) {
  const std::filesystem::path directory = directory_of(output);
  const std::string beginning = beginning_of(output);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  if (entries == nullptr) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (is_ours(entry->d_name, beginning)) names.emplace_back(entry->d_name);
  }
  for (const std::string& name : names) remove_if_dead(directory / name);
}

/// Makes .NAME.orrery-XXXXXX, empty and private, beside `output`, after removing those that no
/// process holds any more. The lock belongs to the open file (F_OFD_SETLK): it ends with the
/// process however that ends, other descriptors of the file do not touch it, and on network file
/// systems other hosts see it. Where locks do not work nothing is removed. With descriptor -1,
/// errno says why.
TemporaryFile make_temporary(const std::filesystem::path& output) {
  remove_dead(output);
  const std::string pattern =
      (directory_of(output) / (beginning_of(output) + std::string(n_random, 'X'))).string();
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::string name = pattern;
    const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
    if (descriptor < 0) return {};
    // Another run may look for dead ones before the lock is taken: it then removes this one.
    const Lock lock = try_lock(descriptor);
    if (lock != Lock::held_by_another && is_still(name, descriptor)) return {name, descriptor};
    ::unlink(name.c_str());
    ::close(descriptor);
    errno = EAGAIN;
  }
  return {};
}

/// Throws EnvironmentError: `path`: cannot `step`: `why`, and the remedy.
[[noreturn]] void throw_unwritten(const std::filesystem::path& path, const std::string& step,
                                  const std::string& why) {
  throw EnvironmentError(
      fmt::format("{}: cannot {}: {}; choose another place, or make room in this one; a previous "
                  "file is untouched",
                  path.string(), step, why));
}

std::string reason() { return std::strerror(errno); }

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

StreamedOutput::StreamedOutput(const std::filesystem::path& path)
    : file_(path), out_(file_.temporary(), std::ios::binary | std::ios::trunc) {
  require_written();
}

void StreamedOutput::write(std::string_view piece) {
  errno = 0;
  out_.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  require_written();
  n_bytes_ += piece.size();
}

void StreamedOutput::finish() {
  errno = 0;
  out_.close();
  require_written();
  file_.commit();
}

void StreamedOutput::require_written() const {
  if (out_) return;
  throw_unwritten(file_.path(), "write", errno != 0 ? std::strerror(errno) : "write error");
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
