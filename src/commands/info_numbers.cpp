#include <fmt/format.h>

#include <cmath>

#include "base/progress.hpp"
#include "commands/info_samples.hpp"
#include "report/text.hpp"

namespace orrery::commands {
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

}  // namespace orrery::commands
