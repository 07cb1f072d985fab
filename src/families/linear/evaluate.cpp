#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/linear/commands.hpp"
#include "families/linear/output.hpp"
#include "families/linear/scores/density.hpp"
#include "families/linear/scores/scores.hpp"
#include "families/linear/scores_output.hpp"
#include "family/matched_columns.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/dense.hpp"

namespace orrery::linear {
namespace {

using model::LearnedLinear;
using model::LinearNetwork;
using nlohmann::json;

/// Mean log-likelihoods a row, nats, of what is there of it.
struct LinearDataScores {
  std::uint64_t n_rows = 0;
  std::uint64_t n_missing = 0;  ///< values
  bool held_out = true;         ///< false: the very samples that the model was learned from
  double model = 0;
  double independent = 0;  ///< the model's means and variances alone
  std::optional<double> truth;
};

/// The mean density of the rows of `reader` under each network, whose variables are these columns
/// of it, and how many of their values are missing. Sums go through the rows in order.
std::pair<std::vector<double>, std::uint64_t> mean_densities(
    const store::DenseReader& reader, const std::vector<std::size_t>& columns,
    const std::vector<LinearNetwork>& networks) {
  std::vector<std::unique_ptr<const LinearDensity>> densities;
  for (const LinearNetwork& network : networks) {
    densities.push_back(std::make_unique<const LinearDensity>(network));
  }
  const std::uint64_t n = reader.header().n_samples;
  std::vector<double> sums(networks.size(), 0);
  const auto n_columns = static_cast<std::size_t>(reader.header().n_columns);
  std::uint64_t n_missing = 0;
  std::vector<double> matched;
  std::vector<double> of_rows;
  Progress progress("likelihood of rows", n, "rows");
  reader.visit(0, n, [&](const double* rows, std::size_t n_rows) {
    of_rows.resize(n_rows);
    matched.clear();
    for (std::size_t r = 0; r < n_rows; ++r) {
      for (const std::size_t column : columns) matched.push_back(rows[r * n_columns + column]);
    }
    n_missing += static_cast<std::uint64_t>(
        std::ranges::count_if(matched, [](double value) { return std::isnan(value); }));
    for (std::size_t d = 0; d < densities.size(); ++d) {
      densities[d]->log_densities(matched.data(), of_rows);
      for (const double density : of_rows) sums[d] += density;
    }
    progress.advance(n_rows);
  });
  for (double& sum : sums) sum /= static_cast<double>(n);
  return {std::move(sums), n_missing};
}

LinearDataScores score_data(const Arguments& arguments, const LearnedLinear& learned,
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
  const auto [means, n_missing] = mean_densities(reader, columns, networks);
  LinearDataScores scores;
  scores.n_rows = reader.header().n_samples;
  scores.n_missing = n_missing;
  scores.held_out = learned.data_digest == 0 || learned.data_digest != reader.header().digest;
  scores.model = means[0];
  scores.independent = means[1];
  if (truth) scores.truth = means[2];
  return scores;
}

json linear_data_json(const LinearDataScores& scores) {
  json object{{"rows", scores.n_rows},
              {"missing_values", scores.n_missing},
              {"held_out", scores.held_out},
              {"log_likelihood", cli::finite_or_null(scores.model)},
              {"independent_log_likelihood", cli::finite_or_null(scores.independent)}};
  if (scores.truth) object["true_log_likelihood"] = cli::finite_or_null(*scores.truth);
  return object;
}

std::string describe_linear_data(const LinearDataScores& scores) {
  return fmt::format(
      "log-likelihood a row, all taken as normal: {:.4f} nats over {} rows{}{}{}\n"
      "  without the causes (independent variables) {:.4f}\n",
      scores.model, format_count(scores.n_rows),
      scores.n_missing > 0 ? fmt::format(", {} value{} missing", format_count(scores.n_missing),
                                         scores.n_missing == 1 ? "" : "s")
                           : "",
      scores.truth ? fmt::format(" (true network {:.4f})", *scores.truth) : "",
      scores.held_out ? "" : ", those it was learned from", scores.independent);
}

learning::Plan make_plan(const Arguments& arguments, const LinearNetwork& learned) {
  const auto n = static_cast<double>(learned.n_observed());
  const auto k = static_cast<double>(learned.n_causes());
  learning::Plan plan;
  plan.memory_bytes = 2e7 + 64 * n * (k + 1);
  plan.unit = "variables";
  plan.units = learned.n_observed();
  if (arguments.has("truth")) plan.seconds += 1e-9 * k * k * (n + k);
  if (arguments.has("data")) {
    const store::DenseReader reader(arguments.text("data"));
    const auto rows = static_cast<double>(reader.header().n_samples);
    plan.memory_bytes += 8e6;  // a block of rows, and what is made of it
    plan.seconds += rows * n * (1e-9 * (k + 8)) / arguments.threads();
  }
  return plan;
}

}  // namespace

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

void evaluate(const LearnedLinear& learned, const Arguments& arguments) {
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(arguments, learned.network));
    return;
  }
  const std::optional<LearnedLinear> truth = load_true_linear(arguments, learned.network);
  std::optional<LinearScores> scores;
  if (truth) scores = score_linear(learned, truth->network);
  std::optional<LinearDataScores> data;
  if (arguments.has("data")) data = score_data(arguments, learned, truth);
  if (arguments.json()) {
    json object = json::object();
    if (scores) object = linear_scores_json(*scores, truth->network, learned.network);
    if (data) object.update(linear_data_json(*data));
    object["linear"] = linear_json(learned);
    cli::print_json(object);
    return;
  }
  std::cout << describe_linear(learned, !scores && !data);
  if (scores) std::cout << describe_linear_scores(*scores);
  if (data) std::cout << describe_linear_data(*data);
}

}  // namespace orrery::linear
