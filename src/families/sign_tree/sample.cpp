// `sample` for signs on a tree: as they are seen through noise, of one crossover for all variables
// or of one for each.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/arguments.hpp"
#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/unequal_noise.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "model/generator_spec.hpp"
#include "model/tree_generators.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_sampling.hpp"

namespace orrery::sign_tree {
namespace {

namespace po = boost::program_options;
using model::LearnedTree;

/// --crossover Q, or LO,HI: each variable's own, uniform on [LO, HI].
struct Noise {
  double low = 0;
  double high = 0;
};

Noise noise_of(const Arguments& arguments) {
  const std::string text = arguments.text("crossover");
  const std::vector<model::SpecPart> parts = model::split_spec(text);
  if (parts.empty() || parts.size() > 2 ||
      std::ranges::any_of(parts, [](const auto& part) { return !part.key.empty(); })) {
    throw UsageError(
        fmt::format("--crossover {}: Q, or LO,HI for a crossover of each variable's own", text));
  }
  const auto value = [&](const std::string& part) {
    const double crossover = model::parse_real("--crossover", part, 0, .5);
    if (crossover < .5) return crossover;
    throw UsageError(
        fmt::format("--crossover {}: must be a probability below 0.5: at 0.5 the observed signs "
                    "say nothing of the hidden ones",
                    crossover));
  };
  const Noise noise{value(std::string(parts.front().value)),
                    value(std::string(parts.back().value))};
  if (noise.low <= noise.high) return noise;
  throw UsageError(fmt::format("--crossover {}: {} is above {}; write the lower one first", text,
                               noise.low, noise.high));
}

/// Of --crossover LO,HI; empty if one crossover is that of all variables.
std::vector<double> own_crossovers(const Arguments& arguments, std::size_t p) {
  if (!arguments.has("crossover")) return {};
  const Noise noise = noise_of(arguments);
  if (noise.low == noise.high) return {};
  return draw_crossovers(p, noise.low, noise.high, arguments.seed());
}

model::TreeParameters parameters_of(const Arguments& arguments) {
  model::TreeParameters parameters;
  if (arguments.has("correlations")) {
    model::parse_correlations("--correlations", arguments.text("correlations"), parameters);
  }
  if (arguments.has("crossover")) {
    const Noise noise = noise_of(arguments);
    parameters.crossover = (noise.low + noise.high) / 2;
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
      "crossover", po::value<std::string>()->value_name("Q|LO,HI"),
      "of a tree: each sign is observed as its opposite with this probability (0, or the file's, "
      "without it); with LO,HI every variable has a probability of its own, uniform on [LO, HI]");
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
  LearnedTree learned = with_options(given, arguments);
  const std::vector<double> crossovers = own_crossovers(arguments, learned.tree.n_variables());
  describe_noise(crossovers, learned);
  const model::SignTree& tree = learned.tree;
  const auto flip = family::flip_option(arguments, tree.n_variables());
  const std::uint64_t seed = arguments.seed();
  const auto rows = [&](std::uint64_t first_row, std::size_t n_rows) {
    data::BitColumns block = crossovers.empty()
                                 ? model::sample_tree_rows(tree, seed, first_row, n_rows)
                                 : model::sample_hidden_rows(tree, seed, first_row, n_rows);
    if (!crossovers.empty()) flip_each(block, crossovers, seed, first_row);
    if (flip) model::contaminate(block, *flip, seed, first_row);
    return block;
  };
  nlohmann::json facts{{"n_edges", tree.edges().size()}, {"crossover", tree.crossover()}};
  if (!crossovers.empty()) facts["crossovers"] = crossovers;
  family::draw(
      arguments, team, family::BitDraws(tree.names(), rows, family::group_of(learned)),
      {tree.n_variables(),
       fmt::format("a tree of {} edges, {} {}", tree.edges().size(),
                   crossovers.empty() ? "crossover" : "crossovers of mean", tree.crossover()),
       std::move(facts)});
}

}  // namespace orrery::sign_tree
