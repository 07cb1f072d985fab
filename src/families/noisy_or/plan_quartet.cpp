// orrery plan quartet --network NETWORK: the samples that suffice for quartet tests by Theorems 1
// and 2 (Jernite, Halpern, Sontag 2013), up to the constants that they leave open.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "family/table.hpp"
#include "model/sample_complexity.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;

/// Of a network: what the theorems depend on.
struct Needs {
  model::RankTestability rank;
  model::SubtractionWidth width;
  int depth = 0;                ///< of the learnable causes
  std::size_t n_learnable = 0;  ///< causes
};

Needs needs_of(const model::NoisyOrNetwork& network) {
  Needs needs;
  const auto causes = model::learnability(network, model::quartet_size);
  needs.rank = model::rank_testability(network, most_quartets_examined);
  needs.width = model::subtraction_width(network, causes);
  for (const model::CauseLearnability& cause : causes) {
    if (cause.depth == model::CauseLearnability::never) continue;
    ++needs.n_learnable;
    needs.depth = std::max(needs.depth, static_cast<int>(cause.depth));
  }
  return needs;
}

/// Of 10^x: as a count where that can be read, else as a power.
std::string describe_power(double log10) {
  if (!std::isfinite(log10)) return "no number";
  if (log10 < 9) return format_count(static_cast<std::uint64_t>(std::ceil(std::pow(10, log10))));
  return fmt::format("10^{:.1f}", log10);
}

void show_needs(const model::NoisyOrNetwork& network, const Needs& needs,
                const model::SampleComplexity& sizes, report::Section& section) {
  section.sentences.push_back(fmt::format("{} of {} causes can be learned by perfect quartet tests",
                                          needs.n_learnable, network.n_causes()));
  section.show("least prior", fmt::format("{:.4g}", sizes.least_prior))
      .show("failures", fmt::format("{:.4g} to {:.4g}", sizes.least_failure, sizes.most_failure))
      .show("least P(variable is off)", fmt::format("{:.4g}", sizes.least_off))
      .show("epsilon",
            std::isfinite(needs.rank.epsilon) ? fmt::format("{:.4g}", needs.rank.epsilon)
                                              : std::string("none"),
            "the least third singular value of a quartet that two causes or more couple")
      .show("depth", fmt::format("{}", needs.depth), "rounds of subtracting off")
      .show("width", fmt::format("{}", needs.width.width),
            "causes to subtract off before a quartet is singly coupled");
  section.data("n_causes", network.n_causes())
      .data("n_learnable", needs.n_learnable)
      .data("least_prior", sizes.least_prior)
      .data("least_failure", sizes.least_failure)
      .data("most_failure", sizes.most_failure)
      .data("least_off", sizes.least_off)
      .data("priors_below_half", sizes.priors_below_half);
  add_rank_and_width(needs.rank, needs.width, section);
  section.data("depth", needs.depth);
}

}  // namespace

void add_rank_and_width(const model::RankTestability& rank, const model::SubtractionWidth& width,
                        report::Section& section) {
  section
      .data("epsilon",
            std::isfinite(rank.epsilon) ? nlohmann::json(rank.epsilon) : nlohmann::json())
      .data("quartets", rank.n_quartets < 0x1p53
                            ? nlohmann::json(static_cast<std::uint64_t>(rank.n_quartets))
                            : nlohmann::json(rank.n_quartets))
      .data("quartets_examined", rank.n_examined)
      .data("width", width.width)
      .data("width_is_exact", width.is_exact);
}

void add_plan_options(po::options_description& options) {
  options.add_options()("network", po::value<std::string>()->value_name("NETWORK"),
                        "the network that is to be learned")(
      "delta", po::value<double>()->default_value(.05, "0.05"), "probability of failure")(
      "samples", po::value<double>()->value_name("N"),
      "how many there are: also how far a parameter may be off by the theorem");
}

void plan(const cli::Arguments& arguments, report::Sheet& sheet) {
  if (!arguments.has("network")) {
    throw UsageError("--network is missing; `orrery plan quartet --help` says what it is");
  }
  const auto source = arguments.get<std::string>("network");
  const auto delta = arguments.get<double>("delta");
  if (!(delta > 0 && delta < 1)) {
    throw UsageError(fmt::format("--delta {}: a probability, more than 0, less than 1", delta));
  }
  const family::AnyModel model = family::load_model(source, arguments.get<std::uint64_t>("seed"));
  const model::NoisyOrNetwork network = require_independent(model, source).network;
  if (network.edges().empty()) {
    throw InputError(fmt::format("{}: a network without edges; there is nothing to learn", source));
  }
  const Needs needs = needs_of(network);
  const model::SampleComplexity sizes =
      model::sample_complexity(network, needs.rank.epsilon, needs.depth, needs.width.width, delta);
  report::Section& section = sheet.section("", "Quartet tests");
  show_needs(network, needs, sizes, section);
  section.show("samples that suffice", describe_power(sizes.log10_samples),
               fmt::format("Theorem {}, up to a constant", needs.depth == 0 ? 1 : 2));
  section.data("delta", delta).data("log10_sufficient", sizes.log10_samples);
  if (!sizes.priors_below_half) {
    section.sentences.push_back(
        "the theorems ask for priors of at most 0.5, and this network has higher ones");
  }
  if (!arguments.has("samples")) return;
  const auto samples = arguments.get<double>("samples");
  if (!(samples >= 1)) throw UsageError(fmt::format("--samples {}: 1 or more", samples));
  const double error =
      sizes.log10_error_scale +
      std::log10(std::log(2 * static_cast<double>(network.n_observed()) / delta) / samples) / 2;
  section.show("error of a parameter", fmt::format("at most 10^{:.1f}", error),
               "Theorem 1, up to a constant; above 1 it says nothing");
  section.data("samples", samples).data("log10_error", error);
}

}  // namespace orrery::noisy_or
