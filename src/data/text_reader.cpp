// Purpose: lines out of plain and gzip text in bounded memory.
// The buffer holds the current line and what was read beyond it. When the line's end is not in the
// buffer, the line is moved to the front and the rest is refilled; the buffer doubles only for a
// line longer than itself. Cost: one memchr a line, and one copy of at most a line a refill.
#include "data/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/memory_limit.hpp"
#include "base/output_file.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::size_t smallest_buffer = std::size_t{1} << 16U;
constexpr std::size_t usual_buffer = std::size_t{1} << 20U;
constexpr std::size_t longest_line = std::size_t{256} << 20U;

}  // namespace

TextReader::TextReader(const std::filesystem::path& path) : file_(path.string()) {
  require_readable_file(path);
  std::error_code unknown_size;
  const auto bytes = std::filesystem::file_size(path, unknown_size);
  file_bytes_ = unknown_size ? 0 : bytes;
  stream_.reset(gzopen(file_.c_str(), "rb"));
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
    const void* found = std::memchr(buffer_.data() + from, '\n', filled_ - from);
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

}  // namespace orrery::data
