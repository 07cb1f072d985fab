#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/progress.hpp"
#include "data/delimited.hpp"
#include "data/readers.hpp"
#include "orrery/base/error.hpp"

namespace orrery::data {

namespace {

constexpr std::uint64_t most_rows = 100'000;
constexpr std::size_t most_values = 4;  // more make no difference to the advice

struct Value {
  std::string text;
  std::uint64_t n_rows = 0;
};

/// What the first rows say of a column.
struct Values {
  std::vector<Value> different;  ///< in the order of the file; nothing that is missing
  bool are_all_rows = true;      ///< the table ends within most_rows
};

void count(Values& values, std::string_view token) {
  const auto found = std::ranges::find(values.different, token, &Value::text);
  if (found != values.different.end()) {
    ++found->n_rows;
  } else {
    values.different.push_back({std::string(token), 1});
  }
}

/// Ends without a word where the file cannot be read on: what was refused first is what is said.
Values values_of(TextReader& text, Format format, const ImportOptions& options,
                 const CellReader& cells, std::size_t column) {
  Values values;
  try {
    text.restart("");
    DelimitedTable table(text, format, options, [&](const auto& first) {
      return std::ranges::any_of(first, [&](const std::string& cell) {
        return cells.classify(std::string_view(cell)) == Cell::other;
      });
    });
    CellSplitter cell(table.delimiter());
    for (std::uint64_t row = 0; values.different.size() < most_values; ++row) {
      if (!table.next_row()) break;
      values.are_all_rows = row < most_rows;
      if (!values.are_all_rows) break;
      table.for_each_kept(cell, [&](std::size_t at) {
        if (at != column || cells.classify(cell.token()) == Cell::missing) return;
        count(values, cell.token());
      });
    }
  } catch (const InputError&) {
  }
  return values;
}

/// True if all but one of the values are 0 and 1, in some words.
bool is_binary_but_for_one(const Values& values, const CellReader& cells) {
  const auto n_of = [&](Cell meaning) {
    return std::ranges::count_if(values.different, [&](const Value& value) {
      return cells.classify(std::string_view(value.text)) == meaning;
    });
  };
  return n_of(Cell::zero) == 1 && n_of(Cell::one) == 1 && n_of(Cell::other) == 1;
}

std::string describe(const Value& value) {
  return fmt::format("{} ({} row{})", in_quotes(value.text), format_count(value.n_rows),
                     value.n_rows == 1 ? "" : "s");
}

/// "the column has two values, 'male' (33 rows) and 'female' (1 row; correct it if it is a slip)"
std::string describe_two(const Values& values) {
  const Value& one = values.different[0];
  const Value& two = values.different[1];
  const bool is_slip = std::min(one.n_rows, two.n_rows) == 1 && one.n_rows != two.n_rows;
  return fmt::format(
      "the column has two values{}, {} and {}{}",
      values.are_all_rows ? "" : fmt::format(" in the first {} rows", format_count(most_rows)),
      describe(one), describe(two), is_slip ? "; if the rarer one is a slip, correct it" : "");
}

std::string all_of(const char* option, const std::vector<std::string>& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += fmt::format(" {} {}", option, in_quotes(token));
  return text;
}

/// The built-in words mean nothing, since --on or --off turned one of them round, and this column
/// is coded in them: what to add so that it is read as well, if anything can.
std::string without_words(const Values& values, const ImportOptions& options,
                          const CellReader& cells, const std::string& drop) {
  const std::string why = fmt::format(
      "--on and --off turn {} round, so the built-in words (0, 1, yes, no and the like) mean "
      "nothing here",
      in_quotes(cells.turned_word()));
  std::vector<std::string> on = options.on_tokens;
  std::vector<std::string> off = options.off_tokens;
  std::size_t n_on = 0;
  std::size_t n_off = 0;
  for (const Value& value : values.different) {
    const Cell now = cells.classify(std::string_view(value.text));
    const Cell meaning = now == Cell::other ? built_in_meaning(value.text) : now;
    if (meaning > Cell::one) return why + "; name every value that means 1 or 0, or " + drop;
    ++(meaning == Cell::one ? n_on : n_off);
    if (now == Cell::other) (meaning == Cell::one ? on : off).push_back(value.text);
  }
  if (n_on > 0 && n_off > 0) {
    return fmt::format("{}; name this column's values too:{}{}, or {}", why, all_of("--on", on),
                       all_of("--off", off), drop);
  }
  return fmt::format("{}, and the column is coded in another way; recode it, or {}", why, drop);
}

}  // namespace

std::string not_binary(TextReader& text, Format format, const ImportOptions& options,
                       const CellReader& cells, const std::string& place, const std::string& value,
                       std::size_t column, const std::string& name) {
  const Values values = values_of(text, format, options, cells, column);
  const std::string shown = in_quotes(value);
  const std::string drop = fmt::format("leave the column out with --drop {}", in_quotes(name));
  const bool has_two = values.different.size() == 2;
  if (!cells.has_words() && built_in_meaning(value) <= Cell::one) {
    return fmt::format("{}: {} is not binary; {}{}", place, shown,
                       has_two ? describe_two(values) + "; " : "",
                       without_words(values, options, cells, drop));
  }
  if (has_two) {
    const std::string one = in_quotes(values.different[0].text);
    const std::string two = in_quotes(values.different[1].text);
    return fmt::format(
        "{}: {} is not binary; {}: say which is on and which is off ({}--on {} --off {}, or the "
        "reverse), read the table as categories with --categorical, or {}",
        place, shown, describe_two(values),
        options.on_tokens.empty() ? "" : "beside the --on and --off given, ", two, one, drop);
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
