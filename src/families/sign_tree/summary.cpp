// What is said of a tree of signs: in a line, and when it was just learned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "families/sign_tree/commands.hpp"
#include "report/text.hpp"

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

}  // namespace orrery::sign_tree
