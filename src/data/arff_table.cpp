// Purpose: the header of ARFF and the cells of its rows, dense and sparse.
// Format: Weka's "ARFF (stable version)", and its reader where that says less: blanks and commas
// separate, what holds them is in single or double quotes with backslashes for quotes within, a
// percent sign at the beginning of a piece makes the rest of the line a comment, and the words of
// the header are of any case.
// Cost: linear; a line and the header are held.
#include "data/arff_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <system_error>
#include <utility>

#include "base/progress.hpp"
#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/text_sources.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_keyword(std::string_view word, std::string_view keyword) {
  return std::ranges::equal(word, keyword, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
  });
}

}  // namespace

bool begins_as_arff(std::string_view content) {
  while (!content.empty() && (is_blank(content.front()) || content.front() == '%')) {
    const bool is_comment = content.front() == '%';
    content.remove_prefix(is_comment ? std::min(content.find('\n'), content.size()) : 1);
  }
  return is_keyword(content.substr(0, 9), "@relation") ||
         is_keyword(content.substr(0, 10), "@attribute");
}

ArffTable::ArffTable(TextReader& text, const std::vector<std::string>& missing_tokens)
    : text_(text), missing_tokens_(missing_tokens) {
  while (next_content()) {
    const Piece first = next_piece();
    const std::string_view word = first == Piece::word ? piece() : std::string_view();
    if (is_keyword(word, "@data")) return;
    if (is_keyword(word, "@attribute")) {
      read_attribute();
    } else if (!is_keyword(word, "@relation")) {
      refuse_line("is no part of an ARFF header",
                  "it has lines of @relation, @attribute and @data; if it is no ARFF file, name "
                  "its format with --format");
    }
  }
  throw InputError(
      fmt::format("{}: the file ends before a line of @data; was it written completely?", file()));
}

std::vector<std::string> ArffTable::names() const {
  std::vector<std::string> names;
  for (const ArffAttribute& attribute : attributes_) names.push_back(attribute.name);
  return names;
}

/// Goes to a line that is neither blank nor a comment.
bool ArffTable::next_content() {
  while (text_.next_line()) {
    const std::string_view line = text_.line();
    const auto first = std::ranges::find_if_not(line, is_blank);
    if (first == line.end() || *first == '%') continue;
    start_line(line);
    return true;
  }
  return false;
}

void ArffTable::start_line(std::string_view line) {
  rest_ = line;
  texts_.clear();
  piece_begin_ = 0;
}

ArffTable::Piece ArffTable::next_piece() {
  const auto begin = std::ranges::find_if_not(rest_, is_blank);
  rest_.remove_prefix(static_cast<std::size_t>(begin - rest_.begin()));
  piece_begin_ = texts_.size();
  if (rest_.empty() || rest_.front() == '%') return Piece::end;
  const char first = rest_.front();
  if (first == '\'' || first == '"') {
    read_quoted();
    return Piece::quoted;
  }
  const auto separates = [](char c) { return is_blank(c) || c == ',' || c == '{' || c == '}'; };
  if (separates(first)) {
    rest_.remove_prefix(1);
    return first == ',' ? Piece::comma : first == '{' ? Piece::open : Piece::close;
  }
  const auto end = std::ranges::find_if(rest_, separates);
  const auto length = static_cast<std::size_t>(end - rest_.begin());
  texts_ += rest_.substr(0, length);
  rest_.remove_prefix(length);
  return Piece::word;
}

void ArffTable::read_quoted() {
  const char quote = rest_.front();
  for (std::size_t i = 1; i < rest_.size(); ++i) {
    char c = rest_[i];
    if (c == quote) {
      rest_.remove_prefix(i + 1);
      return;
    }
    if (c == '\\' && i + 1 < rest_.size()) {
      c = rest_[++i];
      c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    }
    texts_ += c;
  }
  refuse_line("opens a quote that is not closed in this line",
              "close it, or write a backslash before a quote that is part of a value");
}

void ArffTable::refuse_line(std::string_view what, std::string_view remedy) const {
  throw InputError(fmt::format("{}: line {}: {} {}; {}", file(), text_.line_number(),
                               in_quotes(trimmed(text_.line())), what, remedy));
}

// ---------------------------------------------------------------------------------------- header

void ArffTable::read_attribute() {
  if (attributes_.size() == most_columns) require_column_count(file(), most_columns + 1);
  ArffAttribute attribute;
  if (!is_text(next_piece())) refuse_line("has no name", "write @attribute NAME TYPE");
  attribute.name = piece();
  const Piece type = next_piece();
  if (type == Piece::open) {
    read_categories(attribute);
  } else if (type == Piece::word) {
    read_type(attribute);
  } else {
    refuse_line("has no type", "write @attribute NAME numeric, or @attribute NAME {no,yes}");
  }
  attributes_.push_back(std::move(attribute));
}

void ArffTable::read_type(ArffAttribute& attribute) {
  const std::string_view type = piece();
  const auto is_one_of = [&](std::initializer_list<std::string_view> types) {
    return std::ranges::any_of(types,
                               [&](std::string_view name) { return is_keyword(type, name); });
  };
  if (is_one_of({"numeric", "real", "integer"})) return;
  if (!is_one_of({"string", "date"})) {
    refuse_line("has a type that is not read",
                "read are numeric, real, integer, string, date, and nominal values as in {no,yes}");
  }
  attribute.kind = ArffAttribute::Kind::text;
}

void ArffTable::read_categories(ArffAttribute& attribute) {
  attribute.kind = ArffAttribute::Kind::nominal;
  std::vector<std::string>& categories = attribute.categories;
  bool may_be_value = true;  // not after a value: a comma separates
  Piece next = next_piece();
  for (; next != Piece::close; next = next_piece()) {
    if (next == Piece::comma && !may_be_value) {
      may_be_value = true;
    } else if (is_text(next)) {
      categories.emplace_back(piece());
      may_be_value = false;
    } else {
      refuse_line("is not a list of nominal values",
                  "write {first,second}, each in quotes if it holds blanks or commas, in one line");
    }
  }
  attribute.by_name.resize(categories.size());
  std::iota(attribute.by_name.begin(), attribute.by_name.end(), 0U);
  const auto name_of = [&](std::uint32_t c) -> const std::string& { return categories[c]; };
  std::ranges::sort(attribute.by_name, {}, name_of);
  const auto twice = std::ranges::adjacent_find(attribute.by_name, {}, name_of);
  if (twice == attribute.by_name.end()) return;
  refuse_line(fmt::format("declares the value {} twice", in_quotes(categories[*twice])),
              "write every value once");
}

// ------------------------------------------------------------------------------------------ rows

bool ArffTable::next_row() {
  if (!next_content()) return false;
  ++row_;
  cells_.clear();
  places_.clear();
  const Piece first = next_piece();
  is_sparse_ = first == Piece::open;
  if (is_sparse_) {
    read_sparse();
  } else {
    read_dense(first);
  }
  finish_cells();
  return true;
}

void ArffTable::read_dense(Piece next) {
  std::size_t n_values = 0;
  bool is_due = true;  // a value: at the beginning, and after a comma
  for (; next <= Piece::comma; next = next_piece()) {
    if (next == Piece::comma && std::exchange(is_due, true)) break;
    if (next == Piece::comma) continue;
    if (n_values < attributes_.size()) add_cell(n_values, next);
    ++n_values;
    is_due = false;
  }
  if (next == Piece::open && n_values == attributes_.size()) refuse_weight();
  if (next == Piece::open || next == Piece::close) {
    refuse_line("holds a brace amid its values", "put a value that holds one in quotes");
  }
  if (is_due) {
    throw InputError(fmt::format("{}: the cell of column {} is empty; write ? for a missing value",
                                 where(), n_values + 1));
  }
  if (n_values != attributes_.size()) {
    throw InputError(fmt::format(
        "{} has {} values, and {} attributes are declared; complete the row, or put a value that "
        "holds blanks or commas in quotes",
        where(), n_values, attributes_.size()));
  }
}

void ArffTable::read_sparse() {
  for (Piece next = next_piece(); next != Piece::close; next = next_piece()) {
    if (next == Piece::comma && !cells_.empty()) next = next_piece();
    const std::size_t column = read_index(next);
    if (!cells_.empty() && column <= cells_.back().column) {
      throw InputError(fmt::format("{}: index {} follows index {}; write them in ascending order",
                                   where(), column, cells_.back().column));
    }
    next = next_piece();
    if (!is_text(next)) {
      throw InputError(fmt::format("{}: index {} has no value; write {{index value,index value}}",
                                   where(), column));
    }
    add_cell(column, next);
  }
  const Piece after = next_piece();
  if (after == Piece::comma || after == Piece::open) refuse_weight();
  if (after != Piece::end) refuse_line("goes on after its row", "write one row per line");
}

void ArffTable::refuse_weight() const {
  refuse_line("gives the row a weight after its values", "weights are not read; leave them out");
}

std::size_t ArffTable::read_index(Piece piece_kind) const {
  const std::string_view word = piece();
  std::size_t index = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  const bool is_number = piece_kind == Piece::word && stop == word.data() + word.size() &&
                         error != std::errc::invalid_argument;
  if (!is_number) {
    throw InputError(fmt::format(
        "{}: {} is no index of a column; write {{index value,index value}}, closed in the same "
        "line",
        where(), in_quotes(word)));
  }
  if (error != std::errc{} || index >= attributes_.size()) {
    throw InputError(
        fmt::format("{}: index {} is beyond the {} attributes declared; they begin with 0", where(),
                    word, format_count(attributes_.size())));
  }
  return index;
}

/// The last piece is its text.
void ArffTable::add_cell(std::size_t column, Piece piece_kind) {
  ArffCell cell;
  cell.column = column;
  cell.is_missing = piece_kind == Piece::word && piece() == "?";
  cells_.push_back(cell);
  places_.emplace_back(piece_begin_, texts_.size());
}

/// Sets what points into texts_, which moves while it grows.
void ArffTable::finish_cells() {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    ArffCell& cell = cells_[i];
    const auto [begin, end] = places_[i];
    cell.token = std::string_view(texts_).substr(begin, end - begin);
    cell.is_missing =
        cell.is_missing || std::ranges::find(missing_tokens_, cell.token) != missing_tokens_.end();
    const ArffAttribute& attribute = attributes_[cell.column];
    if (attribute.kind != ArffAttribute::Kind::nominal || cell.is_missing) continue;
    const auto name_of = [&](std::uint32_t c) -> std::string_view {
      return attribute.categories[c];
    };
    const auto found = std::ranges::lower_bound(attribute.by_name, cell.token, {}, name_of);
    if (found == attribute.by_name.end() || name_of(*found) != cell.token) refuse_value(cell);
    cell.category = *found;
  }
}

void ArffTable::refuse_value(const ArffCell& cell) const {
  throw InputError(fmt::format(
      "{}: {} is not among the values declared, {}; correct it, declare it, or name it as missing "
      "with --missing {}",
      where(cell.column), in_quotes(cell.token),
      list_in_quotes(attributes_[cell.column].categories), in_quotes(cell.token)));
}

std::string ArffTable::where() const {
  return fmt::format("{}: row {} (line {})", file(), row_, text_.line_number());
}

std::string ArffTable::where(std::size_t column) const {
  return fmt::format("{}, column {} ({})", where(), column + 1,
                     in_quotes(attributes_[column].name));
}

}  // namespace orrery::data
