#include "families/noisy_or/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/progress.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/anchored_info.hpp"
#include "families/noisy_or/commands.hpp"
#include "model/cause_dependence.hpp"
#include "model/learnability.hpp"

namespace orrery::noisy_or {
namespace {

std::string quartet_names(const model::LearnedModel& model, std::size_t cause) {
  std::string text;
  if (model.provenance.empty()) return text;
  for (const std::int32_t x : model.provenance[cause].quartet) {
    if (x < 0) continue;
    text += (text.empty() ? "" : " ") + model.network.observed()[static_cast<std::size_t>(x)].name;
  }
  return text;
}

/// "x4, x1, x7": the variables that the cause switches on most surely.
std::string strongest_names(const model::LearnedModel& model, std::size_t cause) {
  constexpr std::size_t most = 3;
  const auto children = model.network.children(cause);
  std::vector<model::Edge> edges(children.begin(), children.end());
  std::ranges::stable_sort(edges, {}, &model::Edge::failure);
  std::string names;
  for (std::size_t e = 0; e < edges.size() && e < most; ++e) {
    names += (e == 0 ? "" : ", ") + model.network.observed()[edges[e].observed].name;
  }
  return names;
}

std::string describe_dependences(const model::NoisyOrNetwork& network) {
  std::string text;
  for (const model::CauseDependence& dependence : model::dependences_of(network)) {
    text += fmt::format("  {}\n", model::in_words(dependence, network));
  }
  return text;
}

nlohmann::json dependences_json(const model::NoisyOrNetwork& network) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [cause, parent, with, without] : model::dependences_of(network)) {
    list.push_back({{"cause", network.causes()[cause].name},
                    {"parent", network.causes()[parent].name},
                    {"with", with},
                    {"without", without}});
  }
  return list;
}

std::string describe_learned(const model::LearnedModel& model, const std::string& output,
                             const std::vector<std::int32_t>& structural_depths, double seconds) {
  const std::string depths = describe_depths(structural_depths);
  std::string text =
      fmt::format("{} cause{}{} of {} variables from {} in {}\n", model.network.n_causes(),
                  model.network.n_causes() == 1 ? "" : "s",
                  depths.empty() ? "" : fmt::format(" ({})", depths), model.network.n_observed(),
                  model.n_samples == 0 ? "exact moments"
                                       : fmt::format("{} samples", format_count(model.n_samples)),
                  format_duration(seconds));
  text += describe_causes(model, structural_depths);
  text += describe_dependences(model.network);
  for (const std::string& remark : model.remarks) text += fmt::format("  {}\n", remark);
  return text +
         fmt::format("written to {}; see it with: orrery report {} -o report.html", output, output);
}

/// "   support 12   stability 0.98", as far as they are known.
std::string describe_evidence(const model::LearnedModel& model, std::size_t cause) {
  std::string text;
  if (!model.provenance.empty() && model.provenance[cause].support > 0) {
    text += fmt::format("   support {}", format_count(model.provenance[cause].support));
  }
  if (model.stability.resamples > 0) {
    text += fmt::format("   stability {:.2f}", model.stability.cause[cause]);
  }
  return text;
}

}  // namespace

std::string describe_depth(std::int32_t depth) {
  return depth == model::CauseLearnability::never ? "never by quartets"
                                                  : fmt::format("depth {}", depth);
}

std::string describe_depths(const std::vector<std::int32_t>& depths) {
  std::map<std::int32_t, std::size_t> count;
  std::size_t n_never = 0;
  for (const std::int32_t depth : depths) {
    if (depth == model::CauseLearnability::never) {
      ++n_never;
    } else {
      ++count[depth];
    }
  }
  std::string text;
  for (const auto& [depth, n] : count) {
    text += fmt::format("{}{} at depth {}", text.empty() ? "" : ", ", n, depth);
  }
  if (n_never > 0) text += fmt::format("{}{} never by quartets", text.empty() ? "" : ", ", n_never);
  return text;
}

nlohmann::json depth_json(std::int32_t depth) {
  return depth == model::CauseLearnability::never ? nlohmann::json(nullptr) : nlohmann::json(depth);
}

nlohmann::json interval_json(const std::optional<Interval>& interval) {
  if (!interval) return nullptr;
  return {interval->low, interval->high};
}

std::string describe_interval(const std::optional<Interval>& interval) {
  return interval ? fmt::format(" ({:.3g} to {:.3g})", interval->low, interval->high) : "";
}

nlohmann::json causes_json(const model::LearnedModel& model,
                           const std::vector<std::int32_t>& structural_depths) {
  nlohmann::json causes = nlohmann::json::array();
  for (std::size_t u = 0; u < model.network.n_causes(); ++u) {
    const auto& cause = model.network.causes()[u];
    nlohmann::json entry{{"name", cause.name},
                         {"prior", cause.prior},
                         {"children", model.network.children(u).size()}};
    if (!model.errors.empty()) {
      entry["prior_interval"] = interval_json(interval95(cause.prior, model.errors.prior, u));
    }
    if (!model.provenance.empty()) {
      entry["depth"] = model.provenance[u].depth;
      if (!structural_depths.empty()) {
        entry["structural_depth"] = depth_json(structural_depths[u]);
      }
      entry["quartet"] = model.provenance[u].quartet;
      entry["statistic"] = model.provenance[u].statistic;
      if (model.provenance[u].statistic_error > 0) {
        entry["statistic_error"] = model.provenance[u].statistic_error;
      }
      if (model.provenance[u].support > 0) entry["support"] = model.provenance[u].support;
    }
    if (model.stability.resamples > 0) entry["stability"] = model.stability.cause[u];
    causes.push_back(std::move(entry));
  }
  return causes;
}

std::string describe_causes(const model::LearnedModel& model,
                            const std::vector<std::int32_t>& structural_depths) {
  std::string text;
  for (std::size_t u = 0; u < model.network.n_causes(); ++u) {
    const auto& cause = model.network.causes()[u];
    text += fmt::format("  {:12} prior {:<8.4g}{} {:4} children{}", cause.name, cause.prior,
                        describe_interval(interval95(cause.prior, model.errors.prior, u)),
                        model.network.children(u).size(), describe_evidence(model, u));
    if (!structural_depths.empty()) {
      text += "   " + describe_depth(structural_depths[u]);
    }
    const std::string members = quartet_names(model, u);
    text += members.empty() ? "   strongest " + strongest_names(model, u) : "   from " + members;
    text += '\n';
  }
  return text;
}

nlohmann::json info_json(const model::LearnedModel& model) {
  if (!model.network.anchors().empty()) return anchored_info_json(model);
  nlohmann::json info{{"learner", model.learner},
                      {"n_causes", model.network.n_causes()},
                      {"n_observed", model.network.n_observed()},
                      {"n_edges", model.network.edges().size()},
                      {"n_samples", model.n_samples},
                      {"data_digest", fmt::format("{:016x}", model.data_digest)},
                      {"standard_errors", !model.errors.empty()},
                      {"n_cause_edges", model.network.cause_network().n_edges()},
                      {"resamples", model.stability.resamples}};
  if (!model.remarks.empty()) info["remarks"] = model.remarks;
  return info;
}

std::string describe_info(const nlohmann::json& info) {
  if (info.contains("n_anchors")) return describe_anchored_info(info);
  const auto learner = info["learner"].get<std::string>();
  const auto resamples = info["resamples"].get<std::uint32_t>();
  const auto n_cause_edges = info["n_cause_edges"].get<std::size_t>();
  return fmt::format("model: {} causes, {} variables, {} edges{}{}{}{}\n",
                     info["n_causes"].get<std::size_t>(), info["n_observed"].get<std::size_t>(),
                     info["n_edges"].get<std::size_t>(),
                     n_cause_edges > 0 ? fmt::format(", {} edges among causes", n_cause_edges) : "",
                     learner.empty() ? "" : ", learned by " + learner,
                     info["standard_errors"].get<bool>() ? ", with standard errors" : "",
                     resamples > 0
                         ? fmt::format(", stability from {} resamples", format_count(resamples))
                         : "") +
         cli::describe_remarks(info);
}

void print_learned(const model::LearnedModel& model, const Arguments& arguments,
                   const std::string& output, double seconds) {
  if (!model.network.anchors().empty()) {
    print_anchored_summary(arguments, model, output, seconds);
    return;
  }
  const std::vector<std::int32_t> depths = model::structural_depths(model);
  nlohmann::json object{{"causes", causes_json(model, depths)},
                        {"n_observed", model.network.n_observed()},
                        {"n_samples", model.n_samples},
                        {"output", output},
                        {"seconds", seconds}};
  if (model.network.has_dependent_causes()) object["dependences"] = dependences_json(model.network);
  if (!model.remarks.empty()) object["remarks"] = model.remarks;
  cli::print_done(arguments, object, describe_learned(model, output, depths, seconds));
}

}  // namespace orrery::noisy_or
