// Signs on a tree, seen through a noisy channel (Nikolakakis et al. 2018): the line of the table.
#include <nlohmann/json.hpp>

#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/fields.hpp"
#include "families/sign_tree/plan.hpp"
#include "model/tree_generators.hpp"

namespace orrery::hidden_tree {
extern const learning::LearnerEntry entry;
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
      .info = typed(info),
      .summary = typed(summary),
      .generators = model::tree_generator_help(),
      .generate = generate,
      .fields = family::fields_of(fields),
      .groups = {"tree"},
      .json_formats = {"orrery-tree-1"},
      .formats = {{"csv", typed(to_csv)}},
      .graph = typed(graph),
      .discrete = typed(discrete),
      .learners = {&hidden_tree::entry},
      .planners =
          {{"tree", "samples that a tree of signs takes, by theory", "--p P --alpha A --beta B",
            "Numbers of samples that are enough to learn a tree of signs, and that are too few "
            "for any method (Nikolakakis et al. 2018).",
            "orrery plan tree --p 100 --alpha 0.2 --beta 1.1 --crossover 0.1", add_plan_options,
            plan}},
      .sample = {typed(sample), add_sample_options,
                 "Of signs on a tree: the signs as they are seen through a noisy channel."},
      .infer = {typed(infer), add_infer_options,
                "Of signs on a tree: the hidden signs behind the observed ones, or some variables "
                "predicted from others."},
      .evaluate =
          {typed(evaluate), add_evaluate_options,
           "Of signs on a tree: wrong edges, distances to the true tree, likelihood of data, "
           "moments.",
           typed(plan_evaluate)},
      .report = {typed(report), nullptr, "Of signs on a tree: the tree.", typed(plan_report)},
  };
  return of_table;
}

}  // namespace orrery::sign_tree
