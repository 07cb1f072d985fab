// Purpose: NPY arrays of bytes into rows, or blocks, of bits.
// C order: rows in sequence, many a read. Fortran order: for each block of rows, its piece of every
// kept column by a positioned read. Cost: every byte read once, in bounded memory.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "data/bit_packing.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/npy_header.hpp"
#include "data/readers.hpp"
#include "data/row_stage.hpp"
#include "data/sample_blocks.hpp"
#include "orrery/base/error.hpp"
#include "orrery/base/output_file.hpp"
#include "orrery/base/progress.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t bytes_per_read = std::uint64_t{1} << 20U;
constexpr std::uint64_t megabyte = 1'000'000;

class PositionedFile {
 public:
  explicit PositionedFile(const std::filesystem::path& path) : name_(path.string()) {
    require_readable_file(path);
    std::error_code error;
    size_ = std::filesystem::file_size(path, error);
    if (error) {
      throw InputError(
          fmt::format("{}: not an ordinary file; an NPY array cannot come from a pipe", name_));
    }
    descriptor_ = open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
      throw InputError(fmt::format("{}: cannot be opened: {}", name_, std::strerror(errno)));
    }
  }
  PositionedFile(const PositionedFile&) = delete;
  PositionedFile& operator=(const PositionedFile&) = delete;
  ~PositionedFile() { close(descriptor_); }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  void read(std::uint64_t position, std::uint64_t n, unsigned char* bytes) const {
    while (n > 0) {
      const ssize_t n_read = pread(descriptor_, bytes, n, static_cast<off_t>(position));
      if (n_read < 0 && errno == EINTR) {
        continue;
      }
      if (n_read <= 0) {
        throw InputError(fmt::format("{}: cannot be read at byte {}: {}; write the file again",
                                     name_, position,
                                     n_read == 0 ? "the file ends there" : std::strerror(errno)));
      }
      position += static_cast<std::uint64_t>(n_read);
      n -= static_cast<std::uint64_t>(n_read);
      bytes += n_read;
    }
  }

 private:
  std::string name_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1;
};

class NpyReader {
 public:
  NpyReader(const std::filesystem::path& path, const ImportOptions& options)
      : file_(path), options_(options) {}

  ImportSummary run(SampleSink& sink);

 private:
  void read_header();
  void read_missing_tokens();
  void read_c_order(SampleBlocks& blocks);
  void read_fortran_order(SampleBlocks& blocks);
  [[nodiscard]] bool is_missing(unsigned char byte) const noexcept { return is_missing_[byte]; }
  void require_missing(unsigned char byte, std::uint64_t row, std::size_t column) const;

  PositionedFile file_;
  const ImportOptions& options_;
  NpyHeader header_;
  std::uint64_t data_begin_ = 0;
  bool is_signed_ = false;
  std::array<bool, 256> is_missing_{};
  Columns columns_;
};

ImportSummary NpyReader::run(SampleSink& sink) {
  read_header();
  read_missing_tokens();
  columns_ =
      select_columns(file_.name(), default_names(static_cast<std::size_t>(header_.n_columns)),
                     options_.drop_columns);
  SampleBlocks blocks(file_.name(), columns_, sink);
  if (header_.fortran_order) {
    read_fortran_order(blocks);
  } else {
    read_c_order(blocks);
  }
  return blocks.finish(Format::npy);
}

void NpyReader::read_header() {
  std::array<unsigned char, npy_preamble_bytes> first{};
  const std::uint64_t n_first = std::min<std::uint64_t>(first.size(), file_.size());
  file_.read(0, n_first, first.data());
  const NpyPreamble preamble = parse_npy_preamble(
      file_.name(),
      {reinterpret_cast<const char*>(first.data()), static_cast<std::size_t>(n_first)});
  data_begin_ = preamble.header_begin + preamble.header_bytes;
  if (data_begin_ > file_.size()) {
    throw InputError(fmt::format(
        "{}: truncated: the NPY header ends at byte {}, the file at {}; write the file again",
        file_.name(), data_begin_, file_.size()));
  }
  std::string text(static_cast<std::size_t>(preamble.header_bytes), ' ');
  file_.read(preamble.header_begin, text.size(), reinterpret_cast<unsigned char*>(text.data()));
  header_ = parse_npy_header(file_.name(), text);
  is_signed_ = header_.dtype.find('i') != std::string::npos;
  require_column_count(file_.name(), header_.n_columns);
  const std::uint64_t present = file_.size() - data_begin_;
  if (header_.n_rows > present / header_.n_columns) {
    throw InputError(fmt::format(
        "{}: truncated: an array of {} x {} was announced, but {} bytes of values are there; write "
        "the file again",
        file_.name(), header_.n_rows, header_.n_columns, present));
  }
  if (header_.n_rows * header_.n_columns != present) {
    throw InputError(fmt::format(
        "{}: {} bytes follow the array of {} x {}; save one array a file with numpy.save",
        file_.name(), present - header_.n_rows * header_.n_columns, header_.n_rows,
        header_.n_columns));
  }
}

// Here a missing token is a number of the array's type, as in --missing 255.
void NpyReader::read_missing_tokens() {
  for (const std::string& token : options_.missing_tokens) {
    int value = 0;
    const char* const end = token.data() + token.size();
    const auto [stop, error] = std::from_chars(token.data(), end, value);
    const int lowest = is_signed_ ? -128 : 0;
    const int highest = is_signed_ ? 127 : 255;
    if (error != std::errc{} || stop != end || value < lowest || value > highest || value == 0 ||
        value == 1) {
      throw UsageError(fmt::format(
          "--missing {}: in an NPY array of dtype {} a missing value is a number of {} to {}, "
          "neither 0 nor 1",
          in_quotes(token), in_quotes(header_.dtype), lowest, highest));
    }
    is_missing_[static_cast<unsigned char>(value)] = true;
  }
}

void NpyReader::read_c_order(SampleBlocks& blocks) {
  RowStage stage(columns_, blocks);
  Progress progress("import", (file_.size() + megabyte - 1) / megabyte, "MB");
  const std::uint64_t rows_per_read = std::clamp<std::uint64_t>(
      bytes_per_read / header_.n_columns, 1, std::max<std::uint64_t>(header_.n_rows, 1));
  std::vector<unsigned char> bytes(static_cast<std::size_t>(rows_per_read * header_.n_columns));
  for (std::uint64_t row = 0; row < header_.n_rows; ++row) {
    const std::uint64_t row_in_read = row % rows_per_read;
    if (row_in_read == 0) {
      const std::uint64_t n_rows = std::min(rows_per_read, header_.n_rows - row);
      const std::uint64_t position = data_begin_ + row * header_.n_columns;
      file_.read(position, n_rows * header_.n_columns, bytes.data());
      progress.set(position / megabyte);
    }
    const unsigned char* const values = bytes.data() + row_in_read * header_.n_columns;
    pack_bytes(values, columns_.size(), 0, stage.values(), [&](std::size_t column) {
      if (columns_.is_kept[column] != 0) {
        require_missing(values[column], row, column);
        stage.set_missing(column);
      }
    });
    stage.finish_row();
  }
  stage.finish();
}

void NpyReader::read_fortran_order(SampleBlocks& blocks) {
  Progress progress("import", (file_.size() + megabyte - 1) / megabyte, "MB");
  const std::uint64_t rows_per_block = blocks.rows_per_block();
  std::vector<unsigned char> bytes(
      static_cast<std::size_t>(std::min(rows_per_block, header_.n_rows)));
  for (std::uint64_t first = 0; first < header_.n_rows; first += rows_per_block) {
    const auto n_rows = static_cast<std::size_t>(std::min(rows_per_block, header_.n_rows - first));
    BitColumns values(columns_.kept.size(), n_rows);
    std::optional<BitColumns> missing;
    for (std::size_t k = 0; k < columns_.kept.size(); ++k) {
      const std::size_t column = columns_.kept[k];
      file_.read(data_begin_ + column * header_.n_rows + first, n_rows, bytes.data());
      pack_bytes(bytes.data(), n_rows, 0, values.column(k).data(), [&](std::size_t i) {
        require_missing(bytes[i], first + i, column);
        if (!missing) {
          missing.emplace(values.n_columns(), n_rows);
        }
        missing->set(i, k);
      });
    }
    blocks.push(values, missing ? &*missing : nullptr);
    progress.set((first + n_rows) * header_.n_columns / megabyte);
  }
}

void NpyReader::require_missing(unsigned char byte, std::uint64_t row, std::size_t column) const {
  if (is_missing(byte)) {
    return;
  }
  const int value = is_signed_ ? static_cast<int>(static_cast<signed char>(byte)) : byte;
  throw InputError(
      fmt::format("{}: row {}, column {}: {} is neither 0 nor 1; binarise the array, e.g. "
                  "(a > 0).astype('uint8'), or name it as missing with --missing {}",
                  file_.name(), row + 1, columns_.describe(column), value, value));
}

}  // namespace

ImportSummary import_npy(const std::filesystem::path& path, const ImportOptions& options,
                         SampleSink& sink) {
  if (options.header == Header::yes) {
    throw UsageError(
        "--header yes: an NPY array has no column names; leave the option out, or give --format");
  }
  return NpyReader(path, options).run(sink);
}

}  // namespace orrery::data
