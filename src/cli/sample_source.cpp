#include "cli/sample_source.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/model_argument.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

using model::LearnedLinear;
using model::LearnedModel;
using model::LearnedTree;

std::vector<std::string> names_of(const model::AnyModel& truth) {
  if (const auto* tree = std::get_if<LearnedTree>(&truth)) return tree->tree.names();
  if (const auto* linear = std::get_if<LearnedLinear>(&truth)) return linear->network.names();
  std::vector<std::string> names;
  for (const auto& observed : std::get<LearnedModel>(truth).network.observed()) {
    names.push_back(observed.name);
  }
  return names;
}

GeneratorParameters parameters_of(const Arguments& arguments) {
  GeneratorParameters parameters;
  if (arguments.has("correlations")) {
    model::parse_correlations("--correlations", arguments.text("correlations"), parameters.tree);
  }
  if (arguments.has("crossover")) {
    const auto crossover = arguments.get<double>("crossover");
    if (!(crossover >= 0 && crossover < .5)) {
      throw UsageError(
          fmt::format("--crossover {}: must be a probability below .5: at .5 the "
                      "observed signs say nothing of the hidden ones",
                      crossover));
    }
    parameters.tree.crossover = crossover;
  }
  if (arguments.has("cause-law")) {
    parameters.linear.law = model::parse_cause_law("--cause-law", arguments.text("cause-law"));
  }
  if (arguments.has("cause-correlation")) {
    parameters.linear.correlation = arguments.get<double>("cause-correlation");
  }
  return parameters;
}

/// The crossover also replaces a file's.
void set_crossover(const Arguments& arguments, double crossover, LearnedTree& learned) {
  if (!arguments.has("crossover")) return;
  const model::SignTree& old = learned.tree;
  learned.tree = model::SignTree(old.names(), old.means(), old.edges(), crossover);
  learned.crossover_error = 0;
}

/// And so does the law.
void set_law(const Arguments& arguments, model::CauseLaw law, LearnedLinear& learned) {
  if (!arguments.has("cause-law")) return;
  model::LinearParts parts = learned.network.parts();
  parts.law = law;
  learned.network = model::LinearNetwork(std::move(parts));
}

/// Refuses options of other families and, of one's own family, those of generators.
void settle_options(const Arguments& arguments, const std::string& name,
                    const GeneratorParameters& parameters, model::AnyModel& truth) {
  auto* linear = std::get_if<LearnedLinear>(&truth);
  if (linear != nullptr) {
    refuse_options(arguments, {"correlations", "crossover", "flip"}, name, of_linear);
    if (!name.starts_with("linear:bipartite:")) {
      refuse_options(arguments, {"cause-correlation"}, name,
                     "a network that says how its causes go together");
    }
    if (!model::is_linear_spec(name)) set_law(arguments, parameters.linear.law, *linear);
    return;
  }
  auto* tree = std::get_if<LearnedTree>(&truth);
  refuse_options(arguments, {"cause-law", "cause-correlation"}, name,
                 tree != nullptr ? of_trees : of_networks);
  if (tree == nullptr) {
    refuse_options(arguments, {"correlations", "crossover"}, name, of_networks);
  } else if (!model::is_tree_spec(name)) {
    refuse_options(arguments, {"correlations"}, name, "a tree with correlations of its own");
    set_crossover(arguments, parameters.tree.crossover, *tree);
  }
}

}  // namespace

void add_source_options(po::options_description& options) {
  const std::string network_help =
      "what to sample: " + model::generator_help() + ", " + model::tree_generator_help() + ", " +
      model::linear_generator_help() + ", or a model file (FILE:NAME for one of several networks)";
  options.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                        network_help.c_str())(
      "flip", po::value<std::string>()->value_name("SHARE:STEP"),
      "contamination of bits: in this share of the rows every STEPth variable (0, STEP, ...) is "
      "the opposite of what the network says; /model stays the clean truth")(
      "correlations", po::value<std::string>()->value_name("LO,HI[,signed]"),
      "of a tree:...'s edges: uniform on [LO, HI] (.2,.8 without it); with signed, half of them, "
      "at random, are negative")(
      "crossover", po::value<double>()->value_name("Q"),
      "of a tree: each sign is observed as its opposite with this probability (0, or the file's, "
      "without it)")(
      "cause-law", po::value<std::string>()->value_name("LAW"),
      "of a linear network: what its independent causes (innovations) are drawn from: gaussian, "
      "skewed or heavy-tailed (gaussian, or the file's, without it)")(
      "cause-correlation", po::value<double>()->value_name("R"),
      "of a linear:bipartite:...: the correlation of any two causes (0 without it)");
}

SampleSource load_source(const Arguments& arguments, const parallel::Team& team) {
  const std::string name = arguments.required("network");
  const GeneratorParameters parameters = parameters_of(arguments);
  SampleSource source{load_model(team, name, arguments.seed(), parameters), {}};
  settle_options(arguments, name, parameters, source.truth);
  source.names = names_of(source.truth);
  if (source.names.empty()) {
    throw InputError(
        fmt::format("{}: the network has no observed variable; there is nothing to draw", name));
  }
  return source;
}

std::string describe_truth(const model::AnyModel& truth, nlohmann::json& object) {
  if (const auto* tree = std::get_if<LearnedTree>(&truth)) {
    object["n_edges"] = tree->tree.edges().size();
    object["crossover"] = tree->tree.crossover();
    return fmt::format("a tree of {} edges, crossover {}", tree->tree.edges().size(),
                       tree->tree.crossover());
  }
  if (const auto* linear = std::get_if<LearnedLinear>(&truth)) {
    const model::LinearNetwork& network = linear->network;
    object["n_causes"] = network.n_causes();
    object["n_edges"] = network.n_edges();
    object["law"] = model::cause_law_name(network.law());
    return fmt::format("a linear network of {} hidden causes, {} edges, {} law", network.n_causes(),
                       network.n_edges(), model::cause_law_name(network.law()));
  }
  const std::size_t n_causes = std::get<LearnedModel>(truth).network.n_causes();
  object["n_causes"] = n_causes;
  return fmt::format("{} hidden causes", n_causes);
}

}  // namespace orrery::cli
