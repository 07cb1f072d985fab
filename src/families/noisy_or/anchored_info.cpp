#include "families/noisy_or/anchored_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/progress.hpp"
#include "cli/printing.hpp"

namespace orrery::noisy_or {
namespace {

using model::Anchor;
using model::AnchorRates;
using model::LearnedModel;
using model::NoisyOrNetwork;
using nlohmann::json;

constexpr std::size_t listed_anchored_causes = 40;

std::string counted(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", format_count(n), noun, n == 1 ? "" : "s");
}

/// As learned, or else as the parameters say.
AnchorRates rates_of(const LearnedModel& learned, std::size_t anchor) {
  if (!learned.rates.empty()) return learned.rates[anchor];
  const auto [off, on] = learned.network.anchor_rates(anchor);
  return {off, on, 0, 0, ""};
}

json anchors_json(const LearnedModel& learned, std::size_t cause) {
  const NoisyOrNetwork& network = learned.network;
  json list = json::array();
  for (std::size_t i = 0; i < network.anchors().size(); ++i) {
    const Anchor& anchor = network.anchors()[i];
    if (anchor.cause != cause) continue;
    const AnchorRates rates = rates_of(learned, i);
    list.push_back({{"name", network.observed()[anchor.observed].name},
                    {"columns", anchor.columns},
                    {"off", rates.off},
                    {"on", rates.on},
                    {"off_error", cli::finite_or_null(rates.off_error)},
                    {"on_error", cli::finite_or_null(rates.on_error)},
                    {"source", rates.source}});
  }
  return list;
}

json causes_json(const LearnedModel& learned) {
  const model::NoisyOrNetwork& loadings = learned.network;
  json causes = json::array();
  for (std::size_t i = 0; i < loadings.n_causes(); ++i) {
    json parents = json::array();
    for (const std::uint32_t parent : learned.network.cause_network().tables()[i].parents) {
      parents.push_back(loadings.causes()[parent].name);
    }
    causes.push_back({{"name", loadings.causes()[i].name},
                      {"prior", loadings.causes()[i].prior},
                      {"parents", std::move(parents)},
                      {"children", loadings.children(i).size()},
                      {"anchors", anchors_json(learned, i)}});
  }
  return causes;
}

/// "  h            prior 0.25    12 children, anchors: a (0.05, 0.7)"
std::string describe_anchored_cause(const json& cause) {
  std::string anchors;
  for (const json& anchor : cause.at("anchors")) {
    anchors += fmt::format("{}{} ({:.3g}, {:.3g})", anchors.empty() ? "" : ", ",
                           anchor.at("name").get<std::string>(), anchor.at("off").get<double>(),
                           anchor.at("on").get<double>());
  }
  return fmt::format("  {:12} prior {:<8.3g} {:4} children{}{}\n",
                     cause.at("name").get<std::string>(), cause.at("prior").get<double>(),
                     cause.at("children").get<std::size_t>(),
                     anchors.empty() ? ", no anchor" : ", on without and with it: ", anchors);
}

std::string describe_learned(const LearnedModel& learned, const json& causes,
                             const std::string& output, double seconds) {
  const NoisyOrNetwork& network = learned.network;
  std::string text = fmt::format(
      "{} of {} with {}, {} among causes, from {} in {}\n", counted(network.n_causes(), "cause"),
      counted(network.n_observed(), "variable"), counted(network.edges().size(), "loading"),
      counted(network.cause_network().n_edges(), "edge"),
      learned.n_samples == 0 ? "exact moments" : counted(learned.n_samples, "sample"),
      format_duration(seconds));
  const std::size_t shown = std::min(causes.size(), listed_anchored_causes);
  for (std::size_t i = 0; i < shown; ++i) text += describe_anchored_cause(causes[i]);
  if (shown < causes.size()) {
    text += fmt::format("  ... {} more; --json lists all\n", causes.size() - shown);
  }
  for (const std::string& remark : learned.remarks) text += fmt::format("  {}\n", remark);
  return text +
         fmt::format("written to {}; see it with: orrery report {} -o report.html", output, output);
}

}  // namespace

json anchored_info_json(const LearnedModel& learned) {
  const NoisyOrNetwork& network = learned.network;
  return {{"learner", learned.learner},
          {"n_causes", network.n_causes()},
          {"n_observed", network.n_observed()},
          {"n_edges", network.edges().size()},
          {"n_cause_edges", network.cause_network().n_edges()},
          {"n_anchors", network.anchors().size()},
          {"moments_order", learned.moments.order()},
          {"n_samples", learned.n_samples},
          {"data_digest", fmt::format("{:016x}", learned.data_digest)},
          {"standard_errors", !learned.errors.empty()},
          {"causes", causes_json(learned)},
          {"remarks", learned.remarks}};
}

std::string describe_anchored_info(const json& info) {
  const auto number = [&](const char* member, const char* noun) {
    return counted(info.at(member).get<std::uint64_t>(), noun);
  };
  const auto learner = info.at("learner").get<std::string>();
  std::string text =
      fmt::format("anchored network: {} of {}, {}, {} among causes, {}{}{}\n",
                  number("n_causes", "cause"), number("n_observed", "variable"),
                  number("n_edges", "loading"), number("n_cause_edges", "edge"),
                  number("n_anchors", "anchor"), learner.empty() ? "" : ", learned by " + learner,
                  info.at("standard_errors").get<bool>() ? ", with standard errors" : "");
  for (const json& remark : info.at("remarks")) {
    text += fmt::format("  {}\n", remark.get<std::string>());
  }
  return text;
}

void print_anchored_summary(const cli::Arguments& arguments, const LearnedModel& learned,
                            const std::string& output, double seconds) {
  const json causes = causes_json(learned);
  cli::print_done(arguments,
                  {{"causes", causes},
                   {"n_observed", learned.network.n_observed()},
                   {"n_edges", learned.network.edges().size()},
                   {"n_cause_edges", learned.network.cause_network().n_edges()},
                   {"remarks", learned.remarks},
                   {"n_samples", learned.n_samples},
                   {"output", output},
                   {"seconds", seconds}},
                  describe_learned(learned, causes, output, seconds));
}

}  // namespace orrery::noisy_or
