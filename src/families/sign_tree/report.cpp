// `report` for signs on a tree.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/output_file.hpp"
#include "cli/printing.hpp"
#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/page/page.hpp"

namespace orrery::sign_tree {

void report(const model::LearnedTree& learned, const Arguments& arguments) {
  const auto p = static_cast<double>(learned.tree.n_variables());
  if (arguments.dry_run()) {
    // A page line a variable and an edge; of a truth all pairs (10 ns each).
    const double pairs = arguments.has("truth") ? p * p / 2 : 0;
    cli::print_plan(arguments, {1e6 + 600 * p, learned.tree.n_variables(), "variables",
                                2e-6 * p + 1e-8 * pairs});
    return;
  }
  const std::string path = arguments.required("model");
  const std::string output = arguments.output();
  TreeReportInput input;
  input.model = &learned;
  input.title = arguments.has("title") ? arguments.get<std::string>("title") : "Hidden tree";
  input.source = std::filesystem::path(path).filename().string();
  const std::optional<model::LearnedTree> truth = load_true_tree(arguments, learned.tree);
  std::optional<TreeScores> scores;
  if (truth) {
    scores = score_tree(learned, truth->tree);
    input.truth = &truth->tree;
    input.scores = &*scores;
  }
  const std::string page = tree_html_report(input);
  write_text_file(output, page);
  cli::print_done(arguments, {{"output", output}, {"bytes", page.size()}},
                  fmt::format("a tree of {} variables drawn; open {} in a browser",
                              learned.tree.n_variables(), output));
}

}  // namespace orrery::sign_tree
