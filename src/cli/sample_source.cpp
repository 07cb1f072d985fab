#include "cli/sample_source.hpp"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/model_argument.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_generators.hpp"
#include "orrery/model/generators.hpp"

namespace orrery::cli {
namespace {

namespace po = boost::program_options;

using model::LearnedCategorical;
using model::LearnedLinear;
using model::LearnedModel;
using model::LearnedTree;

std::vector<std::string> names_of(const model::AnyModel& truth) {
  if (const auto* tree = std::get_if<LearnedTree>(&truth)) return tree->tree.names();
  if (const auto* linear = std::get_if<LearnedLinear>(&truth)) return linear->network.names();
  if (const auto* categorical = std::get_if<LearnedCategorical>(&truth)) {
    return categorical->network.names();
  }
  const model::NoisyOrNetwork& network = std::get<LearnedModel>(truth).network;
  std::vector<std::string> names;
  for (const auto& observed : network.observed()) names.push_back(observed.name);
  return names;
}

/// "OFF,ON", probabilities, OFF < ON.
std::pair<double, double> parse_anchor_rates(const std::string& text) {
  const auto fail = [&] {
    return UsageError(
        fmt::format("--anchor-rates {}: must be OFF,ON: how often an anchor is on without and with "
                    "its cause, 0 <= OFF < ON <= 1, such as .05,.7",
                    text));
  };
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) throw fail();
  const auto number = [&](const std::string& part) {
    double value = 0;
    const char* end = part.data() + part.size();
    const auto read = std::from_chars(part.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) throw fail();
    return value;
  };
  const std::pair rates{number(text.substr(0, comma)), number(text.substr(comma + 1))};
  if (!(rates.first >= 0 && rates.first < rates.second && rates.second <= 1)) throw fail();
  return rates;
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
  if (arguments.has("concentration")) {
    parameters.concentration = arguments.get<double>("concentration");
  }
  if (arguments.has("anchor-rates")) {
    parameters.anchored.rates = parse_anchor_rates(arguments.text("anchor-rates"));
  }
  if (arguments.has("violations")) {
    parameters.anchored.violations = arguments.get<double>("violations");
    if (!(parameters.anchored.violations >= 0 && parameters.anchored.violations <= 1)) {
      throw UsageError(fmt::format("--violations {}: must be a share of the anchors, 0 to 1",
                                   parameters.anchored.violations));
    }
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
  if (std::holds_alternative<LearnedCategorical>(truth)) {
    refuse_options(arguments,
                   {"flip", "correlations", "crossover", "cause-law", "cause-correlation",
                    "anchor-rates", "violations", "labels", "label-share"},
                   name, of_categorical);
    if (!model::is_categorical_spec(name)) {
      refuse_options(arguments, {"concentration"}, name, "a network with tables of its own");
    }
    return;
  }
  refuse_options(arguments, {"concentration", "missing-share"}, name, family_of(truth));
  const auto* learned = std::get_if<LearnedModel>(&truth);
  if (learned != nullptr && !learned->network.is_plain()) {
    refuse_options(arguments, {"correlations", "crossover", "cause-law", "cause-correlation"}, name,
                   family_of(truth));
    if (!model::is_anchored_spec(name)) {
      refuse_options(arguments, {"anchor-rates", "violations"}, name,
                     "a network with anchors of its own");
    }
    return;
  }
  refuse_options(arguments, {"anchor-rates", "violations", "labels", "label-share"}, name,
                 family_of(truth));
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
  refuse_options(arguments, {"cause-law", "cause-correlation"}, name, family_of(truth));
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
      model::linear_generator_help() + ", " + model::anchored_generator_help() + ", " +
      model::categorical_generator_help() +
      ", or a model file (FILE:NAME for one of several networks)";
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
      "of a linear:bipartite:...: the correlation of any two causes (0 without it)")(
      "anchor-rates", po::value<std::string>()->value_name("OFF,ON"),
      "of an anchored:...: how often each anchor is on without and with its cause (drawn without "
      "it)")("violations", po::value<double>()->value_name("SHARE"),
             "of an anchored:...: this share of the anchors has other causes too, which breaks "
             "what anchors promise (0 without it)")(
      "labels", po::value<std::string>()->value_name("FILE"),
      "of an anchored network: the values of the causes, as a file of samples whose columns are "
      "the causes")("label-share", po::value<double>()->value_name("S")->default_value(1),
                    "with --labels: each value is there with this probability, the rest are "
                    "missing")(
      "concentration", po::value<double>()->value_name("A"),
      "of a categorical:...: rows of tables are drawn from a Dirichlet distribution of A "
      "pseudocounts, 1 to 10^6, around those that it has without this option")(
      "missing-share", po::value<double>()->value_name("Q"),
      "of a categorical network: each value is missing with this probability (0 without it)");
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
  if (const auto* categorical = std::get_if<LearnedCategorical>(&truth)) {
    object["n_causes"] = categorical->network.n_causes();
    object["n_edges"] = categorical->network.n_edges();
    return fmt::format("a categorical network of {} hidden causes, {} edges",
                       categorical->network.n_causes(), categorical->network.n_edges());
  }
  const model::NoisyOrNetwork& network = std::get<LearnedModel>(truth).network;
  object["n_causes"] = network.n_causes();
  if (network.is_plain()) return fmt::format("{} hidden causes", network.n_causes());
  object["n_edges"] = network.edges().size();
  object["n_cause_edges"] = network.cause_network().n_edges();
  object["n_anchors"] = network.anchors().size();
  return fmt::format("{} of {} hidden causes, {} edges among them, {} anchors", family_of(truth),
                     network.n_causes(), network.cause_network().n_edges(),
                     network.anchors().size());
}

}  // namespace orrery::cli
