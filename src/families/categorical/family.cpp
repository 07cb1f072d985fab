// Categorical networks: causes and observed variables of several states each (Lazic, Bishop, Winn
// 2013): the line of the table.
#include <nlohmann/json.hpp>

#include "families/categorical/commands.hpp"
#include "families/categorical/fields.hpp"
#include "families/categorical/network/generators.hpp"
#include "family/posterior_rows.hpp"
#include "family/shared_options.hpp"

namespace orrery::structural_ep {
extern const learning::LearnerEntry entry;
}
namespace orrery::structural_em {
extern const learning::LearnerEntry entry;
}

namespace orrery::categorical {

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "categorical",
      .type = typeid(LearnedCategorical),
      .input = learning::Input::categories,
      .describe = [](const family::AnyModel&) { return "a categorical network"; },
      .variables =
          [](const family::AnyModel& model) {
            return model.as<LearnedCategorical>()->network.names();
          },
      .size =
          [](const family::AnyModel& model) {
            const model::CategoricalNetwork& network = model.as<LearnedCategorical>()->network;
            return family::Size{network.n_causes(), "causes", network.n_edges()};
          },
      .info = typed(info),
      .summary = typed(summary),
      .generators = model::categorical_generator_help(),
      .generate = generate,
      .fields = family::fields_of(fields),
      .groups = {"categorical_network"},
      .json_formats = {"orrery-categorical-1"},
      .formats = {{"csv", typed(to_csv)}},
      .graph = typed(graph),
      .discrete = typed(discrete),
      .learners = {&structural_ep::entry, &structural_em::entry},
      .sample = {typed(sample), add_sample_options, "Of a categorical network: categories."},
      .infer = {typed(infer), family::add_posterior_options,
                "Of a categorical network: the states of its causes."},
      .evaluate =
          {typed(evaluate), family::add_data_option,
           "Of a categorical network: edges that differ from the true one's once causes are "
           "matched, likelihood of data.",
           typed(plan_evaluate)},
      .report = {typed(report), family::add_data_option,
                 "Of a categorical network: its structure above its data.", typed(plan_report)},
  };
  return of_table;
}

}  // namespace orrery::categorical
