// Purpose: the dialect of a delimited text, found out from its first rows.
// Cost: the first rows of the file's beginning, a few times.
#include "data/dialect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "data/cells.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::size_t rows_looked_at = 10;
constexpr std::array candidates{'\t', ';', ',', '|'};

/// The first rows, each up to a line end outside quotes; the last one only if it is complete,
/// unless it is the only one.
std::vector<std::string_view> first_rows(std::string_view content) {
  std::vector<std::string_view> rows;
  bool is_quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < content.size() && rows.size() < rows_looked_at; ++i) {
    if (content[i] == '"') is_quoted = !is_quoted;
    if (is_quoted || (content[i] != '\n' && content[i] != '\r')) continue;
    const std::string_view row = trimmed(content.substr(begin, i - begin));
    if (!row.empty()) rows.push_back(content.substr(begin, i - begin));
    begin = i + 1;
  }
  if (rows.empty()) rows.push_back(content);
  return rows;
}

/// Outside quotes.
std::size_t count_of(std::string_view row, char delimiter) {
  std::size_t n = 0;
  bool is_quoted = false;
  for (const char c : row) {
    is_quoted ^= c == '"';
    n += !is_quoted && c == delimiter ? 1 : 0;
  }
  return n;
}

/// Cells of a row that runs of spaces separate.
std::size_t count_of_words(std::string_view row) {
  std::size_t n = 0;
  bool is_quoted = false;
  bool in_word = false;
  for (const char c : trimmed(row)) {
    is_quoted ^= c == '"';
    const bool is_blank = !is_quoted && c == ' ';
    n += !is_blank && !in_word ? 1 : 0;
    in_word = !is_blank;
  }
  return n;
}

std::size_t cells_of(std::string_view row, char delimiter) {
  return delimiter == ' ' ? count_of_words(row) : count_of(row, delimiter) + 1;
}

/// All rows have as many cells, the first one, which may lack one, two or more.
bool is_even(const std::vector<std::string_view>& rows, char delimiter) {
  const std::size_t first = cells_of(rows.front(), delimiter);
  const std::size_t n = rows.size() > 1 ? cells_of(rows[1], delimiter) : first;
  return first >= 2 && (first == n || first + 1 == n) &&
         std::all_of(rows.begin() + 1, rows.end(),
                     [&](std::string_view row) { return cells_of(row, delimiter) == n; });
}

char find_delimiter(const std::vector<std::string_view>& rows, char otherwise) {
  for (const char candidate : candidates) {
    if (is_even(rows, candidate)) return candidate;
  }
  const auto is_rarer = [&](char a, char b) {
    return count_of(rows.front(), a) < count_of(rows.front(), b);
  };
  const char commonest = *std::ranges::max_element(candidates, is_rarer);
  if (count_of(rows.front(), commonest) > 0) return commonest;
  return is_even(rows, ' ') ? ' ' : otherwise;
}

constexpr std::array<std::pair<char, std::string_view>, 5> delimiter_names{{
    {',', "commas"},
    {';', "semicolons"},
    {'\t', "tabs"},
    {'|', "bars"},
    {' ', "blanks"},
}};

}  // namespace

Dialect dialect_of(std::string_view content, Format format, const ImportOptions& options,
                   char otherwise) {
  const std::vector<std::string_view> rows = first_rows(content);
  Dialect dialect;
  dialect.delimiter = options.delimiter != '\0' ? options.delimiter
                      : format == Format::tsv   ? '\t'
                                                : find_delimiter(rows, otherwise);
  // Of one row beside it, or where rows end with a delimiter, something else is wrong.
  dialect.has_short_header =
      options.header != Header::no && rows.size() > 2 && !rows[1].ends_with(dialect.delimiter) &&
      cells_of(rows[0], dialect.delimiter) + 1 == cells_of(rows[1], dialect.delimiter) &&
      is_even(rows, dialect.delimiter);
  return dialect;
}

char parse_delimiter(const std::string& text) {
  if (text == "tab" || text == "\\t" || text == "\t") return '\t';
  if (text == "space" || text == "blank" || text == " ") return ' ';
  if (text == "comma") return ',';
  if (text == "semicolon") return ';';
  if (text == "bar") return '|';
  const bool is_usable = text.size() == 1 && text[0] > ' ' && text[0] < '\x7F' && text[0] != '"' &&
                         text[0] != '.' && text[0] != '-' && text[0] != '+' &&
                         !(text[0] >= '0' && text[0] <= '9');
  if (is_usable) return text[0];
  throw UsageError(fmt::format(
      "--delimiter {}: cannot separate cells; give one character such as ',', ';' or '|', or the "
      "word tab or space",
      in_quotes(text)));
}

}  // namespace orrery::data
