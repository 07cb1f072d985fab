#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "cli/name_list.hpp"
#include "cli/printing.hpp"
#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/scores/scores.hpp"
#include "family/matched_columns.hpp"
#include "family/model_argument.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "learning/chow_liu.hpp"
#include "model/tree_moments.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_inference.hpp"
#include "store/store.hpp"

namespace orrery::sign_tree {
namespace {

using model::LearnedTree;
using model::SignTree;
using nlohmann::json;

constexpr std::size_t listed_tree_edges = 5;
constexpr double normal95 = 1.959963984540054;

struct TreeDataScores {
  std::uint64_t n_rows = 0;
  bool held_out = true;  ///< false: the very samples that the tree was learned from
  double model = 0;      ///< mean log-likelihood a row, nats
  std::optional<double> truth, chow_liu, independent;
};

/// A moment of the learned tree, and of the true one.
struct Moment {
  std::vector<std::uint32_t> set;
  double hidden = 0, noisy = 0;
  std::optional<double> true_hidden;
  std::optional<double> bound;  ///< of |hidden - true|: by L^(2) with a truth, else by edge errors
};

struct TreeResults {
  std::optional<TreeScores> scores;
  std::optional<TreeDataScores> data;
  std::optional<Moment> moment;
};

TreeDataScores score_data(const Arguments& arguments, const LearnedTree& learned,
                          const std::optional<LearnedTree>& truth) {
  const std::string path = arguments.text("data");
  const auto read = [&](const char* option) {
    return family::read_matched_samples(learned.tree.names(), arguments.text("model"),
                                        arguments.text(option));
  };
  const data::SampleMatrix samples = read("data");
  const auto likelihood = [&](const SignTree& tree) {
    return model::mean_log_likelihood(model::TreeChannel(tree), samples);
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

std::string name_of(const SignTree& tree, const TreeScores::Ends& ends) {
  return fmt::format("{} - {}", tree.names()[ends[0]], tree.names()[ends[1]]);
}

json edges_json(const SignTree& tree, const std::vector<TreeScores::Ends>& edges) {
  json list = json::array();
  for (const auto& ends : edges) list.push_back({tree.names()[ends[0]], tree.names()[ends[1]]});
  return list;
}

json scores_json(const TreeScores& scores, const SignTree& tree) {
  json object{{"true_edges", scores.n_true_edges},
              {"learned_edges", scores.n_learned_edges},
              {"missing_edges", edges_json(tree, scores.missing)},
              {"wrong_edges", edges_json(tree, scores.wrong)},
              {"exact", scores.exact()},
              {"largest_moment_error", scores.largest_moment_error},
              {"sstv", scores.small_set.distance},
              {"kl_from_truth", cli::finite_or_null(scores.kl_from_truth)},
              {"kl_to_truth", cli::finite_or_null(scores.kl_to_truth)},
              {"symmetric_kl", cli::finite_or_null(scores.kl_from_truth + scores.kl_to_truth)}};
  if (tree.n_variables() > 1) {
    object["sstv_pair"] = {tree.names()[scores.small_set.pair[0]],
                           tree.names()[scores.small_set.pair[1]]};
  }
  if (scores.n_with_error > 0) object["coverage"] = {scores.n_covered, scores.n_with_error};
  return object;
}

std::string describe_edges(const char* what, const SignTree& tree,
                           const std::vector<TreeScores::Ends>& edges) {
  std::string text;
  for (std::size_t i = 0; i < std::min(edges.size(), listed_tree_edges); ++i) {
    text += fmt::format("  {}: {}\n", what, name_of(tree, edges[i]));
  }
  if (edges.size() > listed_tree_edges) {
    text += fmt::format("  ... {} more {}\n", edges.size() - listed_tree_edges, what);
  }
  return text;
}

std::string describe_scores(const TreeScores& scores, const SignTree& tree) {
  std::string text = fmt::format(
      "{} of {} edges found, {} wrong{}\n", scores.n_true_edges - scores.missing.size(),
      scores.n_true_edges, scores.wrong.size(), scores.exact() ? ": the structure is exact" : "");
  text += describe_edges("missing", tree, scores.missing);
  text += describe_edges("wrong", tree, scores.wrong);
  text += fmt::format("edges that both have: moments off by at most {:.4f}\n",
                      scores.largest_moment_error);
  if (scores.n_with_error > 0) {
    text += fmt::format("true moments inside the 95 % intervals: {} of {}\n", scores.n_covered,
                        scores.n_with_error);
  }
  if (tree.n_variables() > 1) {
    text += fmt::format("ssTV of pairs: {:.4f} ({})\n", scores.small_set.distance,
                        name_of(tree, scores.small_set.pair));
  }
  return text + fmt::format("KL(truth || learned) {:.4f} nats, KL(learned || truth) {:.4f}\n",
                            scores.kl_from_truth, scores.kl_to_truth);
}

json tree_data_json(const TreeDataScores& scores) {
  json object{{"rows", scores.n_rows},
              {"held_out", scores.held_out},
              {"log_likelihood", cli::finite_or_null(scores.model)}};
  if (scores.truth) object["true_log_likelihood"] = cli::finite_or_null(*scores.truth);
  if (scores.chow_liu) object["chow_liu_log_likelihood"] = cli::finite_or_null(*scores.chow_liu);
  if (scores.independent)
    object["independent_log_likelihood"] = cli::finite_or_null(*scores.independent);
  return object;
}

std::string describe_tree_data(const TreeDataScores& scores) {
  std::string text =
      fmt::format("log-likelihood a row: {:.4f} nats over {} rows{}{}\n", scores.model,
                  format_count(scores.n_rows),
                  scores.truth ? fmt::format(" (true tree {:.4f})", *scores.truth) : "",
                  scores.held_out ? "" : ", those it was learned from");
  if (scores.chow_liu) {
    text +=
        fmt::format("  Chow-Liu tree of what is observed {:.4f}, independent variables {:.4f}\n",
                    *scores.chow_liu, *scores.independent);
  }
  return text;
}

json moment_json(const Moment& moment, const SignTree& tree) {
  json names = json::array();
  for (const std::uint32_t i : moment.set) names.push_back(tree.names()[i]);
  json object{{"variables", std::move(names)}, {"hidden", moment.hidden}, {"noisy", moment.noisy}};
  if (moment.true_hidden) object["true_hidden"] = *moment.true_hidden;
  if (moment.bound) object["error_bound"] = *moment.bound;
  return object;
}

std::string describe_moment(const Moment& moment) {
  std::string text = fmt::format("moment of {} variables: {:.6f} of the hidden signs",
                                 moment.set.size(), moment.hidden);
  if (moment.true_hidden) text += fmt::format(" (true {:.6f})", *moment.true_hidden);
  text += fmt::format(", {:.6f} of the observed ones\n", moment.noisy);
  if (!moment.bound) return text;
  return text + fmt::format("  {} {:.2g}\n",
                            moment.true_hidden
                                ? "off by at most |V| ssTV ="
                                : "if the edges are right, and their moments in their 95 % "
                                  "intervals, off by at most",
                            *moment.bound);
}

std::string describe_tree(const LearnedTree& learned) {
  const SignTree& tree = learned.tree;
  return fmt::format(
      "a tree of {} variables and {} edges, crossover {:.4g}{}, {} means{}\n", tree.n_variables(),
      tree.edges().size(), tree.crossover(),
      learned.crossover_error > 0 ? fmt::format(" (+- {:.2g})", learned.crossover_error) : "",
      tree.is_uniform() ? "uniform" : "free",
      learned.edge_errors.empty() ? "" : ", with standard errors");
}

void print_text(const TreeResults& results, const LearnedTree& learned) {
  std::cout << describe_tree(learned);
  if (results.scores) std::cout << describe_scores(*results.scores, learned.tree);
  if (results.data) std::cout << describe_tree_data(*results.data);
  if (results.moment) std::cout << describe_moment(*results.moment);
}

void print_as_json(const TreeResults& results, const LearnedTree& learned) {
  json object = json::object();
  if (results.scores) object = scores_json(*results.scores, learned.tree);
  if (results.data) object.update(tree_data_json(*results.data));
  if (results.moment) object["moment"] = moment_json(*results.moment, learned.tree);
  object["tree"] = {{"variables", learned.tree.n_variables()},
                    {"edges", learned.tree.edges().size()},
                    {"crossover", learned.tree.crossover()},
                    {"uniform", learned.tree.is_uniform()}};
  cli::print_json(object);
}

/// The pairs of variables for ssTV, and the rows of the data: both with all variables.
learning::Plan make_plan(const Arguments& arguments, const LearnedTree& learned) {
  const auto p = static_cast<double>(learned.tree.n_variables());
  learning::Plan plan;
  plan.memory_bytes = 2e7 + 300 * p;
  plan.unit = "variables";
  plan.units = learned.tree.n_variables();
  if (arguments.has("truth")) plan.seconds += p * p * 1e-8 / arguments.threads();
  if (arguments.has("data")) {
    const auto header = store::read_sample_header(arguments.text("data"));
    const auto cells = static_cast<double>(header.n_samples) * p;
    plan.memory_bytes += cells / 8 * (header.has_missing ? 2 : 1);
    plan.seconds += cells * 1e-7 / arguments.threads();
  }
  return plan;
}

}  // namespace

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

void add_evaluate_options(options_description& options) {
  options.add_options()(
      "moment", boost::program_options::value<std::string>()->value_name("NAMES"),
      "of a tree: E[product] of these signs (a,b,... or @FILE), hidden and observed, and what it "
      "may be off");
  family::add_data_option(options);
  family::add_train_option(options);
}

void evaluate(const LearnedTree& learned, const Arguments& arguments) {
  family::require_with(arguments, "train", "data");
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(arguments, learned));
    return;
  }
  const std::optional<LearnedTree> truth = load_true_tree(arguments, learned.tree);
  TreeResults results;
  if (truth) results.scores = score_tree(learned, truth->tree);
  if (arguments.has("moment")) {
    results.moment = moment_of(arguments, learned, truth, results.scores);
  }
  if (arguments.has("data")) results.data = score_data(arguments, learned, truth);
  if (arguments.json()) {
    print_as_json(results, learned);
  } else {
    print_text(results, learned);
  }
}

}  // namespace orrery::sign_tree
