#include "data/two_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "data/delimited_cells.hpp"
#include "data/delimited_table.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t most_rows = 100'000;
constexpr std::size_t most_values = 4;  // more make no difference to the advice

/// Different values of the column, in the order of the file; nothing that is missing. Ends without
/// a word where the file cannot be read on: what was refused first is what is said.
std::vector<std::string> values_of(TextReader& text, Format format, const ImportOptions& options,
                                   const CellReader& cells, std::size_t column) {
  std::vector<std::string> values;
  try {
    text.restart("");
    DelimitedTable table(text, format, options, [&](const auto& first) {
      return std::ranges::any_of(first, [&](const std::string& cell) {
        return cells.classify(std::string_view(cell)) == Cell::other;
      });
    });
    CellSplitter cell(table.delimiter());
    for (std::uint64_t row = 0; row < most_rows && values.size() < most_values; ++row) {
      if (!table.next_row()) break;
      table.for_each_kept(cell, [&](std::size_t at) {
        if (at != column || cells.classify(cell.token()) == Cell::missing) return;
        const std::string value(cell.token());
        if (std::ranges::find(values, value) == values.end()) values.push_back(value);
      });
    }
  } catch (const InputError&) {
  }
  return values;
}

/// True if all but one of the values are 0 and 1, in some words.
bool is_binary_but_for_one(const std::vector<std::string>& values, const CellReader& cells) {
  const auto n_of = [&](Cell meaning) {
    return std::ranges::count_if(values, [&](const std::string& value) {
      return cells.classify(std::string_view(value)) == meaning;
    });
  };
  return n_of(Cell::zero) == 1 && n_of(Cell::one) == 1 && n_of(Cell::other) == 1;
}

}  // namespace

std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                       const CellReader& cells, const std::string& place, const std::string& value,
                       std::size_t column, const std::string& name) {
  const std::vector<std::string> values = values_of(text, format, options, cells, column);
  const std::string shown = in_quotes(value);
  const std::string drop = fmt::format("leave the column out with --drop {}", in_quotes(name));
  if (values.size() == 2) {
    const std::string one = in_quotes(values[0]);
    const std::string two = in_quotes(values[1]);
    return fmt::format(
        "{}: {} is not binary; the column has two values, {} and {}: say which is on and which is "
        "off (--on {} --off {}, or the reverse), read the table as categories with --categorical, "
        "or {}",
        place, shown, one, two, two, one, drop);
  }
  if (is_binary_but_for_one(values, cells)) {
    return fmt::format(
        "{}: {} is not binary; write 0 or 1 (true/false, yes/no, y/n, t/f), name it as missing "
        "with --missing {} if it stands for no value, {}, or import a table of numbers with "
        "--numeric",
        place, shown, shown, drop);
  }
  return fmt::format(
      "{}: {} is not binary; write 0 or 1 (true/false, yes/no, y/n, t/f), {}, or import a table of "
      "numbers with --numeric, of categories with --categorical",
      place, shown, drop);
}

}  // namespace orrery::data
