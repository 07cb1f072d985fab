// Linear networks of numbers (Anandkumar, Hsu, Javanmard, Kakade 2013): the line of the table.
#include <nlohmann/json.hpp>

#include "families/linear/commands.hpp"
#include "family/shared_options.hpp"
#include "model/json_layout.hpp"
#include "orrery/model/linear_generators.hpp"
#include "orrery/model/linear_json.hpp"
#include "orrery/store/store.hpp"
#include "report/export_formats.hpp"

namespace orrery::linear_latent {
extern const learners::LearnerEntry entry;
}

namespace orrery::linear {

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "linear",
      .type = typeid(LearnedLinear),
      .input = learners::Input::numbers,
      .describe = [](const family::AnyModel&) { return "a linear network"; },
      .variables =
          [](const family::AnyModel& model) { return model.as<LearnedLinear>()->network.names(); },
      .size =
          [](const family::AnyModel& model) {
            const model::LinearNetwork& network = model.as<LearnedLinear>()->network;
            return family::Size{network.n_causes(), "causes", network.n_edges()};
          },
      .info = typed(info_json),
      .describe_info = describe_info,
      .print_learned = typed(print_learned),
      .generators = model::linear_generator_help(),
      .generate = generate,
      .groups = {"linear"},
      .read = store::read_linear,
      .group_of = typed<store::GroupWriter, LearnedLinear>(store::group_of),
      .json_formats = {std::string(model::linear_format)},
      .from_json =
          [](const model::JsonEntry& root, const std::string& entry) {
            model::refuse_entry_of_one(root, entry);
            return model::linear_from_json(root);
          },
      .to_json = typed(model::to_linear_json),
      .formats = {{"csv", typed(report::linear_to_csv)},
                  {"dot", typed(report::linear_to_dot)},
                  {"graphml", typed(report::linear_to_graphml)}},
      .learners = {&linear_latent::entry},
      .sample = {typed(sample), add_sample_options, "Of a linear network: numbers."},
      .evaluate = {typed(evaluate), family::add_data_option,
                   "Of a linear network: causes matched up to order and sign, edges and errors of "
                   "loadings, likelihood of data."},
      .report = {typed(report), nullptr, "Of a linear network: its loadings and causes."},
      .depth = {{"expansion", "the conditions under which a linear network can be learned", depth}},
  };
  return of_table;
}

}  // namespace orrery::linear
