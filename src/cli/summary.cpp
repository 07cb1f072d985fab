#include "cli/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "orrery/base/log.hpp"
#include "orrery/base/progress.hpp"
#include "orrery/model/cause_dependence.hpp"
#include "orrery/model/learnability.hpp"

namespace orrery::cli {
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

/// " (program 20 MB, bits 5 MB)"
std::string describe_parts(const learners::Parts& parts) {
  std::string text;
  for (const auto& [name, bytes] : parts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, format_bytes(bytes));
  }
  std::ranges::replace(text, '_', ' ');
  return text.empty() ? text : fmt::format(" ({})", text);
}

/// A model as text: a line a cause, where it was written, what to do next.
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

nlohmann::json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

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

nlohmann::json interval_json(const std::optional<evaluate::Interval>& interval) {
  if (!interval) return nullptr;
  return {interval->low, interval->high};
}

std::string describe_interval(const std::optional<evaluate::Interval>& interval) {
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
      entry["prior_interval"] =
          interval_json(evaluate::interval95(cause.prior, model.errors.prior, u));
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
                        describe_interval(evaluate::interval95(cause.prior, model.errors.prior, u)),
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

void print_json(const nlohmann::json& object) {
  constexpr auto replace = nlohmann::json::error_handler_t::replace;
  std::cout << object.dump(2, ' ', false, replace) << '\n';
}

void print_done(const Arguments& arguments, const nlohmann::json& object, const std::string& line) {
  if (arguments.json()) {
    print_json(object);
  } else if (!arguments.quiet()) {
    std::cout << line << '\n';
  }
}

void print_model_summary(const Arguments& arguments, const model::LearnedModel& model,
                         const std::string& output, double seconds) {
  const std::vector<std::int32_t> depths = model::structural_depths(model);
  nlohmann::json object{{"causes", causes_json(model, depths)},
                        {"n_observed", model.network.n_observed()},
                        {"n_samples", model.n_samples},
                        {"output", output},
                        {"seconds", seconds}};
  if (model.network.has_dependent_causes()) object["dependences"] = dependences_json(model.network);
  if (!model.remarks.empty()) object["remarks"] = model.remarks;
  print_done(arguments, object, describe_learned(model, output, depths, seconds));
}

void warn_of_constants(const std::vector<std::string>& constant, std::size_t n_columns,
                       const std::string& input) {
  if (constant.empty()) return;
  log::warning(
      "{}: {} constant column(s), the first is {}: nothing can be learned from them; `orrery "
      "info` lists them",
      input, constant.size(), constant.front());
  if (2 * constant.size() <= n_columns) return;
  log::warning(
      "{}: most columns are constant ({} of {}): look whether the values were read as they are "
      "meant, above all what was named as missing (--missing) and what as on and off",
      input, constant.size(), n_columns);
}

void print_names(const char* title, const nlohmann::json& names) {
  if (names.empty()) return;
  constexpr std::size_t shown = 10;
  std::cout << fmt::format("  {} ({}):", title, names.size());
  for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) {
    std::cout << ' '
              << (names[i].is_array() ? fmt::format("{} = {}", names[i][0].get<std::string>(),
                                                    names[i][1].get<std::string>())
                                      : names[i].get<std::string>());
  }
  std::cout << (names.size() > shown ? " ...\n" : "\n");
}

std::size_t columns_shown(std::size_t n_columns, bool every_column) {
  constexpr std::size_t most = 20;
  return every_column ? n_columns : std::min(n_columns, most);
}

void log_stages(const store::RunInfo& run) {
  for (const Stage& stage : run.stages) {
    log::verbose("{}: {}{}{}", stage.name, format_duration(stage.seconds),
                 stage.units > 0 ? fmt::format(", {} units", format_count(stage.units)) : "",
                 stage.imbalance > 0 ? fmt::format(", imbalance {:.3f}", stage.imbalance) : "");
  }
}

void print_plan(const Arguments& arguments, const learners::Plan& plan) {
  if (arguments.json()) {
    nlohmann::json object{{"memory_bytes_per_rank", plan.memory_bytes},
                          {"units", plan.units},
                          {"unit", plan.unit},
                          {"seconds", plan.seconds}};
    if (plan.processor_seconds > 0) object["processor_seconds"] = plan.processor_seconds;
    for (const auto& [name, bytes] : plan.memory) object["memory_bytes"][name] = bytes;
    for (const auto& [name, seconds] : plan.stages) object["stage_seconds"][name] = seconds;
    if (!plan.not_forecast.empty()) object["not_forecast"] = {plan.not_forecast};
    print_json(object);
    return;
  }
  const std::string processor =
      plan.processor_seconds < 0.1
          ? ""
          : fmt::format(" ({} of processors)", format_duration(plan.processor_seconds));
  std::cout << fmt::format(
      "memory a rank: {}{}\nwork: {} {}\ntime: {}{}{}\n", format_bytes(plan.memory_bytes),
      describe_parts(plan.memory), format_count(plan.units), plan.unit,
      plan.seconds < 0.1 ? "under 0.1 s" : "about " + format_duration(plan.seconds), processor,
      plan.not_forecast.empty()
          ? ""
          : fmt::format(" without the {}: how long that takes depends on the data, from less than "
                        "this to hundreds of times as long; --time-limit TIME ends it",
                        plan.not_forecast));
}

}  // namespace orrery::cli
