// `sample` for signs on a tree.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "families/sign_tree/commands.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "model/tree_generators.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_sampling.hpp"

namespace orrery::sign_tree {
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
