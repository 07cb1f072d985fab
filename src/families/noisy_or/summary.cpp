// What is said of a noisy-OR network: in a line, and when it was just learned.
#include <fmt/format.h>

#include "base/progress.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "model/learnability.hpp"
#include "model/network_moments.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {
namespace {

using report::count_of;

void add_dependences(report::Section& section, const model::NoisyOrNetwork& network) {
  report::Table& table = section.table("dependences", "How causes depend on one another");
  for (const model::CauseDependence& dependence : model::dependences_of(network)) {
    const auto& [cause, parent, with, without] = dependence;
    table.row()
        .data("cause", network.causes()[cause].name)
        .data("parent", network.causes()[parent].name)
        .data("with", with)
        .data("without", without)
        .show("", model::in_words(dependence, network));
  }
}

std::string source_of(const LearnedModel& model) {
  return model.n_samples == 0 ? "exact moments" : count_of(model.n_samples, "sample");
}

void add_origin(report::Section& section, const LearnedModel& model) {
  const model::NoisyOrNetwork& network = model.network;
  section.data("learner", model.learner)
      .data("n_causes", network.n_causes())
      .data("n_observed", network.n_observed())
      .data("n_edges", network.edges().size())
      .data("n_cause_edges", network.cause_network().n_edges())
      .data("n_samples", model.n_samples)
      .data("data_digest", fmt::format("{:016x}", model.data_digest))
      .data("standard_errors", !model.errors.empty());
}

void anchored_summary(const LearnedModel& model, report::Section& section) {
  const model::NoisyOrNetwork& network = model.network;
  const std::size_t n_cause_edges = network.cause_network().n_edges();
  section.sentences.push_back(fmt::format(
      "{} of {} with {}, {} among causes, from {}", count_of(network.n_causes(), "cause"),
      count_of(network.n_observed(), "variable"), count_of(network.edges().size(), "loading"),
      count_of(n_cause_edges, "edge"), source_of(model)));
  section.data("n_edges", network.edges().size()).data("n_cause_edges", n_cause_edges);
  section.data("remarks", model.remarks);
  add_anchored_causes(section.table("causes", "Causes"), model);
}

void independent_summary(const LearnedModel& model, report::Section& section) {
  const model::NoisyOrNetwork& network = model.network;
  const std::vector<std::int32_t> depths = model::structural_depths(model);
  const std::string at_depths = describe_depths(depths);
  section.sentences.push_back(
      fmt::format("{}{} of {} from {}", count_of(network.n_causes(), "cause"),
                  at_depths.empty() ? "" : fmt::format(" ({})", at_depths),
                  count_of(network.n_observed(), "variable"), source_of(model)));
  report::Table& causes = section.table("causes", "Causes");
  causes.most_shown = network.n_causes();
  add_causes(causes, model, depths);
  if (network.has_dependent_causes()) add_dependences(section, network);
}

}  // namespace

void info(const LearnedModel& model, report::Section& section) {
  const model::NoisyOrNetwork& network = model.network;
  const bool anchored = !network.anchors().empty();
  const std::size_t n_cause_edges = network.cause_network().n_edges();
  const std::uint32_t resamples = model.stability.resamples;
  add_origin(section, model);
  section.remarks = model.remarks;
  std::string text =
      fmt::format("{}: {}, {}, {}", anchored ? "anchored network" : "model",
                  count_of(network.n_causes(), "cause"), count_of(network.n_observed(), "variable"),
                  count_of(network.edges().size(), "edge"));
  if (n_cause_edges > 0) text += fmt::format(", {} among causes", count_of(n_cause_edges, "edge"));
  if (anchored) text += ", " + count_of(network.anchors().size(), "anchor");
  if (!model.learner.empty()) text += ", learned by " + model.learner;
  if (!model.errors.empty()) text += ", with standard errors";
  if (resamples > 0) text += ", stability from " + count_of(resamples, "resample");
  section.sentences.push_back(std::move(text));
  if (!anchored) {
    section.data("resamples", resamples);
    return;
  }
  section.data("n_anchors", network.anchors().size())
      .data("moments_order", model.moments.order())
      .data("remarks", model.remarks);
  add_anchored_causes(section.table("causes", ""), model);
}

void summary(const LearnedModel& model, report::Section& section) {
  section.data("n_observed", model.network.n_observed()).data("n_samples", model.n_samples);
  section.remarks = model.remarks;
  if (model.network.anchors().empty()) {
    independent_summary(model, section);
  } else {
    anchored_summary(model, section);
  }
}

}  // namespace orrery::noisy_or
