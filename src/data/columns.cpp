#include "data/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {

namespace {

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
    throw InputError(fmt::format("{}: column {} has no name in the header; name it there{}", file,
                                 column + 1, not_names));
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

ColumnOfName index_names(const std::string& file, const std::vector<std::string>& names,
                         std::size_t index) {
  ColumnOfName column_of;
  column_of.reserve(names.size());
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (c == index) continue;
    require_usable_name(file, names[c], c);
    const auto [entry, is_new] = column_of.emplace(names[c], c);
    if (!is_new) {
      throw InputError(fmt::format("{}: columns {} and {} have the same name {}; rename one{}",
                                   file, entry->second + 1, c + 1, in_quotes(names[c]), not_names));
    }
  }
  return column_of;
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

std::vector<std::size_t> Columns::places() const {
  std::vector<std::size_t> result(names.size());
  for (std::size_t k = 0; k < kept.size(); ++k) result[kept[k]] = k;
  return result;
}

std::string Columns::describe(std::size_t column) const {
  return fmt::format("{} ({})", column + 1, in_quotes(names[column]));
}

void require_column_count(const std::string& file, std::uint64_t n_columns, bool may_be_one) {
  if (n_columns == 0) {
    throw InputError(fmt::format("{}: the table has no columns; is it the right file?", file));
  }
  if (n_columns == 1 && !may_be_one) {
    throw InputError(fmt::format(
        "{}: one column only; is the delimiter right? Set it with --delimiter, or --format "
        "csv|tsv|rows",
        file));
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

bool matches(std::string_view name, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t next = 0;
  std::size_t star = std::string_view::npos;  // the last one passed, which covers up to `covered`
  std::size_t covered = 0;
  while (at < name.size()) {
    if (next < pattern.size() && pattern[next] == '*') {
      star = next++;
      covered = at;
    } else if (next < pattern.size() && (pattern[next] == '?' || pattern[next] == name[at])) {
      ++at;
      ++next;
    } else if (star != std::string_view::npos) {
      next = star + 1;
      at = ++covered;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', next) == std::string_view::npos;
}

namespace {

/// Flags the columns of a name, or of a pattern.
void flag_columns(const std::string& file, const Columns& columns, const ColumnOfName& column_of,
                  const char* option, const std::string& given, std::vector<std::uint8_t>& flags) {
  if (const auto found = column_of.find(given); found != column_of.end()) {
    flags[found->second] = 1;
    return;
  }
  bool found = columns.has_index() && columns.names[columns.index] == given;
  if (given.find_first_of("*?") != std::string::npos) {
    for (const auto& [name, column] : column_of) {
      if (!matches(name, given)) continue;
      flags[column] = 1;
      found = true;
    }
  }
  if (found) return;
  throw InputError(fmt::format("{}: {} {}: there is no such column; the columns are {}", file,
                               option, in_quotes(given), list_in_quotes(columns.names)));
}

void require_some_columns(const std::string& file, const Columns& columns,
                          const ImportOptions& options) {
  const std::size_t needed = options.like_columns.empty() ? 2 : 1;
  if (columns.kept.size() >= needed) return;
  if (!options.like_columns.empty()) {
    throw InputError(
        fmt::format("{}: no column is called as a variable of the model is, such as {}; "
                    "the columns are {}",
                    file, in_quotes(options.like_columns.front()), list_in_quotes(columns.names)));
  }
  const bool keeps = !options.keep_columns.empty();
  const bool drops = !options.drop_columns.empty();
  if (!keeps && !drops) require_column_count(file, columns.kept.size(), needed == 1);
  throw InputError(fmt::format("{}: {} leave{} {} of {} columns; {} or more are needed", file,
                               keeps && drops ? "--keep and --drop"
                               : keeps        ? "--keep"
                                              : "--drop",
                               keeps && drops ? "" : "s", columns.kept.size(),
                               columns.size() - (columns.has_index() ? 1 : 0),
                               needed == 1 ? "one" : "two"));
}

}  // namespace

Columns select_columns(const std::string& file, std::vector<std::string> names,
                       const ImportOptions& options, std::size_t index) {
  require_column_count(file, names.size(), !options.like_columns.empty());
  Columns columns;
  columns.names = std::move(names);
  columns.index = index;
  columns.may_lack_values = !options.like_columns.empty();
  const ColumnOfName column_of = index_names(file, columns.names, index);
  std::vector<std::uint8_t> kept(columns.size(), options.keep_columns.empty() ? 1 : 0);
  std::vector<std::uint8_t> dropped(columns.size(), 0);
  if (!options.like_columns.empty()) {
    std::ranges::fill(kept, 0);
    for (const std::string& name : options.like_columns) {
      if (const auto found = column_of.find(name); found != column_of.end())
        kept[found->second] = 1;
    }
  }
  for (const std::string& name : options.keep_columns) {
    flag_columns(file, columns, column_of, "--keep", name, kept);
  }
  for (const std::string& name : options.drop_columns) {
    flag_columns(file, columns, column_of, "--drop", name, dropped);
  }
  columns.is_kept.assign(columns.size(), 0);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (c == index || kept[c] == 0 || dropped[c] != 0) continue;
    columns.is_kept[c] = 1;
    columns.kept.push_back(c);
  }
  require_some_columns(file, columns, options);
  return columns;
}

void require_some_values(const std::string& file, const std::vector<std::string>& names,
                         std::uint64_t n_samples, const std::vector<std::uint64_t>& missing,
                         bool may_lack_values) {
  if (n_samples == 0) {
    throw InputError(
        fmt::format("{}: the file has no rows of values; was the table written completely?", file));
  }
  for (std::size_t c = 0; c < names.size() && !may_lack_values; ++c) {
    if (missing[c] == n_samples) {
      throw InputError(fmt::format(
          "{}: column {} has no value in any of the {} rows; leave it out with --drop {}", file,
          in_quotes(names[c]), format_count(n_samples), in_quotes(names[c])));
    }
  }
}

}  // namespace orrery::data
