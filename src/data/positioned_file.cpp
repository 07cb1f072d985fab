#include "data/positioned_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/output_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

PositionedFile::PositionedFile(const std::filesystem::path& path, const std::string& what)
    : file_(path.string()) {
  require_readable_file(file_);
  std::error_code error;
  size_ = std::filesystem::file_size(file_, error);
  if (error) {
    throw InputError(
        fmt::format("{}: not an ordinary file; {} cannot come from a pipe", file_, what));
  }
  descriptor_ = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) {
    throw InputError(fmt::format("{}: cannot be opened: {}", file_, std::strerror(errno)));
  }
}

PositionedFile::~PositionedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void PositionedFile::read(std::uint64_t position, std::uint64_t n, unsigned char* bytes) const {
  while (n > 0) {
    const ssize_t n_read = pread(descriptor_, bytes, n, static_cast<off_t>(position));
    if (n_read < 0 && errno == EINTR) continue;
    if (n_read <= 0) {
      throw InputError(fmt::format("{}: cannot be read at byte {}: {}; write the file again", file_,
                                   position,
                                   n_read == 0 ? "the file ends there" : std::strerror(errno)));
    }
    position += static_cast<std::uint64_t>(n_read);
    n -= static_cast<std::uint64_t>(n_read);
    bytes += n_read;
  }
}

}  // namespace orrery::data
