#include "data/delimited_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "data/dialect.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

/// The columns of the file become rows: none is chosen here.
ImportOptions all_columns(ImportOptions options) {
  options.keep_columns.clear();
  options.drop_columns.clear();
  options.like_columns.clear();
  return options;
}

}  // namespace

DelimitedRows::DelimitedRows(TextReader& text, Format format, const ImportOptions& options,
                             bool are_bits)
    : text_(text),
      are_bits_(are_bits),
      cells_(options, dialect_of(text.peek(), format, options).has_decimal_comma()),
      numbers_(options.missing_tokens,
               dialect_of(text.peek(), format, options).has_decimal_comma()),
      table_(text, format, all_columns(options),
             [this](const auto& first) { return are_names(first); }),
      cell_(table_.delimiter()),
      names_(table_.columns().kept_names()) {}

// All cells but the first, which may stand above the rows' names.
bool DelimitedRows::are_names(const std::vector<std::string>& first) const {
  return std::any_of(first.begin() + 1, first.end(), [&](const std::string& cell) {
    double value = 0;
    return are_bits_ ? cells_.classify(std::string_view(cell)) == Cell::other
                     : numbers_.read(cell, value) == NumberCell::other;
  });
}

bool DelimitedRows::next_row(std::vector<RowValue>& values) {
  values.clear();
  if (!table_.next_row()) return false;
  std::size_t place = 0;
  table_.for_each_kept(cell_, [&](std::size_t column) {
    values.push_back({place++, read_value(column)});
  });
  return true;
}

double DelimitedRows::read_value(std::size_t column) const {
  double value = 0;
  if (are_bits_) {
    const Cell cell = cells_.classify(cell_.token());
    if (cell == Cell::missing) return no_value;
    if (cell <= Cell::one) return cell == Cell::one ? 1 : 0;
  } else if (numbers_.read(cell_.token(), value) <= NumberCell::missing) {
    return value;
  }
  throw InputError(fmt::format(
      "{}: {} is not {}; if this column names the rows, add --index {}; if it stands for a missing "
      "value, --missing {}",
      table_.where(column), in_quotes(cell_.token()), are_bits_ ? "binary" : "a number",
      in_quotes(table_.columns().names[column]), in_quotes(cell_.token())));
}

}  // namespace orrery::data
