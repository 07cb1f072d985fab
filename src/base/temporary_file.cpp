#include "base/temporary_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {
namespace {

constexpr std::size_t n_random = 6;  // characters that mkostemp fills in
constexpr int most_attempts = 100;

std::filesystem::path directory_beside(const std::filesystem::path& output) {
  return output.has_parent_path() ? output.parent_path() : std::filesystem::path(".");
}

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
  const std::filesystem::path directory = directory_beside(output);
  const std::string beginning = beginning_of(output);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(directory.c_str()), ::closedir);
  if (entries == nullptr) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (is_ours(entry->d_name, beginning)) names.emplace_back(entry->d_name);
  }
  for (const std::string& name : names) remove_if_dead(directory / name);
}

}  // namespace

TemporaryFile make_temporary(const std::filesystem::path& output) {
  remove_dead(output);
  const std::string pattern =
      (directory_beside(output) / (beginning_of(output) + std::string(n_random, 'X'))).string();
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

}  // namespace orrery
