#include "base/streamed_output.hpp"

#include <cerrno>
#include <cstring>

#include "base/output_error.hpp"

namespace orrery {

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

}  // namespace orrery
