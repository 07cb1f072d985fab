// Lines of a text file, plain or gzip, read through one buffer that is reused.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.hpp"

namespace orrery::data {

/// Of progress.
inline constexpr std::uint64_t megabyte = 1'000'000;

class TextReader {
 public:
  /// Throws InputError if the file is missing, a directory, or unreadable.
  explicit TextReader(const std::filesystem::path& path);

  /// The file's name, for messages.
  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  /// The beginning of the (decompressed) content, at most one buffer; before the first line only.
  /// A UTF-8 byte order mark is not part of it.
  [[nodiscard]] std::string_view peek();
  /// True for gzip content, whatever the name.
  [[nodiscard]] bool is_compressed();

  /// Goes to the next line; false at the end of the file. Throws InputError if the gzip stream is
  /// cut short or damaged, and if the line is longer than 256 MiB.
  [[nodiscard]] bool next_line();
  /// Appends the line that follows to this one (a quoted cell holds a line end); false at the end
  /// of the file.
  [[nodiscard]] bool extend_line();
  /// The current line without its line end (LF or CRLF). Valid until the next call that moves on.
  [[nodiscard]] std::string_view line() const noexcept {
    return {buffer_.data() + line_begin_, line_end_ - line_begin_};
  }
  /// Number of the current line's beginning in the file, from 1.
  [[nodiscard]] std::uint64_t line_number() const noexcept { return line_number_; }

  /// Back to the beginning, for another pass with its own progress bar.
  void restart(const std::string& stage);

 private:
  struct Close {
    void operator()(gzFile stream) const noexcept { gzclose_r(stream); }
  };

  void start_progress(const std::string& stage);
  [[nodiscard]] bool find_line_end(std::size_t search_from);
  [[nodiscard]] bool refill();
  void grow_if_full();
  void require_sound_stream(int n_read);
  void skip_byte_order_mark();

  std::string file_;
  std::uint64_t file_bytes_ = 0;
  std::unique_ptr<gzFile_s, Close> stream_;
  std::optional<Progress> progress_;
  std::vector<char> buffer_;
  // Offsets into buffer_: line_begin_ <= line_end_ <= next_ <= filled_.
  std::size_t line_begin_ = 0;
  std::size_t line_end_ = 0;
  std::size_t next_ = 0;  // where the following line begins
  std::size_t filled_ = 0;
  bool at_start_ = true;
  bool at_end_ = false;
  std::uint64_t line_number_ = 0;
  std::uint64_t lines_passed_ = 0;
};

}  // namespace orrery::data
