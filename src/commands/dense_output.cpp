#include "commands/dense_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"

namespace orrery::commands {
namespace {

nlohmann::json known(double number) {
  return std::isnan(number) ? nlohmann::json() : nlohmann::json(number);
}

std::string number_text(const nlohmann::json& number) {
  return number.is_null() ? "-" : fmt::format("{:.5g}", number.get<double>());
}

}  // namespace

nlohmann::json describe_dense(const store::DenseReader& samples) {
  nlohmann::json columns = nlohmann::json::array();
  nlohmann::json constant = nlohmann::json::array();
  const store::DenseHeader& header = samples.header();
  samples.visit(0, header.n_samples, [](const double*, std::size_t) {});
  for (std::size_t c = 0; c < samples.names().size(); ++c) {
    const store::DenseColumn& column = samples.columns()[c];
    columns.push_back({{"name", samples.names()[c]},
                       {"missing", header.n_samples - column.n_present},
                       {"mean", known(column.mean)},
                       {"sd", known(column.sd)},
                       {"min", known(column.min)},
                       {"max", known(column.max)}});
    if (column.n_present == 0 || column.min == column.max) constant.push_back(samples.names()[c]);
  }
  return {{"n_samples", header.n_samples}, {"n_observed", header.n_columns},
          {"n_missing", header.n_missing}, {"digest", fmt::format("{:016x}", header.digest)},
          {"columns", std::move(columns)}, {"constant", std::move(constant)}};
}

void print_dense(const nlohmann::json& samples, bool every_column) {
  std::cout << fmt::format("dense: {} rows of {} numbers, {} missing values, digest {}\n",
                           format_count(samples["n_samples"].get<std::uint64_t>()),
                           samples["n_observed"].get<std::size_t>(),
                           format_count(samples["n_missing"].get<std::uint64_t>()),
                           samples["digest"].get<std::string>());
  cli::print_names("constant columns", samples["constant"]);
  const auto& columns = samples["columns"];
  const std::size_t n = cli::columns_shown(columns.size(), every_column);
  std::cout << fmt::format("  {:20} {:>12} {:>12} {:>12} {:>12} {:>10}\n", "variable", "mean", "sd",
                           "min", "max", "missing");
  for (std::size_t c = 0; c < n; ++c) {
    std::cout << fmt::format("  {:20} {:>12} {:>12} {:>12} {:>12} {:>10}\n",
                             columns[c]["name"].get<std::string>(), number_text(columns[c]["mean"]),
                             number_text(columns[c]["sd"]), number_text(columns[c]["min"]),
                             number_text(columns[c]["max"]),
                             format_count(columns[c]["missing"].get<std::uint64_t>()));
  }
  if (n < columns.size()) {
    std::cout << fmt::format("  ... {} more; -v lists all\n", columns.size() - n);
  }
}

}  // namespace orrery::commands
