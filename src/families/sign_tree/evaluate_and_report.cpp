// `evaluate` and `report` for signs on a tree: the model beside the truth and data.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/page/page.hpp"
#include "families/sign_tree/scores/scores.hpp"
#include "family/matched_rows.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/baselines.hpp"
#include "learning/row_sums.hpp"
#include "model/likelihood.hpp"
#include "model/tree_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_inference.hpp"
#include "store/store.hpp"

namespace orrery::sign_tree {
namespace {

using model::LearnedTree;
using model::SignTree;

constexpr double normal95 = 1.959963984540054;

TreeDataScores score_data(const Arguments& arguments, const parallel::Team& team,
                          const LearnedTree& learned, const std::optional<LearnedTree>& truth) {
  const std::string path = arguments.text("data");
  const auto read = [&](const char* option) {
    return family::read_matched_samples(learned.tree.names(), arguments.text("model"),
                                        arguments.text(option));
  };
  const data::SampleMatrix samples = read("data");
  const auto likelihood = [&](const SignTree& tree) {
    return model::mean_log_likelihood(model::TreeChannel(tree), samples,
                                      learning::share_of_blocks(team));
  };
  if (samples.n_samples() == 0) {
    throw InputError(fmt::format("{}: holds no row; a likelihood needs at least one", path));
  }
  TreeDataScores scores;
  scores.n_rows = samples.n_samples();
  scores.held_out = learned.data_digest == 0 || learned.data_digest != samples.digest;
  scores.model = likelihood(learned.tree);
  if (truth) scores.truth = likelihood(truth->tree);
  if (arguments.has("train")) {
    const data::SampleMatrix train = read("train");
    scores.chow_liu = learning::mean_log_likelihood(learning::fit_chow_liu(train), samples);
    scores.independent = learning::mean_log_likelihood(learning::fit_independent(train), samples);
  }
  return scores;
}

Moment moment_of(const Arguments& arguments, const LearnedTree& learned,
                 const std::optional<LearnedTree>& truth, const std::optional<TreeScores>& scores) {
  Moment moment;
  moment.set = cli::places_of_names("--moment", arguments.text("moment"), learned.tree.names());
  moment.hidden = model::product_moment(learned.tree, moment.set);
  moment.noisy = model::noisy_product_moment(learned.tree, moment.set);
  if (truth) {
    moment.true_hidden = model::product_moment(truth->tree, moment.set);
    if (learned.tree.is_uniform() && truth->tree.is_uniform()) {
      moment.bound = model::moment_error_bound(moment.set.size(), scores->small_set.distance);
    }
  } else if (!learned.edge_errors.empty() && learned.tree.is_uniform()) {
    std::vector<double> errors;
    for (const double error : learned.edge_errors) {
      errors.push_back(std::isnan(error) ? 2 : normal95 * error);  // not known: anything
    }
    moment.bound = model::moment_error_bound(learned.tree, moment.set, errors);
  }
  return moment;
}

/// --truth, with the learned tree's variables in their order; empty if it was not given.
std::optional<LearnedTree> load_true_tree(const Arguments& arguments, const SignTree& learned) {
  if (!arguments.has("truth")) return std::nullopt;
  const std::string source = arguments.text("truth");
  const LearnedTree loaded = family::require<LearnedTree>(
      family::load_model(source, arguments.seed()), source, "signs on a tree are needed here");
  const auto& names = learned.names();
  if (loaded.tree.n_variables() != names.size()) {
    throw InputError(
        fmt::format("{}: {} variables, but the model has {}; give the true tree of the model's "
                    "variables",
                    source, loaded.tree.n_variables(), names.size()));
  }
  const auto places = align_variables(loaded.tree, names, source);
  return moved_variables(loaded, places, names);
}

/// --sstv 3. Throws UsageError for another number than 2 or 3, and for trees that have no triple
/// whose distribution follows from its pairs.
bool asks_for_triples(const Arguments& arguments, const SignTree& learned, const SignTree& truth) {
  if (!arguments.has("sstv")) return false;
  const auto size = arguments.get<int>("sstv");
  if (size != 2 && size != 3) throw UsageError(fmt::format("--sstv {}: 2 or 3 signs", size));
  if (size == 2) return false;
  if (learned.n_variables() < 3) {
    throw UsageError(fmt::format("--sstv 3: {} holds {} variables and no triple; --sstv 2",
                                 arguments.text("model"), learned.n_variables()));
  }
  for (const auto& [tree, option] : {std::pair{&learned, "model"}, std::pair{&truth, "truth"}}) {
    if (tree->is_uniform()) continue;
    throw UsageError(
        fmt::format("--sstv 3: {} has means that are not 0, and moments of its pairs do not give "
                    "the distributions of its triples; --sstv 2",
                    arguments.text(option)));
  }
  return true;
}

}  // namespace

void add_evaluate_options(options_description& options) {
  options.add_options()("sstv", boost::program_options::value<int>()->value_name("2|3"),
                        "of a tree with --truth: ssTV of sets of as many signs; 3 tells that of "
                        "triples beside that of pairs (means of 0)")(
      "moment", boost::program_options::value<std::string>()->value_name("NAMES"),
      "of a tree: the expected product of these signs (a,b,... or @FILE), hidden "
      "and observed, and a bound of its error");
  family::add_data_option(options);
  family::add_train_option(options);
}

/// The pairs of variables for ssTV, and the rows of the data: both with all variables.
learning::Plan plan_evaluate(const LearnedTree& learned, const Arguments& arguments) {
  family::require_with(arguments, "train", "data");
  const auto p = static_cast<double>(learned.tree.n_variables());
  learning::Plan plan;
  plan.memory_bytes = 2e7 + 300 * p;
  plan.unit = "variables";
  plan.units = learned.tree.n_variables();
  if (arguments.has("data")) {
    const auto header = store::read_sample_header(arguments.text("data"));
    const auto cells = static_cast<double>(header.n_samples) * p;
    plan.memory_bytes += cells / 8 * (header.has_missing ? 2 : 1);
  }
  return plan;
}

void evaluate(const LearnedTree& learned, const Arguments& arguments, const parallel::Team& team,
              report::Sheet& sheet) {
  family::require_with(arguments, "train", "data");
  family::require_with(arguments, "sstv", "truth");
  report::Section model;
  info(learned, model);
  report::Section& section = sheet.section("tree", "The model");
  section.sentences = model.sentences;
  section.data("variables", learned.tree.n_variables())
      .data("edges", learned.tree.edges().size())
      .data("crossover", learned.tree.crossover())
      .data("uniform", learned.tree.is_uniform());
  const std::optional<LearnedTree> truth = load_true_tree(arguments, learned.tree);
  std::optional<TreeScores> scores;
  if (truth) {
    scores = score_tree(learned, truth->tree);
    if (asks_for_triples(arguments, learned.tree, truth->tree)) {
      scores->triples = triple_distance(learned.tree, truth->tree);
    }
    add_truth(sheet, *scores, learned.tree);
  }
  if (arguments.has("data")) add_data(sheet, score_data(arguments, team, learned, truth));
  if (arguments.has("moment")) {
    add_moment(sheet, moment_of(arguments, learned, truth, scores), learned.tree);
  }
}

/// A line of the page for each variable and each edge.
learning::Plan plan_report(const LearnedTree& learned, const Arguments& /*arguments*/) {
  const auto p = static_cast<double>(learned.tree.n_variables());
  return {1e6 + 600 * p, learned.tree.n_variables(), "variables"};
}

std::string report(const LearnedTree& learned, const Arguments& arguments,
                   const parallel::Team& /*team*/) {
  TreeReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden tree");
  input.colophon = family::colophon_of(arguments, learned);
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
