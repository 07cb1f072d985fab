#include "data/npy_array.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/output_file.hpp"
#include "data/columns.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

NpyArray::NpyArray(const std::filesystem::path& path, NpyValues values,
                   const ImportOptions& options)
    : file_(path.string()) {
  if (options.header == Header::yes) {
    throw UsageError(
        "--header yes: an NPY array has no column names; leave the option out, or give --format");
  }
  open_file();
  read_header(values);
  require_size();
}

NpyArray::Descriptor::~Descriptor() {
  if (id >= 0) close(id);
}

void NpyArray::open_file() {
  require_readable_file(file_);
  std::error_code error;
  file_bytes_ = std::filesystem::file_size(file_, error);
  if (error) {
    throw InputError(
        fmt::format("{}: not an ordinary file; an NPY array cannot come from a pipe", file_));
  }
  descriptor_.id = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_.id < 0) {
    throw InputError(fmt::format("{}: cannot be opened: {}", file_, std::strerror(errno)));
  }
}

void NpyArray::read_header(NpyValues values) {
  std::array<unsigned char, npy_preamble_bytes> first{};
  const std::uint64_t n_first = std::min<std::uint64_t>(first.size(), file_bytes_);
  read_bytes(0, n_first, first.data());
  const NpyPreamble preamble = parse_npy_preamble(
      file_, {reinterpret_cast<const char*>(first.data()), static_cast<std::size_t>(n_first)});
  data_begin_ = preamble.header_begin + preamble.header_bytes;
  if (data_begin_ > file_bytes_) {
    throw InputError(fmt::format(
        "{}: truncated: the NPY header ends at byte {}, the file at {}; write the file again",
        file_, data_begin_, file_bytes_));
  }
  std::string text(static_cast<std::size_t>(preamble.header_bytes), ' ');
  read_bytes(preamble.header_begin, text.size(), reinterpret_cast<unsigned char*>(text.data()));
  header_ = parse_npy_header(file_, text, values);
  require_column_count(file_, header_.n_columns);
}

void NpyArray::require_size() const {
  const std::uint64_t present = file_bytes_ - data_begin_;
  const std::uint64_t row_bytes = header_.n_columns * header_.item_bytes;
  if (header_.n_rows > present / row_bytes) {
    throw InputError(fmt::format(
        "{}: truncated: an array of {} x {} was announced, but {} bytes of values are there; write "
        "the file again",
        file_, header_.n_rows, header_.n_columns, present));
  }
  if (header_.n_rows * row_bytes != present) {
    throw InputError(fmt::format(
        "{}: {} bytes follow the array of {} x {}; save one array a file with "
        "numpy.save",
        file_, present - header_.n_rows * row_bytes, header_.n_rows, header_.n_columns));
  }
}

void NpyArray::read(std::uint64_t first, std::uint64_t n, unsigned char* bytes) const {
  read_bytes(data_begin_ + first * header_.item_bytes, n * header_.item_bytes, bytes);
}

void NpyArray::read_bytes(std::uint64_t position, std::uint64_t n, unsigned char* bytes) const {
  while (n > 0) {
    const ssize_t n_read = pread(descriptor_.id, bytes, n, static_cast<off_t>(position));
    if (n_read < 0 && errno == EINTR) {
      continue;
    }
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
