#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/categorical/commands.hpp"

namespace orrery::categorical {
namespace {

using model::CategoricalNetwork;
using model::LearnedCategorical;
using nlohmann::json;

constexpr std::size_t listed_categorical_causes = 40;
constexpr std::size_t listed_children = 12;

json numbers_json(const std::vector<double>& values) {
  json list = json::array();
  for (const double value : values) list.push_back(cli::finite_or_null(value));
  return list;
}

json causes_json(const CategoricalNetwork& network) {
  json causes = json::array();
  for (std::size_t k = 0; k < network.n_causes(); ++k) {
    json children = json::array();
    for (const auto& variable : network.variables()) {
      if (std::ranges::binary_search(variable.parents, k)) children.push_back(variable.name);
    }
    causes.push_back({{"name", network.causes()[k].name},
                      {"prior", numbers_json(network.causes()[k].prior)},
                      {"children", std::move(children)}});
  }
  return causes;
}

json choices_json(const std::vector<LearnedCategorical::Choice>& choices) {
  json list = json::array();
  for (const auto& choice : choices) {
    list.push_back({{"n_causes", choice.n_causes},
                    {"held_out", cli::finite_or_null(choice.held_out)},
                    {"error", cli::finite_or_null(choice.error)}});
  }
  return list;
}

/// "  cause 1      prior (0.67, 0.33), 17 variables: x1, x4, ..."
std::string describe_categorical_cause(const json& cause) {
  std::vector<std::string> prior;
  for (const json& p : cause.at("prior")) prior.push_back(fmt::format("{:.3g}", p.get<double>()));
  const json& children = cause.at("children");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(children.size(), listed_children); ++i) {
    names.push_back(children[i].get<std::string>());
  }
  return fmt::format("  {:12} prior ({}), {} variable{}{}{}{}\n",
                     cause.at("name").get<std::string>(), fmt::join(prior, ", "), children.size(),
                     children.size() == 1 ? "" : "s", names.empty() ? "" : ": ",
                     fmt::join(names, ", "), names.size() < children.size() ? ", ..." : "");
}

std::string describe_categorical_causes(const json& causes) {
  std::string text;
  const std::size_t shown = std::min(causes.size(), listed_categorical_causes);
  for (std::size_t k = 0; k < shown; ++k) text += describe_categorical_cause(causes[k]);
  if (shown < causes.size()) {
    text += fmt::format("  ... {} more; --json lists all\n", causes.size() - shown);
  }
  return text;
}

/// The evidence, the numbers of causes tried, and the remarks.
std::string describe_findings(const json& info) {
  std::string text;
  const auto kind = info.at("evidence_kind").get<std::string>();
  const json& evidence = info.at("log_evidence");
  if (!kind.empty() && evidence.is_number()) {
    text += fmt::format("  log evidence {:.6g} ({})\n", evidence.get<double>(), kind);
  }
  for (const json& choice : info.at("choices")) {
    const auto number = [&](const char* key) {
      return choice.at(key).is_null() ? "-" : fmt::format("{:.5g}", choice.at(key).get<double>());
    };
    text += fmt::format("  {} causes: held-out log likelihood {} a row, standard error {}\n",
                        choice.at("n_causes").get<std::uint32_t>(), number("held_out"),
                        number("error"));
  }
  for (const json& remark : info.at("remarks")) {
    text += fmt::format("  {}\n", remark.get<std::string>());
  }
  return text;
}

}  // namespace

json info_json(const LearnedCategorical& learned) {
  const CategoricalNetwork& network = learned.network;
  return {{"learner", learned.learner},
          {"n_causes", network.n_causes()},
          {"n_observed", network.n_observed()},
          {"n_edges", network.n_edges()},
          {"n_samples", learned.n_samples},
          {"data_digest", fmt::format("{:016x}", learned.data_digest)},
          {"posterior_of_structure", !learned.parent_sets.empty()},
          {"log_evidence", cli::finite_or_null(learned.log_evidence)},
          {"evidence_kind", learned.evidence_kind},
          {"choices", choices_json(learned.choices)},
          {"causes", causes_json(network)},
          {"remarks", learned.remarks}};
}

std::string describe_info(const json& info) {
  const auto learner = info.at("learner").get<std::string>();
  return fmt::format(
             "categorical network: {} causes of {} variables, {} edges{}{}\n",
             info.at("n_causes").get<std::size_t>(), info.at("n_observed").get<std::size_t>(),
             info.at("n_edges").get<std::size_t>(),
             learner.empty() ? "" : ", learned by " + learner,
             info.at("posterior_of_structure").get<bool>() ? ", with the posterior of its structure"
                                                           : "") +
         describe_categorical_causes(info.at("causes")) + describe_findings(info);
}

void print_learned(const LearnedCategorical& learned, const Arguments& arguments,
                   const std::string& output, double seconds) {
  json info = info_json(learned);
  const std::string text = fmt::format(
      "{} causes of {} variables with {} edges, from {} samples in {}\n{}{}written to {}; see it "
      "with: orrery report {} -o report.html",
      learned.network.n_causes(), learned.network.n_observed(), learned.network.n_edges(),
      format_count(learned.n_samples), format_duration(seconds),
      describe_categorical_causes(info["causes"]), describe_findings(info), output, output);
  info["output"] = output;
  info["seconds"] = seconds;
  cli::print_done(arguments, info, text);
}

}  // namespace orrery::categorical
