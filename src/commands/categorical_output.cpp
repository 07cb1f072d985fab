#include "commands/categorical_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/progress.hpp"
#include "cli/printing.hpp"

namespace orrery::commands {
namespace {

using data::CategoricalTable;
using nlohmann::json;

constexpr std::size_t listed_categories = 8;

json column_json(const CategoricalTable& table, std::size_t column) {
  std::vector<std::uint64_t> counts(table.categories[column].size(), 0);
  std::uint64_t missing = 0;
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t code = table.row(n)[column];
    if (code == data::missing_code) {
      ++missing;
    } else {
      ++counts[code];
    }
  }
  return {{"name", table.names[column]},
          {"categories", table.categories[column]},
          {"counts", counts},
          {"missing", missing}};
}

/// "no 12, yes 30"; of many the first few.
std::string describe_counts(const json& column) {
  const json& categories = column.at("categories");
  std::string text;
  for (std::size_t c = 0; c < std::min(categories.size(), listed_categories); ++c) {
    text += fmt::format("{}{} {}", c == 0 ? "" : ", ", categories[c].get<std::string>(),
                        format_count(column.at("counts")[c].get<std::uint64_t>()));
  }
  return text + (categories.size() > listed_categories ? ", ..." : "");
}

}  // namespace

json describe_table(const store::StoredTable& stored) {
  const CategoricalTable& table = stored.table;
  json columns = json::array();
  json constant = json::array();
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    columns.push_back(column_json(table, c));
    n_missing += columns.back().at("missing").get<std::uint64_t>();
    const auto counts = columns.back().at("counts").get<std::vector<std::uint64_t>>();
    const auto seen = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U));
    if (seen < 2) constant.push_back(table.names[c]);
  }
  return {{"n_samples", table.n_rows},     {"n_observed", table.n_columns()},
          {"n_missing", n_missing},        {"digest", fmt::format("{:016x}", stored.digest)},
          {"columns", std::move(columns)}, {"constant", std::move(constant)}};
}

void print_table(const json& table, bool every_column) {
  std::cout << fmt::format("categorical: {} rows of {} variables, {} missing values, digest {}\n",
                           format_count(table.at("n_samples").get<std::uint64_t>()),
                           table.at("n_observed").get<std::size_t>(),
                           format_count(table.at("n_missing").get<std::uint64_t>()),
                           table.at("digest").get<std::string>());
  cli::print_names("constant columns", table.at("constant"));
  const json& columns = table.at("columns");
  const std::size_t n = cli::columns_shown(columns.size(), every_column);
  std::cout << fmt::format("  {:20} {:>10}  {}\n", "variable", "missing", "values");
  for (std::size_t c = 0; c < n; ++c) {
    std::cout << fmt::format("  {:20} {:>10}  {}\n", columns[c].at("name").get<std::string>(),
                             format_count(columns[c].at("missing").get<std::uint64_t>()),
                             describe_counts(columns[c]));
  }
  if (n < columns.size()) {
    std::cout << fmt::format("  ... {} more; -v lists all\n", columns.size() - n);
  }
}

}  // namespace orrery::commands
