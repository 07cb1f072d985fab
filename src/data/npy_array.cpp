// Purpose: the header of NPY 1.0-3.0 (NumPy Enhancement Proposal 1): a Python dictionary of the
// keys descr, fortran_order and shape, read with a parser that knows just the literals found there.
#include "data/npy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t longest_header = std::uint64_t{1} << 20U;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 63U;
constexpr std::string_view python_blanks = " \t\n\r";

[[noreturn]] void refuse_dtype(const std::string& file, const NpyHeader& header) {
  throw InputError(fmt::format(
      "{}: the array has dtype {}, read are bool, int8-64, uint8-64, float32 and float64; save it "
      "with .astype('float64')",
      file, in_quotes(header.dtype)));
}

class HeaderParser {
 public:
  HeaderParser(const std::string& file, std::string_view text)
      : file_(file), text_(text), rest_(text) {}

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
      rest_.find_first_not_of(python_blanks) != std::string_view::npos) {
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
  if (take("[")) {
    throw InputError(
        fmt::format("{}: the array has a structured dtype; save its values as one plain array with "
                    ".astype('float64')",
                    file_));
  }
  header.dtype = take_string();
  std::string_view kind = header.dtype;
  header.is_big_endian = kind.starts_with('>');
  if (!kind.empty() && std::string_view("|<=>").find(kind[0]) != kind.npos) kind.remove_prefix(1);
  constexpr std::array types{"b1", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f4", "f8"};
  const bool is_number = std::ranges::find(types, kind) != types.end();
  const bool is_text = kind.starts_with('S') || kind.starts_with('U');
  if (!is_number && !is_text) refuse_dtype(file_, header);
  std::uint64_t length = 0;
  const char* const end = kind.data() + kind.size();
  const auto [stop, error] = std::from_chars(kind.data() + 1, end, length);
  if (error != std::errc{} || stop != end || length > longest_header) refuse_dtype(file_, header);
  header.kind = kind[0];
  header.item_bytes = header.kind == 'U' ? 4 * length : length;
}

void HeaderParser::parse_shape(NpyHeader& header) {
  expect("(");
  while (!take(")")) {
    header.shape.push_back(take_length());
    if (!take(",")) {
      expect(")");
      break;
    }
  }
  if (header.shape.size() == 2) {
    header.n_rows = header.shape[0];
    header.n_columns = header.shape[1];
  }
}

// Takes the literal off the front, after blanks, if it stands there.
bool HeaderParser::take(std::string_view literal) {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(python_blanks), rest_.size()));
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

NpyHeader parse_npy_header(const std::string& file, std::string_view text) {
  return HeaderParser(file, text).parse();
}

void require_table(const std::string& file, const NpyHeader& header) {
  if (!header.holds_numbers()) refuse_dtype(file, header);
  if (header.shape.size() != 2) {
    throw InputError(fmt::format(
        "{}: the array has {} dimensions, needed are two (samples, variables); reshape it with "
        ".reshape(n_samples, n_variables)",
        file, header.shape.size()));
  }
  require_column_count(file, header.n_columns, true);
}

std::uint64_t NpyHeader::n_bytes(const std::string& file) const {
  std::uint64_t bytes = item_bytes;
  for (const std::uint64_t length : shape) {
    if (length == 0) return 0;
    if (bytes > most_bytes / length) {
      throw InputError(fmt::format(
          "{}: the header announces an array of more than 2^63 bytes; was it written completely?",
          file));
    }
    bytes *= length;
  }
  return bytes;
}

namespace {

template <class T>
double load(const unsigned char* bytes, bool is_big_endian) {
  std::array<unsigned char, sizeof(T)> raw;
  std::memcpy(raw.data(), bytes, sizeof(T));
  if (is_big_endian) std::reverse(raw.begin(), raw.end());
  T value;
  std::memcpy(&value, raw.data(), sizeof(T));
  return static_cast<double>(value);
}
double load_bool(const unsigned char* bytes, bool /*is_big_endian*/) { return *bytes != 0 ? 1 : 0; }

}  // namespace

LoadNumber number_loader(const NpyHeader& header) {
  const auto of_size = [&](LoadNumber one, LoadNumber two, LoadNumber four, LoadNumber eight) {
    const std::uint64_t n = header.item_bytes;
    return n == 1 ? one : n == 2 ? two : n == 4 ? four : eight;
  };
  switch (header.kind) {
    case 'b':
      return load_bool;
    case 'i':
      return of_size(load<std::int8_t>, load<std::int16_t>, load<std::int32_t>, load<std::int64_t>);
    case 'u':
      return of_size(load<std::uint8_t>, load<std::uint16_t>, load<std::uint32_t>,
                     load<std::uint64_t>);
    default:
      return of_size(nullptr, nullptr, load<float>, load<double>);
  }
}

NpyArray::NpyArray(const std::filesystem::path& path)
    : file_(path.string()), bytes_(path, "an NPY array") {
  read_header();
  require_size();
}

void NpyArray::read_header() {
  std::array<unsigned char, npy_preamble_bytes> first{};
  const std::uint64_t n_first = std::min<std::uint64_t>(first.size(), bytes_.size());
  bytes_.read(0, n_first, first.data());
  const NpyPreamble preamble = parse_npy_preamble(
      file_, {reinterpret_cast<const char*>(first.data()), static_cast<std::size_t>(n_first)});
  data_begin_ = preamble.header_begin + preamble.header_bytes;
  if (data_begin_ > bytes_.size()) {
    throw InputError(fmt::format(
        "{}: truncated: the NPY header ends at byte {}, the file at {}; write the file again",
        file_, data_begin_, bytes_.size()));
  }
  std::string text(static_cast<std::size_t>(preamble.header_bytes), ' ');
  bytes_.read(preamble.header_begin, text.size(), reinterpret_cast<unsigned char*>(text.data()));
  header_ = parse_npy_header(file_, text);
  require_table(file_, header_);
}

void NpyArray::require_size() const {
  const std::uint64_t present = bytes_.size() - data_begin_;
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
  bytes_.read(data_begin_ + first * header_.item_bytes, n * header_.item_bytes, bytes);
}

}  // namespace orrery::data
