// Purpose: the header of NPY 1.0-3.0 (NumPy Enhancement Proposal 1): a Python dictionary of the
// keys descr, fortran_order and shape, read with a parser that knows just the literals found there.
#include "data/npy_array.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

#include "base/output_file.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t longest_header = std::uint64_t{1} << 20U;
constexpr std::string_view blanks = " \t\n\r";

class HeaderParser {
 public:
  HeaderParser(const std::string& file, std::string_view text, NpyValues values)
      : file_(file), text_(text), rest_(text), values_(values) {}

  NpyHeader parse();

 private:
  void parse_item(NpyHeader& header);
  void parse_dtype(NpyHeader& header);
  void parse_shape(NpyHeader& header);
  bool take(std::string_view literal);
  void expect(std::string_view literal);
  std::string_view take_string();
  std::uint64_t take_length();
  [[noreturn]] void refuse() const;

  const std::string& file_;
  std::string_view text_;
  std::string_view rest_;
  NpyValues values_;
  bool has_dtype_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

NpyHeader HeaderParser::parse() {
  NpyHeader header;
  expect("{");
  while (!take("}")) {
    parse_item(header);
    if (!take(",")) {
      expect("}");
      break;
    }
  }
  if (!has_dtype_ || !has_order_ || !has_shape_ ||
      rest_.find_first_not_of(blanks) != std::string_view::npos) {
    refuse();
  }
  return header;
}

void HeaderParser::parse_item(NpyHeader& header) {
  const std::string_view key = take_string();
  expect(":");
  if (key == "descr" && !has_dtype_) {
    has_dtype_ = true;
    parse_dtype(header);
  } else if (key == "fortran_order" && !has_order_) {
    has_order_ = true;
    header.fortran_order = take("True");
    if (!header.fortran_order) {
      expect("False");
    }
  } else if (key == "shape" && !has_shape_) {
    has_shape_ = true;
    parse_shape(header);
  } else {
    refuse();
  }
}

void HeaderParser::parse_dtype(NpyHeader& header) {
  const bool is_for_bits = values_ == NpyValues::bits;
  const std::string_view remedy = is_for_bits ? ".astype('uint8')" : ".astype('float64')";
  if (take("[")) {
    throw InputError(fmt::format(
        "{}: the array has a structured dtype; save its values as one plain array with {}", file_,
        remedy));
  }
  header.dtype = take_string();
  std::string_view kind = header.dtype;
  header.is_big_endian = kind.starts_with('>');
  if (!kind.empty() && std::string_view(is_for_bits ? "|<=" : "|<=>").find(kind[0]) != kind.npos) {
    kind.remove_prefix(1);
  }
  constexpr std::array types{"b1", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"};
  const auto* const last = is_for_bits ? types.begin() + 3 : types.end();
  if (std::find(types.begin(), last, kind) == last) {
    throw InputError(fmt::format(
        "{}: the array has dtype {}, read are {}; save it with {}{}", file_,
        in_quotes(header.dtype),
        is_for_bits ? "bool, uint8 and int8" : "bool, int8-64, uint8-64, float32 and float64",
        remedy, is_for_bits ? ", or import numbers with --numeric" : ""));
  }
  header.kind = kind[0];
  header.item_bytes = static_cast<std::uint64_t>(kind[1] - '0');
}

void HeaderParser::parse_shape(NpyHeader& header) {
  std::vector<std::uint64_t> lengths;
  expect("(");
  while (!take(")")) {
    lengths.push_back(take_length());
    if (!take(",")) {
      expect(")");
      break;
    }
  }
  if (lengths.size() != 2) {
    throw InputError(fmt::format(
        "{}: the array has {} dimensions, needed are two (samples, variables); reshape it with "
        ".reshape(n_samples, n_variables)",
        file_, lengths.size()));
  }
  header.n_rows = lengths[0];
  header.n_columns = lengths[1];
}

// Takes the literal off the front, after blanks, if it stands there.
bool HeaderParser::take(std::string_view literal) {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(blanks), rest_.size()));
  if (!rest_.starts_with(literal)) {
    return false;
  }
  rest_.remove_prefix(literal.size());
  return true;
}

void HeaderParser::expect(std::string_view literal) {
  if (!take(literal)) {
    refuse();
  }
}

std::string_view HeaderParser::take_string() {
  const std::string_view quote = take("'") ? "'" : "\"";
  if (quote == "\"") {
    expect(quote);
  }
  const std::size_t length = rest_.find(quote);
  if (length == std::string_view::npos) {
    refuse();
  }
  const std::string_view content = rest_.substr(0, length);
  rest_.remove_prefix(length + 1);
  return content;
}

std::uint64_t HeaderParser::take_length() {
  (void)take("");  // blanks
  std::uint64_t length = 0;
  const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), length);
  if (error != std::errc{}) {
    refuse();
  }
  rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
  (void)take("L");  // Python 2 wrote long integers so
  return length;
}

void HeaderParser::refuse() const {
  throw InputError(fmt::format(
      "{}: the NPY header cannot be read at byte {}: {}; save the array again with numpy.save",
      file_, text_.size() - rest_.size(), in_quotes(rest_)));
}

}  // namespace

NpyPreamble parse_npy_preamble(const std::string& file, std::string_view bytes) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
  };
  if (!bytes.starts_with(npy_magic) || bytes.size() < npy_preamble_bytes) {
    throw InputError(
        fmt::format("{}: not an NPY file (its first bytes are {}); if it is text, give --format "
                    "csv|tsv|rows|mtx",
                    file, in_quotes(bytes)));
  }
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3) {
    throw InputError(
        fmt::format("{}: NPY version {}.{}, read are 1.0 to 3.0; save the array with numpy.save",
                    file, version, byte(7)));
  }
  NpyPreamble preamble;
  preamble.header_begin = version == 1 ? 10 : 12;
  preamble.header_bytes = byte(8) | (byte(9) << 8U);
  if (version > 1) {
    preamble.header_bytes |= (byte(10) << 16U) | (byte(11) << 24U);
  }
  if (preamble.header_bytes > longest_header) {
    throw InputError(fmt::format(
        "{}: the NPY header would be {} bytes long, at most {} are read; save the array again "
        "with numpy.save",
        file, preamble.header_bytes, longest_header));
  }
  return preamble;
}

NpyHeader parse_npy_header(const std::string& file, std::string_view text, NpyValues values) {
  return HeaderParser(file, text, values).parse();
}

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
