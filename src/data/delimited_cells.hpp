// The cells of a line of CSV or TSV (RFC 4180): blanks around them, and quotes, are no part of
// them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "data/cells.hpp"
#include "data/text_reader.hpp"

namespace orrery::data {

class CellSplitter {
 public:
  explicit CellSplitter(char delimiter) : delimiter_(delimiter) {}

  /// Reads the cell at `position`; returns where its delimiter, or `end`, is.
  const char* read(const char* position, const char* end) {
    while (position != end && (*position == ' ' || *position == '\t') && *position != delimiter_) {
      ++position;
    }
    if (position != end && *position == '"') {
      return read_quoted(position, end);
    }
    const char* const cell_end = std::find(position, end, delimiter_);
    token_ = trimmed({position, static_cast<std::size_t>(cell_end - position)});
    return cell_end;
  }
  /// What was read last; valid until the next read, and as long as the line.
  [[nodiscard]] std::string_view token() const noexcept { return token_; }

 private:
  const char* read_quoted(const char* position, const char* end);

  char delimiter_;
  std::string_view token_;
  std::string unquoted_;  // holds token_ where quotes were taken out
};

/// Adds to the current line, which has a quote, those that follow until every quote is closed.
/// Throws InputError if one never is.
void complete_record(TextReader& text);

}  // namespace orrery::data
