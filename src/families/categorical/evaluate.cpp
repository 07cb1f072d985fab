#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/categorical/commands.hpp"
#include "families/categorical/network/joint_states.hpp"
#include "families/categorical/network/rows.hpp"
#include "families/categorical/scores/scores.hpp"
#include "family/model_argument.hpp"
#include "family/table.hpp"
#include "orrery/base/error.hpp"
#include "store/categorical.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::LearnedCategorical;
using nlohmann::json;

/// Log likelihoods a row, nats, of the values that are there.
struct CategoricalDataScores {
  bool held_out = true;  ///< false: the very samples that the model was learned from
  CategoricalLikelihood model;
  CategoricalLikelihood independent;  ///< the model's frequencies alone
  std::optional<CategoricalLikelihood> truth;
};

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

CategoricalDataScores score_data(const Arguments& arguments, const LearnedCategorical& learned,
                                 const std::optional<LearnedCategorical>& truth) {
  const std::string path = arguments.text("data");
  const store::StoredTable stored = store::read_categorical(path);
  CategoricalDataScores scores;
  scores.held_out = learned.data_digest == 0 || learned.data_digest != stored.digest;
  const data::CategoricalTable table = model::in_order_of(learned.network, stored.table, path);
  const auto likelihood = [&](const CategoricalNetwork& network) {
    return categorical_likelihood(network, table, path);
  };
  scores.model = likelihood(learned.network);
  scores.independent = likelihood(without_causes(learned.network));
  if (truth) scores.truth = likelihood(truth->network);
  return scores;
}

json matches_json(const CategoricalScores& scores, const CategoricalNetwork& learned,
                  const CategoricalNetwork& truth) {
  json list = json::array();
  for (std::size_t t = 0; t < scores.match.size(); ++t) {
    json match{{"true", truth.causes()[t].name}, {"learned", nullptr}};
    if (scores.match[t] >= 0) {
      match["learned"] = learned.causes()[static_cast<std::size_t>(scores.match[t])].name;
    }
    list.push_back(std::move(match));
  }
  return list;
}

json structure_json(const CategoricalScores& scores, const CategoricalNetwork& learned,
                    const CategoricalNetwork& truth) {
  return {{"true_causes", truth.n_causes()},
          {"learned_causes", learned.n_causes()},
          {"matches", matches_json(scores, learned, truth)},
          {"difference", scores.difference},
          {"true_edges", scores.n_true_edges},
          {"learned_edges", scores.n_learned_edges},
          {"exact_variables", scores.n_exact_variables},
          {"variables", truth.n_observed()}};
}

std::string describe_structure(const CategoricalScores& scores, const CategoricalNetwork& learned,
                               const CategoricalNetwork& truth) {
  std::string text = fmt::format(
      "structure differs in {} edges (true {}, learned {}); {} of {} variables have all their "
      "parents right\n",
      scores.difference, scores.n_true_edges, scores.n_learned_edges, scores.n_exact_variables,
      truth.n_observed());
  for (std::size_t t = 0; t < scores.match.size(); ++t) {
    const std::int64_t match = scores.match[t];
    text += fmt::format("  {:16} {}\n", truth.causes()[t].name,
                        match < 0 ? std::string("is not found")
                                  : "is " + learned.causes()[static_cast<std::size_t>(match)].name);
  }
  return text;
}

json likelihood_json(const CategoricalLikelihood& likelihood) {
  return {{"mean", cli::finite_or_null(likelihood.mean)},
          {"error", cli::finite_or_null(likelihood.error)},
          {"impossible_rows", likelihood.n_impossible}};
}

json categorical_data_json(const CategoricalDataScores& scores) {
  json object{{"rows", scores.model.n_rows},
              {"held_out", scores.held_out},
              {"log_likelihood", likelihood_json(scores.model)},
              {"independent_log_likelihood", likelihood_json(scores.independent)}};
  if (scores.truth) object["true_log_likelihood"] = likelihood_json(*scores.truth);
  return object;
}

/// "-66.14 +- 0.09", "-infinity (3 impossible rows)".
std::string describe_likelihood(const CategoricalLikelihood& likelihood) {
  if (likelihood.n_impossible > 0) {
    return fmt::format("-infinity ({} impossible row{})", likelihood.n_impossible,
                       likelihood.n_impossible == 1 ? "" : "s");
  }
  if (std::isnan(likelihood.error)) return fmt::format("{:.4f}", likelihood.mean);
  return fmt::format("{:.4f} +- {:.2g}", likelihood.mean, likelihood.error);
}

std::string describe_categorical_data(const CategoricalDataScores& scores) {
  return fmt::format(
      "log likelihood a row: {} nats over {} rows{}{}\n"
      "  without the causes (independent variables) {}\n",
      describe_likelihood(scores.model), format_count(scores.model.n_rows),
      scores.truth ? fmt::format(" (true network {})", describe_likelihood(*scores.truth)) : "",
      scores.held_out ? "" : ", those it was learned from",
      describe_likelihood(scores.independent));
}

learning::Plan make_plan(const Arguments& arguments, const CategoricalNetwork& network) {
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

}  // namespace

void evaluate(const LearnedCategorical& learned, const Arguments& arguments) {
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(arguments, learned.network));
    return;
  }
  std::optional<LearnedCategorical> truth;
  std::optional<CategoricalScores> scores;
  if (arguments.has("truth")) {
    truth = load_truth(arguments);
    scores = score_structure(arguments, learned.network, truth->network);
  }
  std::optional<CategoricalDataScores> data;
  if (arguments.has("data")) data = score_data(arguments, learned, truth);
  const json info = info_json(learned);
  if (arguments.json()) {
    json object = json::object();
    if (scores) object = structure_json(*scores, learned.network, truth->network);
    if (data) object.update(categorical_data_json(*data));
    object["model"] = info;
    cli::print_json(object);
    return;
  }
  if (!scores && !data) std::cout << describe_info(info);
  if (scores) std::cout << describe_structure(*scores, learned.network, truth->network);
  if (data) std::cout << describe_categorical_data(*data);
}

}  // namespace orrery::categorical
