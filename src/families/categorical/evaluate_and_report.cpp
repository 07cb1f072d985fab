// `evaluate` and `report` for categorical networks: the model beside the truth and data.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "families/categorical/commands.hpp"
#include "families/categorical/network/inference.hpp"
#include "families/categorical/page/page.hpp"
#include "families/categorical/scores/scores.hpp"
#include "families/categorical/structural_ep/given_structure.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/row_sums.hpp"
#include "orrery/base/error.hpp"
#include "store/tables.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::LearnedCategorical;

LearnedCategorical load_truth(const Arguments& arguments) {
  const std::string source = arguments.text("truth");
  return family::require<LearnedCategorical>(family::load_model(source, arguments.seed()), source,
                                             "a categorical network is needed here");
}

CategoricalScores score_structure(const Arguments& arguments, const CategoricalNetwork& learned,
                                  const CategoricalNetwork& truth) {
  try {
    return score_categorical(learned, truth);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", arguments.text("truth"), error.what()));
  }
}

bool wants_marginal(const Arguments& arguments) {
  return arguments.values()["marginal-likelihood"].as<bool>();
}

/// log p(data | the network's structure) per row; `table` is in the network's order.
double marginal_of(const Arguments& arguments, const parallel::Team& team,
                   const CategoricalNetwork& network, const data::CategoricalTable& table,
                   const std::string& source) {
  if (table.n_rows == 0) {
    throw InputError(
        fmt::format("{}: holds no row; a likelihood needs at least one", arguments.text("data")));
  }
  const learning::RowShare rows(team, arguments.threads(), table.n_rows);
  try {
    return structural_ep::log_marginal_likelihood(network, table, rows) /
           static_cast<double>(table.n_rows);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
}

CategoricalDataScores score_data(const Arguments& arguments, const parallel::Team& team,
                                 const LearnedCategorical& learned,
                                 const std::optional<LearnedCategorical>& truth) {
  const std::string path = arguments.text("data");
  const store::StoredTable stored = store::read_categorical(path);
  CategoricalDataScores scores;
  scores.held_out = learned.data_digest == 0 || learned.data_digest != stored.digest;
  const data::CategoricalTable table = model::in_order_of(learned.network, stored.table, path);
  const auto likelihood = [&](const CategoricalNetwork& network) {
    return categorical_likelihood(network, table, path, learning::share_of_blocks(team));
  };
  scores.model = likelihood(learned.network);
  scores.independent = likelihood(without_causes(learned.network));
  if (truth) scores.truth = likelihood(truth->network);
  if (!wants_marginal(arguments)) return scores;
  scores.marginal = marginal_of(arguments, team, learned.network, table, arguments.text("model"));
  if (truth) {
    scores.true_marginal = marginal_of(arguments, team, truth->network,
                                       model::in_order_of(truth->network, stored.table, path),
                                       arguments.text("truth"));
  }
  return scores;
}

}  // namespace

void add_evaluate_options(options_description& options) {
  family::add_data_option(options);
  options.add_options()(
      "marginal-likelihood", boost::program_options::bool_switch(),
      "with --data, of a categorical network: also the log marginal likelihood of these rows per "
      "row, given the structure alone (parameters integrated out by expectation propagation)");
}

learning::Plan plan_evaluate(const LearnedCategorical& learned, const Arguments& arguments) {
  const CategoricalNetwork& network = learned.network;
  learning::Plan plan;
  plan.memory_bytes = 2e7;
  plan.unit = "rows";
  if (!arguments.has("data")) return plan;
  const store::StoredTable stored = store::read_categorical(arguments.text("data"));
  const auto n_columns = static_cast<double>(network.n_observed());
  const auto n_rows = static_cast<double>(stored.table.n_rows);
  plan.units = stored.table.n_rows;
  plan.memory_bytes += 2 * n_rows * n_columns + 8 * n_rows;
  if (wants_marginal(arguments)) {
    plan.memory_bytes += structural_ep::bytes_a_row(network) * n_rows;
  }
  return plan;
}

void evaluate(const LearnedCategorical& learned, const Arguments& arguments,
              const parallel::Team& team, report::Sheet& sheet) {
  family::require_with(arguments, "marginal-likelihood", "data");
  std::optional<LearnedCategorical> truth;
  if (arguments.has("truth")) {
    truth = load_truth(arguments);
    add_truth(sheet, score_structure(arguments, learned.network, truth->network), learned.network,
              truth->network);
  }
  if (arguments.has("data")) add_data(sheet, score_data(arguments, team, learned, truth));
  report::Section& section = sheet.section("model", "The model");
  info(learned, section);
  section.in_json_alone = truth || arguments.has("data");
}

namespace {

/// The most probable state of each cause in each row, the first of equals: n_rows x K.
std::vector<std::uint8_t> probable_states(const model::CategoricalNetwork& network,
                                          const data::CategoricalTable& table) {
  const model::CategoricalInference inference(network);
  std::vector<std::uint8_t> states;
  states.reserve(table.n_rows * network.n_causes());
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    const std::vector<double> marginals = inference.posterior(table.row(n)).marginals;
    std::size_t first = 0;
    for (const model::CategoricalCause& cause : network.causes()) {
      const auto own = std::span(marginals).subspan(first, cause.cardinality());
      states.push_back(static_cast<std::uint8_t>(std::ranges::max_element(own) - own.begin()));
      first += cause.cardinality();
    }
  }
  return states;
}

struct Data {
  data::CategoricalTable table;
  std::vector<std::uint8_t> states;
  CategoricalLikelihood likelihood;
  CategoricalLikelihood independent;
  bool held_out = true;
};

std::optional<Data> load_data(const Arguments& arguments, const parallel::Team& team,
                              const LearnedCategorical& learned) {
  const model::CategoricalNetwork& network = learned.network;
  if (!arguments.has("data")) return std::nullopt;
  const std::string path = arguments.text("data");
  Data data;
  const store::StoredTable stored = store::read_categorical(path);
  data.held_out = learned.data_digest == 0 || learned.data_digest != stored.digest;
  data.table = model::in_order_of(network, stored.table, path);
  data.states = probable_states(network, data.table);
  const auto likelihood = [&](const model::CategoricalNetwork& of) {
    return categorical_likelihood(of, data.table, path, learning::share_of_blocks(team));
  };
  data.likelihood = likelihood(network);
  data.independent = likelihood(without_causes(network));
  return data;
}

}  // namespace

learning::Plan plan_report(const LearnedCategorical& learned, const Arguments& arguments) {
  const model::CategoricalNetwork& network = learned.network;
  const auto cells = static_cast<double>(network.n_observed() * (network.n_causes() + 1));
  learning::Plan plan{2e7 + 1000 * cells, network.n_causes(), "causes"};
  if (arguments.has("data")) {
    const auto values =
        static_cast<double>(store::read_categorical(arguments.text("data")).table.codes.size());
    plan.memory_bytes += 2 * values;
  }
  return plan;
}

std::string report(const LearnedCategorical& learned, const Arguments& arguments,
                   const parallel::Team& team) {
  const model::CategoricalNetwork& network = learned.network;
  CategoricalReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes of categories");
  input.colophon = family::colophon_of(arguments, learned);
  std::optional<LearnedCategorical> truth;
  std::optional<CategoricalScores> scores;
  if (arguments.has("truth")) {
    truth = load_truth(arguments);
    scores = score_categorical(network, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  std::optional<Data> data = load_data(arguments, team, learned);
  if (data) {
    input.data = &data->table;
    input.states = std::move(data->states);
    input.likelihood = &data->likelihood;
    input.independent = &data->independent;
    input.held_out = data->held_out;
  }
  return categorical_html_report(input);
}

}  // namespace orrery::categorical
