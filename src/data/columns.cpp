#include "data/columns.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

namespace {

constexpr std::size_t most_names_listed = 8;
constexpr std::string_view not_names =
    "; if the first row holds values and not names, import with --header no";

// Length of the UTF-8 sequence that begins with `first`, 0 if none can.
std::size_t sequence_length(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first < 0xC2 || first > 0xF4) {
    return 0;
  }
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

void require_usable_name(const std::string& file, const std::string& name, std::size_t column) {
  if (name.empty()) {
    throw InputError(fmt::format(
        "{}: column {} has no name in the header; name it there (a row index written by pandas is "
        "left out with index=False){}",
        file, column + 1, not_names));
  }
  if (name.size() > longest_name) {
    throw InputError(
        fmt::format("{}: the name of column {}, {}, has {} bytes; shorten it to at most {}", file,
                    column + 1, in_quotes(name), name.size(), longest_name));
  }
  if (!is_utf8(name)) {
    throw InputError(fmt::format(
        "{}: the name of column {} is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`",
        file, column + 1));
  }
  if (has_control_character(name)) {
    throw InputError(
        fmt::format("{}: the name of column {}, {}, holds a control character; rename the column",
                    file, column + 1, in_quotes(name)));
  }
}

using ColumnOfName = std::unordered_map<std::string_view, std::size_t>;

ColumnOfName index_names(const std::string& file, const std::vector<std::string>& names) {
  ColumnOfName column_of;
  column_of.reserve(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    require_usable_name(file, names[c], c);
    const auto [entry, is_new] = column_of.emplace(names[c], c);
    if (!is_new) {
      throw InputError(fmt::format("{}: columns {} and {} have the same name {}; rename one{}",
                                   file, entry->second + 1, c + 1, in_quotes(names[c]), not_names));
    }
  }
  return column_of;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t c = 0; c < names.size() && c < most_names_listed; ++c) {
    list += (c == 0 ? "" : ", ") + in_quotes(names[c]);
  }
  return list + (names.size() > most_names_listed ? ", ..." : "");
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = sequence_length(first);
    if (length == 0 || length > text.size() - i) {
      return false;
    }
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(text[i + k]) >> 6U) != 2) {
        return false;
      }
    }
    const auto second = length > 1 ? static_cast<unsigned char>(text[i + 1]) : 0x80;
    // Overlong forms, surrogates, and what lies beyond U+10FFFF.
    if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
        (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) {
      return false;
    }
    i += length;
  }
  return true;
}

bool has_control_character(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> Columns::kept_names() const {
  std::vector<std::string> result;
  result.reserve(kept.size());
  for (const std::size_t c : kept) {
    result.push_back(names[c]);
  }
  return result;
}

std::string Columns::describe(std::size_t column) const {
  return fmt::format("{} ({})", column + 1, in_quotes(names[column]));
}

void require_column_count(const std::string& file, std::uint64_t n_columns) {
  if (n_columns == 0) {
    throw InputError(fmt::format("{}: the table has no columns; is it the right file?", file));
  }
  if (n_columns == 1) {
    throw InputError(fmt::format(
        "{}: one column only; is the delimiter right? Set it with --format csv|tsv|rows", file));
  }
  if (n_columns > most_columns) {
    throw InputError(
        fmt::format("{}: more than {} columns, the most that can be imported; is the table "
                    "transposed?",
                    file, format_count(most_columns)));
  }
}

std::vector<std::string> default_names(std::size_t n_columns) {
  std::vector<std::string> names(n_columns);
  for (std::size_t c = 0; c < n_columns; ++c) {
    names[c] = fmt::format("x{}", c);
  }
  return names;
}

Columns select_columns(const std::string& file, std::vector<std::string> names,
                       const std::vector<std::string>& dropped) {
  require_column_count(file, names.size());
  const ColumnOfName column_of = index_names(file, names);
  Columns columns;
  columns.is_kept.assign(names.size(), 1);
  for (const std::string& name : dropped) {
    const auto found = column_of.find(name);
    if (found == column_of.end()) {
      throw InputError(fmt::format("{}: --drop {}: there is no such column; the columns are {}",
                                   file, in_quotes(name), list_of(names)));
    }
    columns.is_kept[found->second] = 0;
  }
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (columns.is_kept[c] != 0) {
      columns.kept.push_back(c);
    }
  }
  columns.names = std::move(names);
  if (columns.kept.size() < 2) {
    throw InputError(fmt::format("{}: --drop leaves {} of {} columns; two or more are needed", file,
                                 columns.kept.size(), columns.size()));
  }
  return columns;
}

void require_some_values(const std::string& file, const std::vector<std::string>& names,
                         std::uint64_t n_samples, const std::vector<std::uint64_t>& missing) {
  if (n_samples == 0) {
    throw InputError(
        fmt::format("{}: the file has no rows of values; was the table written completely?", file));
  }
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (missing[c] == n_samples) {
      throw InputError(fmt::format(
          "{}: column {} has no value in any of the {} rows; leave it out with --drop {}", file,
          in_quotes(names[c]), format_count(n_samples), in_quotes(names[c])));
    }
  }
}

}  // namespace orrery::data
