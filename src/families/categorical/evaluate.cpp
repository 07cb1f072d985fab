#include <fmt/format.h>

#include <optional>
#include <string>

#include "families/categorical/commands.hpp"
#include "families/categorical/network/joint_states.hpp"
#include "families/categorical/network/rows.hpp"
#include "families/categorical/scores/scores.hpp"
#include "families/categorical/scores/sections.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "learning/row_share.hpp"
#include "orrery/base/error.hpp"
#include "store/categorical.hpp"

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
  return scores;
}

}  // namespace

learning::Plan plan_evaluate(const LearnedCategorical& learned, const Arguments& arguments) {
  const CategoricalNetwork& network = learned.network;
  learning::Plan plan;
  plan.memory_bytes = 2e7;
  plan.unit = "rows";
  if (!arguments.has("data")) return plan;
  const store::StoredTable stored = store::read_categorical(arguments.text("data"));
  std::vector<std::size_t> cardinalities;
  for (const auto& cause : network.causes()) cardinalities.push_back(cause.cardinality());
  const auto n_states = static_cast<double>(model::JointStates(cardinalities).size());
  const auto n_columns = static_cast<double>(network.n_observed());
  const auto n_rows = static_cast<double>(stored.table.n_rows);
  plan.units = stored.table.n_rows;
  plan.memory_bytes += 2 * n_rows * n_columns + 8 * n_rows;
  // Some two nanoseconds for a joint state and variable, at worst; three networks.
  plan.seconds = 6e-9 * n_rows * n_states * (n_columns + 10) / arguments.threads();
  return plan;
}

void evaluate(const LearnedCategorical& learned, const Arguments& arguments,
              const parallel::Team& team, report::Sheet& sheet) {
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

}  // namespace orrery::categorical
