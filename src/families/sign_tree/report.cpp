// `report` for signs on a tree.
#include <optional>

#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/page/page.hpp"
#include "family/shared_options.hpp"

namespace orrery::sign_tree {

/// A line of the page for each variable and each edge; beside a truth all pairs (10 ns each).
learning::Plan plan_report(const LearnedTree& learned, const Arguments& arguments) {
  const auto p = static_cast<double>(learned.tree.n_variables());
  const double pairs = arguments.has("truth") ? p * p / 2 : 0;
  return {1e6 + 600 * p, learned.tree.n_variables(), "variables", 2e-6 * p + 1e-8 * pairs};
}

std::string report(const LearnedTree& learned, const Arguments& arguments,
                   const parallel::Team& /*team*/) {
  TreeReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden tree");
  input.source = family::source_of(arguments);
  const std::optional<LearnedTree> truth = load_true_tree(arguments, learned.tree);
  std::optional<TreeScores> scores;
  if (truth) {
    scores = score_tree(learned, truth->tree);
    input.truth = &truth->tree;
    input.scores = &*scores;
  }
  return tree_html_report(input);
}

}  // namespace orrery::sign_tree
