#include "commands/info_samples.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "base/progress.hpp"
#include "report/text.hpp"

namespace orrery::commands {
namespace {

struct Count {
  std::uint64_t ones = 0;
  std::uint64_t missing = 0;
};

Count count_column(const data::SampleMatrix& samples, std::size_t c) {
  Count count;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    count.ones += static_cast<std::uint64_t>(std::popcount(samples.values.word(c, w)));
    if (samples.missing) {
      count.missing += static_cast<std::uint64_t>(std::popcount(samples.missing->word(c, w)));
    }
  }
  return count;
}

std::vector<std::uint64_t> column_words(const data::SampleMatrix& samples, std::size_t c) {
  std::vector<std::uint64_t> words;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    words.push_back(samples.values.word(c, w));
    if (samples.missing) words.push_back(samples.missing->word(c, w));
  }
  return words;
}

void add_column(report::Record& row, const std::string& name, const Count& count,
                std::uint64_t n_seen) {
  const double marginal =
      n_seen == 0 ? 0 : static_cast<double>(count.ones) / static_cast<double>(n_seen);
  row.tell("name", name, "variable", name);
  row.tell("marginal", marginal, "P(on)", fmt::format("{:.4g}", marginal));
  row.tell("ones", count.ones, "ones", format_count(count.ones));
  row.tell("missing", count.missing, "missing", format_count(count.missing));
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 10;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), names.size() > shown ? ", ..." : "");
}

}  // namespace

report::Table& columns_table(report::Section& section, bool every_column) {
  report::Table& table = section.table("columns", "Columns");
  table.most_shown = every_column ? std::numeric_limits<std::size_t>::max() : 20;
  table.all_rows = "-v lists all";
  return table;
}

void add_names(report::Section& section, const char* key, const char* label,
               const std::vector<std::string>& names) {
  section.data(key, names);
  if (names.empty()) return;
  section.show(label, format_count(names.size()), first_of(names));
}

void add_samples(report::Sheet& sheet, const data::SampleMatrix& samples, bool every_column) {
  report::Section& section = sheet.section("samples", "Samples");
  report::Table& columns = columns_table(section, every_column);
  std::vector<std::string> constant;
  std::vector<std::string> alike;
  nlohmann::json duplicates = nlohmann::json::array();
  std::map<std::vector<std::uint64_t>, std::size_t> first_seen;
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < samples.n_observed(); ++c) {
    const Count count = count_column(samples, c);
    const std::uint64_t n_seen = samples.n_samples() - count.missing;
    n_missing += count.missing;
    add_column(columns.row(), samples.names[c], count, n_seen);
    if (count.ones == 0 || count.ones == n_seen) {
      constant.push_back(samples.names[c]);
      continue;
    }
    const auto [found, fresh] = first_seen.emplace(column_words(samples, c), c);
    if (fresh) continue;
    const std::string& original = samples.names[found->second];
    duplicates.push_back({samples.names[c], original});
    alike.push_back(fmt::format("{} = {}", samples.names[c], original));
  }
  const std::string digest = fmt::format("{:016x}", samples.digest);
  section.sentences.push_back(fmt::format("samples: {} of {}, {}, digest {}",
                                          report::count_of(samples.n_samples(), "row"),
                                          report::count_of(samples.n_observed(), "variable"),
                                          report::count_of(n_missing, "missing value"), digest));
  section.data("n_samples", samples.n_samples())
      .data("n_observed", samples.n_observed())
      .data("n_missing", n_missing)
      .data("digest", digest);
  add_names(section, "constant", "constant columns", constant);
  add_names(section, "duplicates", "duplicate columns", alike);
  section.data("duplicates", std::move(duplicates));
}

namespace {

void add_number(report::Record& row, const char* key, double number) {
  const bool known = !std::isnan(number);
  row.tell(key, known ? nlohmann::json(number) : nlohmann::json(), key,
           known ? fmt::format("{:.5g}", number) : "-");
}

}  // namespace

void add_numbers(report::Sheet& sheet, const store::DenseReader& samples, bool every_column) {
  const store::DenseHeader& header = samples.header();
  samples.visit(0, header.n_samples, [](const double*, std::size_t) {});
  const std::string digest = fmt::format("{:016x}", header.digest);
  report::Section& section = sheet.section("dense", "Numbers");
  section.sentences.push_back(
      fmt::format("dense: {} of {}, {}, digest {}", report::count_of(header.n_samples, "row"),
                  report::count_of(header.n_columns, "number"),
                  report::count_of(header.n_missing, "missing value"), digest));
  section.data("n_samples", header.n_samples)
      .data("n_observed", header.n_columns)
      .data("n_missing", header.n_missing)
      .data("digest", digest);
  report::Table& columns = columns_table(section, every_column);
  std::vector<std::string> constant;
  for (std::size_t c = 0; c < samples.names().size(); ++c) {
    const store::DenseColumn& column = samples.columns()[c];
    const std::string& name = samples.names()[c];
    const std::uint64_t n_missing = header.n_samples - column.n_present;
    report::Record& row = columns.row();
    row.tell("name", name, "variable", name);
    add_number(row, "mean", column.mean);
    add_number(row, "sd", column.sd);
    add_number(row, "min", column.min);
    add_number(row, "max", column.max);
    row.tell("missing", n_missing, "missing", format_count(n_missing));
    if (column.n_present == 0 || column.min == column.max) constant.push_back(name);
  }
  add_names(section, "constant", "constant columns", constant);
}

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
