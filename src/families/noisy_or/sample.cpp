// `sample` for noisy-OR networks.
#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <utility>

#include "families/noisy_or/anchored_draws.hpp"
#include "families/noisy_or/commands.hpp"
#include "family/draws.hpp"
#include "family/table.hpp"
#include "model/anchored_generators.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;
using model::LearnedModel;

/// "OFF,ON", probabilities, OFF < ON.
std::pair<double, double> parse_anchor_rates(const std::string& text) {
  const auto fail = [&] {
    return UsageError(
        fmt::format("--anchor-rates {}: must be OFF,ON: how often an anchor is on without and with "
                    "its cause, 0 <= OFF < ON <= 1, such as 0.05,0.7",
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

model::AnchoredChoices choices_of(const Arguments& arguments) {
  model::AnchoredChoices choices;
  if (arguments.has("anchor-rates")) {
    choices.rates = parse_anchor_rates(arguments.text("anchor-rates"));
  }
  if (arguments.has("violations")) {
    choices.violations = arguments.get<double>("violations");
    if (!(choices.violations >= 0 && choices.violations <= 1)) {
      throw UsageError(fmt::format("--violations {}: must be a share of the anchors, 0 to 1",
                                   choices.violations));
    }
  }
  return choices;
}

family::Drawn describe_truth(const LearnedModel& learned, const std::string& labels) {
  const model::NoisyOrNetwork& network = learned.network;
  family::Drawn drawn{network.n_observed(), "", {{"n_causes", network.n_causes()}}, labels};
  if (network.is_plain()) {
    drawn.truth = fmt::format("{} hidden causes", network.n_causes());
    return drawn;
  }
  drawn.numbers["n_edges"] = network.edges().size();
  drawn.numbers["n_cause_edges"] = network.cause_network().n_edges();
  drawn.numbers["n_anchors"] = network.anchors().size();
  drawn.truth =
      fmt::format("{} of {} hidden causes, {} edges among them, {} anchors", describe_kind(learned),
                  network.n_causes(), network.cause_network().n_edges(), network.anchors().size());
  return drawn;
}

}  // namespace

void add_sample_options(po::options_description& options) {
  family::add_flip_option(options);
  options.add_options()(
      "anchor-rates", po::value<std::string>()->value_name("OFF,ON"),
      "of an anchored:...: how often each anchor is on without and with its cause (drawn without "
      "it)")("violations", po::value<double>()->value_name("SHARE"),
             "of an anchored:...: this share of the anchors has other causes too, which breaks "
             "what anchors promise (0 without it)")(
      "labels", po::value<std::string>()->value_name("FILE"),
      "of an anchored network: the values of the causes, as a file of samples whose columns are "
      "the causes")("label-share", po::value<double>()->value_name("S")->default_value(1),
                    "with --labels: each value is there with this probability, the rest are "
                    "missing");
}

std::optional<family::AnyModel> generate(const std::string& argument, std::uint64_t seed,
                                         const Arguments* arguments) {
  LearnedModel learned;
  if (auto network = model::generate_network(argument, seed)) {
    learned.network = std::move(*network);
    return learned;
  }
  const auto spec = model::parse_anchored_spec(argument);
  if (!spec) return std::nullopt;
  const auto choices = arguments != nullptr ? choices_of(*arguments) : model::AnchoredChoices();
  learned.network = model::generate_anchored(*spec, choices, seed);
  return learned;
}

void sample(const LearnedModel& learned, const Arguments& arguments, const parallel::Team& team) {
  const std::string name = arguments.text("network");
  const model::NoisyOrNetwork& network = learned.network;
  const std::uint64_t seed = arguments.seed();
  if (network.is_plain()) {
    family::refuse_options(arguments, {"anchor-rates", "violations", "labels", "label-share"}, name,
                           describe_kind(learned));
    const auto flip = family::flip_option(arguments, network.n_observed());
    const auto rows = [&](std::uint64_t first_row, std::size_t n_rows) {
      data::BitColumns block = model::sample_rows(network, seed, first_row, n_rows);
      if (flip) model::contaminate(block, *flip, seed, first_row);
      return block;
    };
    family::draw(arguments, team,
                 family::BitDraws(observed_names(network), rows, family::group_of(learned)),
                 describe_truth(learned, ""));
    return;
  }
  if (!model::is_anchored_spec(name)) {
    family::refuse_options(arguments, {"anchor-rates", "violations"}, name,
                           "a network with anchors of its own");
  }
  const auto flip = family::flip_option(arguments, network.n_observed());
  const LabelOptions labels = label_options(arguments);
  family::draw(arguments, team, AnchoredDraws(learned, seed, labels, flip),
               describe_truth(learned, labels.path));
}

}  // namespace orrery::noisy_or
