#include "data/delimited_cells.hpp"

#include <fmt/format.h>

#include "orrery/base/error.hpp"

namespace orrery::data {

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

}  // namespace orrery::data
