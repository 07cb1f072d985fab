// `evaluate` and `report` for linear networks: the model beside the truth and data.
#include <fmt/format.h>

#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/page/page.hpp"
#include "families/linear/scores/scores.hpp"
#include "family/matched_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/row_sums.hpp"
#include "orrery/base/error.hpp"
#include "store/tables.hpp"

namespace orrery::linear {
namespace {

using model::LearnedLinear;
using model::LinearNetwork;

/// The mean density of the rows of `reader` under each network, whose variables are these columns
/// of it, and how many of their values are missing. Sums go through the rows in order. Memory: 8
/// bytes per row and network. Collective for those that `share` the rows.
std::pair<std::vector<double>, std::uint64_t> mean_densities(
    const store::DenseReader& reader, const std::vector<std::size_t>& columns,
    const std::vector<LinearNetwork>& networks, const BlockShare& share) {
  std::vector<std::unique_ptr<const LinearDensity>> densities;
  densities.reserve(networks.size());
  for (const LinearNetwork& network : networks) {
    densities.push_back(std::make_unique<const LinearDensity>(network));
  }
  const std::uint64_t n = reader.header().n_samples;
  const auto n_columns = static_cast<std::size_t>(reader.header().n_columns);
  const std::uint64_t block_rows = data::dense_block_rows(n_columns);
  std::vector<std::vector<double>> of_rows(networks.size(), std::vector<double>(n));
  std::vector<double> n_missing((n + block_rows - 1) / block_rows);  // of each block
  std::vector<double> matched;
  Progress progress("likelihood of rows", n, "rows");
  for (std::uint64_t first = 0; first < n; first += block_rows) {
    const std::uint64_t end = std::min(n, first + block_rows);
    progress.set(end);
    if (!share.has(first / block_rows)) continue;
    std::uint64_t row = first;
    reader.visit(first, end - first, [&](const double* rows, std::size_t n_rows) {
      matched.clear();
      for (std::size_t r = 0; r < n_rows; ++r) {
        for (const std::size_t column : columns) matched.push_back(rows[r * n_columns + column]);
      }
      n_missing[first / block_rows] += static_cast<double>(
          std::ranges::count_if(matched, [](double value) { return std::isnan(value); }));
      for (std::size_t d = 0; d < densities.size(); ++d) {
        densities[d]->log_densities(matched.data(), std::span(of_rows[d]).subspan(row, n_rows));
      }
      row += n_rows;
    });
  }
  std::vector<double> means;
  for (std::vector<double>& of_network : of_rows) {
    share.gather(of_network);
    double sum = 0;
    for (const double density : of_network) sum += density;
    means.push_back(sum / static_cast<double>(n));
  }
  share.gather(n_missing);
  const double missing = std::accumulate(n_missing.begin(), n_missing.end(), 0.0);
  return {std::move(means), static_cast<std::uint64_t>(missing)};
}

LinearDataScores score_data(const Arguments& arguments, const parallel::Team& team,
                            const LearnedLinear& learned,
                            const std::optional<LearnedLinear>& truth) {
  const std::string path = arguments.text("data");
  const store::DenseReader reader(path);
  if (reader.header().n_samples == 0) {
    throw InputError(fmt::format("{}: holds no row; a likelihood needs at least one", path));
  }
  const std::vector<std::size_t> columns =
      family::match_columns(learned.network.names(), reader.names(), arguments.text("model"), path);
  std::vector<LinearNetwork> networks{learned.network, without_causes(learned.network)};
  if (truth) networks.push_back(truth->network);
  const auto [means, n_missing] =
      mean_densities(reader, columns, networks, learning::share_of_blocks(team));
  LinearDataScores scores;
  scores.n_rows = reader.header().n_samples;
  scores.n_missing = n_missing;
  scores.held_out = learned.data_digest == 0 || learned.data_digest != reader.header().digest;
  scores.model = means[0];
  scores.independent = means[1];
  if (truth) scores.truth = means[2];
  return scores;
}

/// --truth, with the learned network's variables in their order; empty if it was not given.
std::optional<LearnedLinear> load_true_linear(const Arguments& arguments,
                                              const LinearNetwork& learned) {
  if (!arguments.has("truth")) return std::nullopt;
  const std::string source = arguments.text("truth");
  const LearnedLinear loaded = family::require<LearnedLinear>(
      family::load_model(source, arguments.seed()), source, "a linear network is needed here");
  if (loaded.network.n_observed() != learned.n_observed()) {
    throw InputError(
        fmt::format("{}: {} variables, but the model has {}; give the true network of the model's "
                    "variables",
                    source, loaded.network.n_observed(), learned.n_observed()));
  }
  return aligned(loaded, learned.names(), source);
}

}  // namespace

learning::Plan plan_evaluate(const LearnedLinear& given, const Arguments& arguments) {
  const LinearNetwork& learned = given.network;
  const auto n = static_cast<double>(learned.n_observed());
  const auto k = static_cast<double>(learned.n_causes());
  learning::Plan plan;
  plan.memory_bytes = 2e7 + 64 * n * (k + 1);
  plan.unit = "variables";
  plan.units = learned.n_observed();
  if (arguments.has("data")) {
    const store::DenseReader reader(arguments.text("data"));
    const auto rows = static_cast<double>(reader.header().n_samples);
    plan.memory_bytes += 8e6 + 24 * rows;  // a block of rows; a density per row and network
  }
  return plan;
}

void evaluate(const LearnedLinear& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet) {
  const std::optional<LearnedLinear> truth = load_true_linear(arguments, learned.network);
  const bool alone = !truth && !arguments.has("data");
  report::Section& section = sheet.section("linear", "The model");
  info(learned, section);
  section.remarks = learned.remarks;
  add_model(section, learned, alone);
  if (truth) {
    add_truth(sheet, score_linear(learned, truth->network), truth->network, learned.network);
  }
  if (arguments.has("data")) add_data(sheet, score_data(arguments, team, learned, truth));
}

learning::Plan plan_report(const LearnedLinear& learned, const Arguments&) {
  const model::LinearNetwork& network = learned.network;
  const auto cells = static_cast<double>(network.n_observed() * (network.n_causes() + 1));
  return {1e6 + 400 * cells, network.n_causes(), "causes"};
}

std::string report(const LearnedLinear& learned, const Arguments& arguments,
                   const parallel::Team& /*team*/) {
  LinearReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes of numbers");
  input.colophon = family::colophon_of(arguments, learned);
  const std::optional<LearnedLinear> truth = load_true_linear(arguments, learned.network);
  std::optional<LinearScores> scores;
  if (truth) {
    scores = score_linear(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  return linear_html_report(input);
}

}  // namespace orrery::linear
