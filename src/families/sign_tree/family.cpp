// Signs on a tree, seen through a noisy channel (Nikolakakis et al. 2018): the line of the table,
// and what is said of a network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "families/sign_tree/commands.hpp"
#include "family/table.hpp"
#include "model/tree_generators.hpp"
#include "report/text.hpp"

namespace orrery::hidden_tree {
extern const learning::LearnerEntry entry;
}

namespace orrery::sign_tree {
namespace {

using report::count_of;

/// The weakest and the strongest edge.
void show_edges(report::Section& section, const model::SignTree& tree) {
  if (tree.edges().empty()) return;
  const auto [weakest, strongest] = std::ranges::minmax_element(
      tree.edges(), {},
      [&](const model::TreeEdge& edge) { return std::abs(tree.correlation(edge)); });
  const auto show = [&](const char* label, const model::TreeEdge& edge) {
    section.show(label, fmt::format("{} - {}", tree.names()[edge.a], tree.names()[edge.b]),
                 fmt::format("correlation {:.4g}", tree.correlation(edge)));
  };
  show("strongest edge", *strongest);
  show("weakest edge", *weakest);
}

}  // namespace

void info(const LearnedTree& learned, report::Section& section) {
  const model::SignTree& tree = learned.tree;
  section.data("learner", learned.learner)
      .data("n_variables", tree.n_variables())
      .data("n_edges", tree.edges().size())
      .data("crossover", tree.crossover())
      .data("crossover_error", learned.crossover_error)
      .data("uniform", tree.is_uniform())
      .data("n_samples", learned.n_samples)
      .data("data_digest", fmt::format("{:016x}", learned.data_digest))
      .data("standard_errors", !learned.edge_errors.empty());
  section.remarks = learned.remarks;
  section.sentences.push_back(fmt::format(
      "tree: {}, {}, crossover {:.4g}{}, {} means{}{}", count_of(tree.n_variables(), "variable"),
      count_of(tree.edges().size(), "edge"), tree.crossover(),
      learned.crossover_error > 0 ? fmt::format(" (+- {:.2g})", learned.crossover_error) : "",
      tree.is_uniform() ? "uniform" : "free",
      learned.learner.empty() ? "" : ", learned by " + learned.learner,
      learned.edge_errors.empty() ? "" : ", with standard errors"));
}

void summary(const LearnedTree& learned, report::Section& section) {
  const model::SignTree& tree = learned.tree;
  const std::size_t n_parts = tree.n_variables() - tree.edges().size();
  section.sentences.push_back(
      fmt::format("{} of {} with {} from {}",
                  n_parts == 1 ? "tree" : fmt::format("forest of {} trees", n_parts),
                  count_of(tree.n_variables(), "variable"), count_of(tree.edges().size(), "edge"),
                  count_of(learned.n_samples, "sample")));
  section.data("n_variables", tree.n_variables())
      .data("edges", tree.edges().size())
      .data("components", n_parts)
      .data("crossover_error", learned.crossover_error)
      .data("n_samples", learned.n_samples);
  section.tell("crossover", tree.crossover(), "crossover", fmt::format("{:.4g}", tree.crossover()),
               learned.crossover_error > 0
                   ? fmt::format("estimated, standard error {:.2g}", learned.crossover_error)
                   : "");
  show_edges(section, tree);
  section.remarks = learned.remarks;
}

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
      .renamed = typed(renamed),
      .groups = {"tree"},
      .json_formats = {"orrery-tree-1"},
      .formats = {{"csv", typed(to_csv), typed(strong_csv)}},
      .graph = typed(graph),
      .discrete = typed(discrete),
      .learners = {&hidden_tree::entry},
      .papers = {{"tree", {"nikolakakis2018", "chow1968"}}},
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
