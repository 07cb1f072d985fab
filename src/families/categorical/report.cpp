#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "families/categorical/commands.hpp"
#include "families/categorical/network/inference.hpp"
#include "families/categorical/network/rows.hpp"
#include "families/categorical/page/page.hpp"
#include "families/categorical/scores/scores.hpp"
#include "family/model_argument.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/row_share.hpp"
#include "orrery/base/error.hpp"
#include "store/categorical.hpp"

namespace orrery::categorical {
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
  data.likelihood =
      categorical_likelihood(network, data.table, path, learning::share_of_blocks(team));
  return data;
}

}  // namespace

learning::Plan plan_report(const LearnedCategorical& learned, const Arguments& arguments) {
  const model::CategoricalNetwork& network = learned.network;
  const auto cells = static_cast<double>(network.n_observed() * (network.n_causes() + 1));
  learning::Plan plan{2e7 + 1000 * cells, network.n_causes(), "causes", 2e-6 * cells};
  if (arguments.has("data")) {
    const auto values =
        static_cast<double>(store::read_categorical(arguments.text("data")).table.codes.size());
    double states = 1;
    for (const model::CategoricalCause& cause : network.causes()) {
      states *= static_cast<double>(cause.cardinality());
    }
    plan.memory_bytes += 2 * values;
    plan.seconds += 4e-9 * values * states;  // two passes; some two nanoseconds per state and value
  }
  return plan;
}

std::string report(const LearnedCategorical& learned, const Arguments& arguments,
                   const parallel::Team& team) {
  const model::CategoricalNetwork& network = learned.network;
  const std::string source = arguments.text("truth");
  CategoricalReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes of categories");
  input.source = family::source_of(arguments);
  std::optional<LearnedCategorical> truth;
  std::optional<CategoricalScores> scores;
  if (arguments.has("truth")) {
    truth = family::require<LearnedCategorical>(family::load_model(source, arguments.seed()),
                                                source, "a categorical network is needed here");
    scores = score_categorical(network, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  std::optional<Data> data = load_data(arguments, team, learned);
  if (data) {
    input.data = &data->table;
    input.states = std::move(data->states);
    input.likelihood = &data->likelihood;
    input.held_out = data->held_out;
  }
  return categorical_html_report(input);
}

}  // namespace orrery::categorical
