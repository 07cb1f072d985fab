#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/sign_tree/commands.hpp"

namespace orrery::sign_tree {
namespace {

/// The weakest and the strongest edge; there is at least one.
std::string describe_edges(const model::SignTree& tree) {
  const auto [weakest, strongest] = std::ranges::minmax_element(
      tree.edges(), {},
      [&](const model::TreeEdge& edge) { return std::abs(tree.correlation(edge)); });
  const auto describe = [&](const char* which, const model::TreeEdge& edge) {
    return fmt::format("  {:10}{} - {}   correlation {:.4g}\n", which, tree.names()[edge.a],
                       tree.names()[edge.b], tree.correlation(edge));
  };
  return describe("strongest", *strongest) + describe("weakest", *weakest);
}

std::string describe_learned_tree(const model::LearnedTree& learned, const std::string& output,
                                  double seconds) {
  const model::SignTree& tree = learned.tree;
  const std::size_t n_parts = tree.n_variables() - tree.edges().size();
  std::string text = fmt::format("{} of {} variables with {} edges from {} samples in {}\n",
                                 n_parts == 1 ? "tree" : fmt::format("forest of {} trees", n_parts),
                                 tree.n_variables(), tree.edges().size(),
                                 format_count(learned.n_samples), format_duration(seconds));
  text +=
      fmt::format("  crossover {:.4g}{}\n", tree.crossover(),
                  learned.crossover_error > 0
                      ? fmt::format(" (estimated, standard error {:.2g})", learned.crossover_error)
                      : "");
  if (!tree.edges().empty()) text += describe_edges(tree);
  for (const std::string& remark : learned.remarks) text += fmt::format("  {}\n", remark);
  return text + fmt::format("written to {}", output);
}

}  // namespace

nlohmann::json info_json(const model::LearnedTree& learned) {
  const model::SignTree& tree = learned.tree;
  nlohmann::json info{{"learner", learned.learner},
                      {"n_variables", tree.n_variables()},
                      {"n_edges", tree.edges().size()},
                      {"crossover", tree.crossover()},
                      {"crossover_error", learned.crossover_error},
                      {"uniform", tree.is_uniform()},
                      {"n_samples", learned.n_samples},
                      {"data_digest", fmt::format("{:016x}", learned.data_digest)},
                      {"standard_errors", !learned.edge_errors.empty()}};
  if (!learned.remarks.empty()) info["remarks"] = learned.remarks;
  return info;
}

std::string describe_info(const nlohmann::json& info) {
  const auto learner = info["learner"].get<std::string>();
  return fmt::format("tree: {} variables, {} edges, crossover {}, {} means{}{}\n",
                     info["n_variables"].get<std::size_t>(), info["n_edges"].get<std::size_t>(),
                     info["crossover"].get<double>(),
                     info["uniform"].get<bool>() ? "uniform" : "free",
                     learner.empty() ? "" : ", learned by " + learner,
                     info["standard_errors"].get<bool>() ? ", with standard errors" : "") +
         cli::describe_remarks(info);
}

void print_learned(const model::LearnedTree& learned, const Arguments& arguments,
                   const std::string& output, double seconds) {
  const model::SignTree& tree = learned.tree;
  nlohmann::json object{{"n_variables", tree.n_variables()},
                        {"edges", tree.edges().size()},
                        {"components", tree.n_variables() - tree.edges().size()},
                        {"crossover", tree.crossover()},
                        {"crossover_error", learned.crossover_error},
                        {"n_samples", learned.n_samples},
                        {"output", output},
                        {"seconds", seconds}};
  if (!learned.remarks.empty()) object["remarks"] = learned.remarks;
  cli::print_done(arguments, object, describe_learned_tree(learned, output, seconds));
}

}  // namespace orrery::sign_tree
