// Purpose: what a categorical table requires of its parts.
#include "orrery/data/categorical_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "data/cells.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/sample_sink.hpp"

namespace orrery::data {
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
