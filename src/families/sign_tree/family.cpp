// Signs on a tree, seen through a noisy channel (Nikolakakis et al. 2018): the line of the table.
#include <nlohmann/json.hpp>

#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/plan.hpp"
#include "model/json_layout.hpp"
#include "orrery/model/tree_generators.hpp"
#include "orrery/model/tree_json.hpp"
#include "orrery/store/store.hpp"
#include "report/export_formats.hpp"

namespace orrery::hidden_tree {
extern const learners::LearnerEntry entry;
}

namespace orrery::sign_tree {

using family::typed;

const family::Family& family() {
  static const family::Family of_table{
      .name = "sign_tree",
      .type = typeid(LearnedTree),
      .describe = [](const family::AnyModel&) { return "signs on a tree"; },
      .variables =
          [](const family::AnyModel& model) { return model.as<LearnedTree>()->tree.names(); },
      .size =
          [](const family::AnyModel& model) {
            const model::SignTree& tree = model.as<LearnedTree>()->tree;
            return family::Size{tree.n_variables(), "variables", tree.edges().size()};
          },
      .info = typed(info_json),
      .describe_info = describe_info,
      .print_learned = typed(print_learned),
      .generators = model::tree_generator_help(),
      .generate = generate,
      .groups = {"tree"},
      .read = store::read_tree,
      .group_of = typed<store::GroupWriter, LearnedTree>(store::group_of),
      .json_formats = {std::string(model::tree_format)},
      .from_json =
          [](const model::JsonEntry& root, const std::string& entry) {
            model::refuse_entry_of_one(root, entry);
            return model::tree_from_json(root);
          },
      .to_json = typed(model::to_tree_json),
      .formats = {{"csv", typed(report::tree_to_csv)},
                  {"dot", typed(report::tree_to_dot)},
                  {"graphml", typed(report::tree_to_graphml)},
                  {"bif", typed(report::tree_to_bif)}},
      .learners = {&hidden_tree::entry},
      .planners =
          {{"tree", "samples that a tree of signs takes, by theory", "--p P --alpha A --beta B",
            "Numbers of samples that are enough to learn a tree of signs, and that are too few "
            "for any method (Nikolakakis et al. 2018).",
            "orrery plan tree --p 100 --alpha .2 --beta 1.1 --crossover .1", add_plan_options,
            plan}},
      .sample = {typed(sample), add_sample_options,
                 "Of signs on a tree: the signs as they are seen through a noisy channel."},
      .infer = {typed(infer), add_infer_options,
                "Of signs on a tree: the hidden signs behind the observed ones, or some variables "
                "predicted from others."},
      .evaluate =
          {typed(evaluate), add_evaluate_options,
           "Of signs on a tree: wrong edges, distances to the true tree, likelihood of data, "
           "moments."},
      .report = {typed(report), nullptr, "Of signs on a tree: the tree."},
  };
  return of_table;
}

}  // namespace orrery::sign_tree
