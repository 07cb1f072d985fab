// Purpose: lines out of plain and gzip text in bounded memory, and records of CSV and TSV.
// The buffer holds the current line and what was read beyond it. When the line's end is not in the
// buffer, the line is moved to the front and the rest is refilled; the buffer doubles only for a
// line longer than itself. Cost: one memchr a line, and one copy of at most a line a refill.

#include "data/text_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/memory_limit.hpp"
#include "base/output_file.hpp"
#include "data/columns.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

namespace {

constexpr std::size_t smallest_buffer = std::size_t{1} << 16U;
constexpr std::size_t usual_buffer = std::size_t{1} << 20U;
constexpr std::size_t longest_line = std::size_t{256} << 20U;

}  // namespace

TextReader::TextReader(const std::filesystem::path& path)
    : file_(path == "-" ? "standard input" : path.string()) {
  const bool is_standard_input = path == "-";
  if (!is_standard_input) require_readable_file(path);
  std::error_code unknown_size;
  const auto bytes = std::filesystem::file_size(path, unknown_size);
  file_bytes_ = unknown_size ? 0 : bytes;
  stream_.reset(is_standard_input ? gzdopen(::dup(STDIN_FILENO), "rb")
                                  : gzopen(file_.c_str(), "rb"));
  if (!stream_) {
    throw InputError(fmt::format("{}: cannot be opened: {}", file_, std::strerror(errno)));
  }
  buffer_.resize(unknown_size ? usual_buffer
                              : std::clamp<std::uint64_t>(bytes, smallest_buffer, usual_buffer));
  gzbuffer(stream_.get(), static_cast<unsigned>(buffer_.size() / 4));
}

void TextReader::start_progress(const std::string& stage) {
  const std::uint64_t megabytes = (file_bytes_ + megabyte - 1) / megabyte;
  progress_.emplace(stage, megabytes, "MB");
}

std::string_view TextReader::peek() {
  if (at_start_) {
    (void)refill();
  }
  return {buffer_.data() + next_, filled_ - next_};
}

bool TextReader::is_compressed() { return gzdirect(stream_.get()) == 0; }

bool TextReader::next_line() {
  if (!progress_) {
    start_progress("import");
  }
  line_begin_ = line_end_ = next_;
  line_number_ = lines_passed_ + 1;
  return find_line_end(line_begin_);
}

bool TextReader::extend_line() {
  // Searching from next_ keeps the line ends passed so far inside the line.
  return find_line_end(next_);
}

bool TextReader::find_line_end(std::size_t search_from) {
  std::size_t searched = search_from - line_begin_;  // relative: refill moves line_begin_
  while (true) {
    const std::size_t from = line_begin_ + searched;
    const void* found = std::memchr(buffer_.data() + from, line_end_character_, filled_ - from);
    if (found != nullptr) {
      line_end_ = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
      next_ = line_end_ + 1;
      break;
    }
    searched = filled_ - line_begin_;
    if (!refill()) {
      if (filled_ == next_) {
        return false;
      }
      line_end_ = filled_;
      next_ = filled_;
      break;
    }
  }
  if (line_end_ > line_begin_ && buffer_[line_end_ - 1] == '\r') {
    --line_end_;
  }
  ++lines_passed_;
  return true;
}

bool TextReader::refill() {
  if (at_end_) {
    return false;
  }
  std::memmove(buffer_.data(), buffer_.data() + line_begin_, filled_ - line_begin_);
  filled_ -= line_begin_;
  next_ -= line_begin_;
  line_end_ -= line_begin_;
  line_begin_ = 0;
  grow_if_full();
  const std::size_t room = std::min(buffer_.size() - filled_, longest_line);
  const int n_read = gzread(stream_.get(), buffer_.data() + filled_, static_cast<unsigned>(room));
  require_sound_stream(n_read);
  filled_ += static_cast<std::size_t>(n_read);
  at_end_ = n_read == 0;
  if (progress_) {
    const auto position = std::max<z_off_t>(gzoffset(stream_.get()), 0);
    progress_->set(static_cast<std::uint64_t>(position) / megabyte);
  }
  if (at_start_) {
    at_start_ = false;
    skip_byte_order_mark();
    find_line_ends();
  }
  return !at_end_;
}

void TextReader::grow_if_full() {
  if (filled_ < buffer_.size()) {
    return;
  }
  if (buffer_.size() >= longest_line) {
    throw InputError(fmt::format(
        "{}: line {} is longer than {}; is a quote opened there and never closed, or is the file "
        "not text? See --format",
        file_, line_number_, format_bytes(static_cast<double>(longest_line))));
  }
  buffer_.resize(std::min(2 * buffer_.size(), longest_line));
}

void TextReader::require_sound_stream(int n_read) {
  int code = Z_OK;
  const char* reason = gzerror(stream_.get(), &code);
  // A stream that ends too early still returns what it had, and says Z_BUF_ERROR.
  if (n_read >= 0 && code != Z_BUF_ERROR) {
    return;
  }
  if (code == Z_ERRNO) {
    throw InputError(fmt::format("{}: cannot be read after line {}: {}", file_, lines_passed_,
                                 std::strerror(errno)));
  }
  if (code == Z_MEM_ERROR) {
    throw EnvironmentError(
        fmt::format("{}: not enough memory to decompress it: {}; run where more is free", file_,
                    describe_memory_in_use()));
  }
  throw InputError(
      fmt::format("{}: the gzip stream is {} after line {} ({}); check it with `gzip -t` and fetch "
                  "or write the file again",
                  file_, code == Z_BUF_ERROR ? "truncated" : "damaged", lines_passed_, reason));
}

void TextReader::skip_byte_order_mark() {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (filled_ >= mark.size() && std::string_view(buffer_.data(), mark.size()) == mark) {
    line_begin_ = line_end_ = next_ = mark.size();
  }
}

// Files of old Macs, and of spreadsheets that still write so, have a carriage return alone.
void TextReader::find_line_ends() {
  const std::string_view content(buffer_.data(), filled_);
  const bool has_only_returns =
      content.find('\n') == std::string_view::npos && content.find('\r') != std::string_view::npos;
  line_end_character_ = has_only_returns ? '\r' : '\n';
}

void TextReader::restart(const std::string& stage) {
  if (gzrewind(stream_.get()) != 0) {
    throw InputError(fmt::format(
        "{}: cannot be read twice; a pipe cannot be imported in several passes: save it to a file",
        file_));
  }
  line_begin_ = line_end_ = next_ = filled_ = 0;
  at_start_ = true;
  at_end_ = false;
  line_number_ = 0;
  lines_passed_ = 0;
  start_progress(stage);
}

const char* CellSplitter::read_quoted(const char* position, const char* end) {
  unquoted_.clear();
  bool is_open = false;
  for (; position != end && (is_open || *position != delimiter_); ++position) {
    if (*position != '"') {
      unquoted_ += *position;
    } else if (is_open && position + 1 != end && position[1] == '"') {
      unquoted_ += '"';
      ++position;
    } else {
      is_open = !is_open;
    }
  }
  token_ = trimmed(unquoted_);
  return position;
}

std::vector<std::string> split_cells(std::string_view line, char delimiter, std::size_t most) {
  std::vector<std::string> cells;
  CellSplitter cell(delimiter);
  const char* const end = line.data() + line.size();
  for (const char* p = line.data();; ++p) {
    p = cell.read(p, end);
    cells.emplace_back(cell.token());
    if (p == end || cells.size() > most) return cells;
  }
}

// Quotes come in pairs in a complete record (an escaped quote is two): after an odd number, the
// line end stands inside a cell.
void complete_record(TextReader& text) {
  std::size_t counted = 0;
  bool is_open = false;
  while (true) {
    const std::string_view fresh = text.line().substr(counted);
    is_open ^= (std::count(fresh.begin(), fresh.end(), '"') % 2) != 0;
    if (!is_open) {
      return;
    }
    counted += fresh.size();
    if (!text.extend_line()) {
      throw InputError(fmt::format("{}: a quote opened in line {} is never closed; close it",
                                   text.file(), text.line_number()));
    }
  }
}

namespace {

/// The header that pandas writes of columns without names: ,0,1,2
bool are_numbered(const std::vector<std::string>& cells) {
  if (!cells.front().empty()) return false;
  for (std::size_t c = 1; c < cells.size(); ++c) {
    if (cells[c] != fmt::to_string(c - 1)) return false;
  }
  return true;
}

}  // namespace

DelimitedTable::DelimitedTable(TextReader& text, Format format, const ImportOptions& options,
                               const AreNames& are_names)
    : text_(text), dialect_(dialect_of(text.peek(), format, options)) {
  if (!next_record()) {
    throw InputError(
        fmt::format("{}: the file is empty; was it written completely?", text_.file()));
  }
  // Not many more than can be imported.
  std::vector<std::string> first = split_cells(line(), delimiter(), most_columns);
  require_column_count(text_.file(), first.size(), !options.like_columns.empty());
  has_header_ = options.header == Header::automatic ? are_names(first) || are_numbered(first)
                                                    : options.header == Header::yes;
  if (has_header_ && dialect_.has_short_header) first.insert(first.begin(), "");
  std::vector<std::string> names = has_header_ ? std::move(first) : default_names(first.size());
  const std::size_t index = find_index(names, options);
  columns_ = select_columns(text_.file(), std::move(names), options, index);
  const bool is_guessed = columns_.has_index() && options.index.empty();
  if (is_guessed) row_names_.mark_as_guess();
  is_index_left_out_ = is_guessed && std::ranges::find(options.drop_columns, unnamed_index) !=
                                         options.drop_columns.end();
}

// R and pandas leave the name of the rows' names empty; a table that pandas wrote, read and wrote
// again has "Unnamed: 0". Such a column gets a name for messages.
std::size_t DelimitedTable::find_index(std::vector<std::string>& names,
                                       const ImportOptions& options) const {
  if (options.index == "none") return Columns::no_index;
  if (!options.index.empty()) {
    const auto found = std::ranges::find(names, options.index);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw InputError(
        fmt::format("{}: --index {}: there is no such column; name one of the header, "
                    "or none",
                    text_.file(), in_quotes(options.index)));
  }
  if (!has_header_ || (!names.front().empty() && names.front() != "Unnamed: 0")) {
    return Columns::no_index;
  }
  names.front() = unnamed_index;
  return 0;
}

bool DelimitedTable::next_row() {
  ++row_;
  return (row_ == 1 && !has_header_) || next_record();
}

// Blank lines may only end the file.
bool DelimitedTable::next_record() {
  while (text_.next_line()) {
    const std::string_view line = text_.line();
    if (line.find_first_not_of(' ') == std::string_view::npos) {
      blank_line_ = blank_line_ == 0 ? text_.line_number() : blank_line_;
      continue;
    }
    if (blank_line_ != 0) {
      throw InputError(fmt::format(
          "{}: line {} is blank but line {} is not; remove the blank line, or write its values",
          text_.file(), blank_line_, text_.line_number()));
    }
    if (std::memchr(line.data(), '"', line.size()) != nullptr) {
      complete_record(text_);
    }
    return true;
  }
  return false;
}

std::string DelimitedTable::where() const {
  return fmt::format("{}: row {} (line {})", text_.file(), row_, text_.line_number());
}

std::string DelimitedTable::where(std::size_t column) const {
  return fmt::format("{}, column {}", where(), columns_.describe(column));
}

void DelimitedTable::refuse_width(std::size_t n_cells) const {
  throw InputError(fmt::format(
      "{} has {} columns, the first row has {}; complete the row, or quote a cell that holds the "
      "delimiter",
      where(), n_cells, columns_.size()));
}

namespace {

// Where the first row says how many cells there are.
constexpr std::size_t widest = 64;

// Cells become names, of networks and then of samples, and are told in messages of one line.
void require_usable(const std::string& place, const std::string& cell) {
  if (!is_utf8(cell)) {
    throw InputError(
        fmt::format("{}: {} is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`", place,
                    in_quotes(cell)));
  }
  if (has_control_character(cell)) {
    throw InputError(fmt::format("{}: {} holds a line end or another control character; remove it",
                                 place, in_quotes(cell)));
  }
  if (cell.size() > longest_name) {
    throw InputError(fmt::format("{}: {} has {} bytes; shorten it to at most {}", place,
                                 in_quotes(cell), cell.size(), longest_name));
  }
}

}  // namespace

std::vector<TextRow> read_text_table(const std::filesystem::path& path, std::size_t n_columns) {
  TextReader text(path);
  char delimiter = '\0';  // not known yet
  std::vector<TextRow> rows;
  while (text.next_line()) {
    if (text.line().find_first_not_of(" \t") == std::string_view::npos) continue;
    if (text.line().find('"') != std::string_view::npos) complete_record(text);
    if (delimiter == '\0') {
      delimiter = text.line().find('\t') != std::string_view::npos ? '\t' : ',';
    }
    const std::size_t most = n_columns > 0 ? n_columns : widest;
    TextRow row{text.line_number(), split_cells(text.line(), delimiter, most)};
    if (n_columns == 0) n_columns = row.cells.size();
    if (row.cells.size() != n_columns) {
      throw InputError(fmt::format(
          "{}: line {}: {} is not the {} columns of this table, separated by {}; complete the "
          "line, or quote a name that holds the separator",
          text.file(), row.line, in_quotes(text.line()), n_columns,
          delimiter == ',' ? "commas" : "tabs"));
    }
    const std::string place = fmt::format("{}: line {}", text.file(), row.line);
    for (const std::string& cell : row.cells) require_usable(place, cell);
    rows.push_back(std::move(row));
  }
  if (rows.empty()) {
    throw InputError(fmt::format("{}: the file is empty; was it written completely?", text.file()));
  }
  return rows;
}

}  // namespace orrery::data
