// Signs on a tree, seen through a noisy channel (Nikolakakis et al. 2018): the line of the table,
// what is said of a network, and `sample`.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "families/sign_tree/commands.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "model/tree_generators.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_sampling.hpp"
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
      .papers = {{"tree",
                  "K. E. Nikolakakis, D. S. Kalogerias, A. D. Sarwate. Predictive "
                  "learning on sign-valued hidden Markov trees. arXiv 2018."}},
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

// ---- `sample`

namespace {

namespace po = boost::program_options;
using model::LearnedTree;

model::TreeParameters parameters_of(const Arguments& arguments) {
  model::TreeParameters parameters;
  if (arguments.has("correlations")) {
    model::parse_correlations("--correlations", arguments.text("correlations"), parameters);
  }
  if (arguments.has("crossover")) {
    const auto crossover = arguments.get<double>("crossover");
    if (!(crossover >= 0 && crossover < .5)) {
      throw UsageError(
          fmt::format("--crossover {}: must be a probability below 0.5: at 0.5 the observed signs "
                      "say nothing of the hidden ones",
                      crossover));
    }
    parameters.crossover = crossover;
  }
  return parameters;
}

/// The crossover also replaces a file's.
LearnedTree with_options(const LearnedTree& learned, const Arguments& arguments) {
  const std::string name = arguments.text("network");
  if (model::is_tree_spec(name)) return learned;
  family::refuse_options(arguments, {"correlations"}, name, "a tree with correlations of its own");
  if (!arguments.has("crossover")) return learned;
  LearnedTree changed = learned;
  const model::SignTree& old = learned.tree;
  changed.tree =
      model::SignTree(old.names(), old.means(), old.edges(), parameters_of(arguments).crossover);
  changed.crossover_error = 0;
  return changed;
}

}  // namespace

void add_sample_options(po::options_description& options) {
  family::add_flip_option(options);
  options.add_options()(
      "correlations", po::value<std::string>()->value_name("LO,HI[,signed]"),
      "of a tree:...'s edges: uniform on [LO, HI] (0.2,0.8 without it); with signed, half of them, "
      "at random, are negative")(
      "crossover", po::value<double>()->value_name("Q"),
      "of a tree: each sign is observed as its opposite with this probability (0, or the file's, "
      "without it)");
}

std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments) {
  if (!model::is_tree_spec(argument)) return std::nullopt;
  const auto parameters =
      arguments != nullptr ? parameters_of(*arguments) : model::TreeParameters();
  auto tree = model::generate_tree(argument, seed, parameters);
  if (!tree) return std::nullopt;
  LearnedTree learned;
  learned.tree = std::move(*tree);
  return learned;
}

void sample(const LearnedTree& given, const Arguments& arguments, const parallel::Team& team) {
  const LearnedTree learned = with_options(given, arguments);
  const model::SignTree& tree = learned.tree;
  const auto flip = family::flip_option(arguments, tree.n_variables());
  const std::uint64_t seed = arguments.seed();
  const auto rows = [&](std::uint64_t first_row, std::size_t n_rows) {
    data::BitColumns block = model::sample_tree_rows(tree, seed, first_row, n_rows);
    if (flip) model::contaminate(block, *flip, seed, first_row);
    return block;
  };
  family::draw(
      arguments, team, family::BitDraws(tree.names(), rows, family::group_of(learned)),
      {tree.n_variables(),
       fmt::format("a tree of {} edges, crossover {}", tree.edges().size(), tree.crossover()),
       {{"n_edges", tree.edges().size()}, {"crossover", tree.crossover()}}});
}

}  // namespace orrery::sign_tree
