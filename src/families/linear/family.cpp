// Linear networks of numbers (Anandkumar, Hsu, Javanmard, Kakade 2013): the line of the table.
#include <nlohmann/json.hpp>

#include "families/linear/commands.hpp"
#include "families/linear/fields.hpp"
#include "families/linear/network/generators.hpp"
#include "family/shared_options.hpp"

namespace orrery::linear_latent {
extern const learning::LearnerEntry entry;
}

namespace orrery::linear {

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "linear",
      .type = typeid(LearnedLinear),
      .input = learning::Input::numbers,
      .describe = [](const family::AnyModel&) { return "a linear network"; },
      .variables =
          [](const family::AnyModel& model) { return model.as<LearnedLinear>()->network.names(); },
      .size =
          [](const family::AnyModel& model) {
            const model::LinearNetwork& network = model.as<LearnedLinear>()->network;
            return family::Size{network.n_causes(), "causes", network.n_edges()};
          },
      .info = typed(info),
      .summary = typed(summary),
      .generators = model::linear_generator_help(),
      .generate = generate,
      .fields = family::fields_of(fields),
      .groups = {"linear"},
      .json_formats = {"orrery-linear-1"},
      .formats = {{"csv", typed(to_csv)}},
      .graph = typed(graph),
      .learners = {&linear_latent::entry},
      .sample = {typed(sample), add_sample_options, "Of a linear network: numbers."},
      .evaluate = {typed(evaluate), family::add_data_option,
                   "Of a linear network: causes matched up to order and sign, edges and errors of "
                   "loadings, likelihood of data.",
                   typed(plan_evaluate)},
      .report = {typed(report), nullptr, "Of a linear network: its loadings and causes.",
                 typed(plan_report)},
      .depth = {expansion_depth()},
  };
  return of_table;
}

}  // namespace orrery::linear
