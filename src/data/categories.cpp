// Categories: what a table of them requires of its parts; those that a user gives, and those that
// are found in a column.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>
#include <system_error>
#include <unordered_set>
#include <utility>

#include "data/cells.hpp"
#include "data/columns.hpp"
#include "data/import_tables.hpp"
#include "data/text_table.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {
namespace {

constexpr std::size_t any_width = std::numeric_limits<std::size_t>::max();

/// Throws `Error` naming `place`.
template <class Error>
void require_list(const std::vector<std::string>& list, const std::string& place) {
  if (list.size() < 2 || list.size() > max_categories) {
    throw Error(fmt::format("{}: {} {}; give 2 to {}, separated by commas", place, list.size(),
                            list.size() == 1 ? "category" : "categories", max_categories));
  }
  for (const std::string& category : list) {
    if (is_utf8(category) && !has_control_character(category)) continue;
    throw Error(fmt::format("{}: category {} is not UTF-8 without control characters; rename it",
                            place, in_quotes(category)));
  }
  try {
    require_names(list, "category");
  } catch (const InputError& error) {
    throw Error(fmt::format("{}: {}", place, error.what()));
  }
}

GivenCategories read_file(const std::string& path) {
  GivenCategories given;
  given.source = path;
  TextReader text(path);
  while (text.next_line()) {
    if (std::memchr(text.line().data(), '"', text.line().size()) != nullptr) complete_record(text);
    if (text.line().find_first_not_of(" \t") == std::string_view::npos) continue;
    const std::string place = fmt::format("{}: line {}", path, text.line_number());
    std::vector<std::string> cells = split_cells(text.line(), ',', any_width);
    std::string name = std::move(cells.front());
    cells.erase(cells.begin());
    require_list<InputError>(cells, place);
    if (name.empty()) {
      throw InputError(
          fmt::format("{}: there is no column before the first comma; write lines "
                      "column,category,category,...",
                      place));
    }
    if (!given.of_columns.emplace(name, std::move(cells)).second) {
      throw InputError(fmt::format("{}: column {} was given categories before; keep one line of it",
                                   place, in_quotes(name)));
    }
  }
  if (given.of_columns.empty()) {
    throw InputError(
        fmt::format("{}: the file is empty; write lines column,category,category,...", path));
  }
  return given;
}

}  // namespace

GivenCategories parse_categories(const std::string& text) {
  std::error_code ignored;
  if (std::filesystem::exists(text, ignored)) return read_file(text);
  GivenCategories given;
  given.source = fmt::format("--categories {}", text);
  if (text.find(',') == std::string::npos) {
    throw UsageError(fmt::format(
        "{}: neither a file nor a list of categories; write them in their order, such as "
        "negative,low,medium,high",
        given.source));
  }
  given.all = split_cells(text, ',', any_width);
  require_list<UsageError>(given.all, given.source);
  return given;
}

CategoryCodes::CategoryCodes(const std::vector<std::string>& given)
    : are_given_(!given.empty()), categories_(given) {
  for (std::size_t c = 0; c < given.size(); ++c) {
    codes_.emplace(given[c], static_cast<std::uint8_t>(c));
  }
}

CategoryCodes::Found CategoryCodes::find(std::string_view token, std::uint8_t& code) {
  key_ = token;
  if (const auto known = codes_.find(key_); known != codes_.end()) {
    code = known->second;
    return Found::known;
  }
  if (are_given_) return Found::not_given;
  if (categories_.size() == max_categories) return Found::too_many;
  code = static_cast<std::uint8_t>(categories_.size());
  codes_.emplace(key_, code);
  categories_.push_back(key_);
  return Found::added;
}

std::vector<double> CategoryCodes::numbers() const {
  const NumberReader reader({});
  std::vector<double> numbers;
  for (const std::string& category : categories_) {
    double value = 0;
    if (reader.read(category, value) != NumberCell::number) return {};
    numbers.push_back(value);
  }
  return numbers;
}

std::vector<std::string> CategoryCodes::same_numbers() const {
  const std::vector<double> values = numbers();
  for (std::size_t b = 1; b < values.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (values[a] == values[b]) return {categories_[a], categories_[b]};
    }
  }
  return {};
}

std::vector<std::uint8_t> CategoryCodes::sort() {
  std::vector<std::size_t> order(categories_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!are_given_) {
    const std::vector<double> values = numbers();
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return values.empty() ? categories_[a] < categories_[b] : values[a] < values[b];
    });
  }
  std::vector<std::uint8_t> new_code(order.size());
  std::vector<std::string> sorted;
  for (std::size_t place = 0; place < order.size(); ++place) {
    new_code[order[place]] = static_cast<std::uint8_t>(place);
    sorted.push_back(categories_[order[place]]);
  }
  categories_ = std::move(sorted);
  for (auto& [category, code] : codes_) code = new_code[code];
  return new_code;
}

namespace {

void require_sizes(const CategoricalTable& table) {
  if (table.names.empty()) throw InputError("a table without columns; at least one is needed");
  if (table.categories.size() != table.names.size()) {
    throw InputError(fmt::format("{} columns have {} lists of categories; each needs one",
                                 table.names.size(), table.categories.size()));
  }
  // Divided, not multiplied: a count of rows from a file may be any number.
  if (table.codes.size() % table.names.size() != 0 ||
      table.codes.size() / table.names.size() != table.n_rows) {
    throw InputError(fmt::format("{} rows of {} columns have {} codes; one for each is needed",
                                 table.n_rows, table.names.size(), table.codes.size()));
  }
}

}  // namespace

void check(const CategoricalTable& table) {
  require_sizes(table);
  require_names(table.names, "columns");
  const std::size_t d = table.n_columns();
  for (std::size_t i = 0; i < d; ++i) require_categories(table.categories[i], table.names[i]);
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    for (std::size_t i = 0; i < d; ++i) {
      const std::uint8_t code = table.codes[n * d + i];
      if (code < table.categories[i].size() || code == missing_code) continue;
      throw InputError(fmt::format(
          "row {}, column {}: code {}; 0 to {} is needed, or {} for a missing value", n + 1,
          in_quotes(table.names[i]), code, table.categories[i].size() - 1, missing_code));
    }
  }
}

void require_names(const std::vector<std::string>& names, std::string_view list) {
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (name.empty() || name.size() > longest_name || name.find('\0') != std::string::npos) {
      throw InputError(
          fmt::format("{}[{}] has {} bytes in its name; 1 to {}, none of them zero, are needed",
                      list, i, name.size(), longest_name));
    }
    if (!seen.insert(name).second) {
      throw InputError(
          fmt::format("{}[{}] repeats the name {}; names must differ", list, i, in_quotes(name)));
    }
  }
}

void require_categories(const std::vector<std::string>& categories, const std::string& variable) {
  if (categories.empty() || categories.size() > max_categories) {
    throw InputError(fmt::format("{} has {} categories; 1 to {} are needed", in_quotes(variable),
                                 categories.size(), max_categories));
  }
  require_names(categories, fmt::format("categories of {}", in_quotes(variable)));
}

}  // namespace orrery::data
