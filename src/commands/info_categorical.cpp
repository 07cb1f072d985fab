#include <fmt/format.h>

#include <algorithm>

#include "base/progress.hpp"
#include "commands/info_samples.hpp"
#include "report/text.hpp"

namespace orrery::commands {
namespace {

using data::CategoricalTable;

struct Counts {
  std::vector<std::uint64_t> of_category;
  std::uint64_t missing = 0;
};

Counts count_column(const CategoricalTable& table, std::size_t column) {
  Counts counts{std::vector<std::uint64_t>(table.categories[column].size(), 0)};
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::uint8_t code = table.row(n)[column];
    ++(code == data::missing_code ? counts.missing : counts.of_category[code]);
  }
  return counts;
}

/// "no 12, yes 30"; of many the first few.
std::string describe_counts(const std::vector<std::string>& categories, const Counts& counts) {
  constexpr std::size_t listed = 8;
  std::string text;
  for (std::size_t c = 0; c < std::min(categories.size(), listed); ++c) {
    text += fmt::format("{}{} {}", c == 0 ? "" : ", ", categories[c],
                        format_count(counts.of_category[c]));
  }
  return text + (categories.size() > listed ? ", ..." : "");
}

}  // namespace

void add_categories(report::Sheet& sheet, const store::StoredTable& stored, bool every_column) {
  const CategoricalTable& table = stored.table;
  report::Section& section = sheet.section("categorical", "Categories");
  report::Table& columns = columns_table(section, every_column);
  std::vector<std::string> constant;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < table.n_columns(); ++c) {
    const Counts counts = count_column(table, c);
    n_missing += counts.missing;
    columns.row()
        .tell("name", table.names[c], "variable", table.names[c])
        .tell("missing", counts.missing, "missing", format_count(counts.missing))
        .data("categories", table.categories[c])
        .data("counts", counts.of_category)
        .show("values", describe_counts(table.categories[c], counts));
    const auto n_unseen = static_cast<std::size_t>(std::ranges::count(counts.of_category, 0U));
    if (counts.of_category.size() - n_unseen < 2) constant.push_back(table.names[c]);
  }
  const std::string digest = fmt::format("{:016x}", stored.digest);
  section.sentences.push_back(fmt::format("categorical: {} of {}, {}, digest {}",
                                          report::count_of(table.n_rows, "row"),
                                          report::count_of(table.n_columns(), "variable"),
                                          report::count_of(n_missing, "missing value"), digest));
  section.data("n_samples", table.n_rows)
      .data("n_observed", table.n_columns())
      .data("n_missing", n_missing)
      .data("digest", digest);
  add_names(section, "constant", "constant columns", constant);
}

}  // namespace orrery::commands
