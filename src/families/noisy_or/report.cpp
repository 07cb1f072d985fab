// What is said of a noisy-OR network: in a line, when it was just learned, and as a page
// (`report`).
#include <fmt/format.h>

#include <boost/program_options/options_description.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/page/anchored_page.hpp"
#include "families/noisy_or/page/page.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "family/shared_options.hpp"
#include "family/table.hpp"
#include "model/learnability.hpp"
#include "model/network_moments.hpp"
#include "report/text.hpp"

namespace orrery::noisy_or {

// In a line, and when it was just learned.

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

// The page.

namespace {

namespace po = boost::program_options;

/// The page of an anchored network draws how causes depend on one another; the other one judges by
/// data. Throws UsageError for options that the page has no use for.
bool draws_dependence(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const bool anchored = !learned.network.anchors().empty();
  if (!anchored && !(learned.network.has_dependent_causes() && !arguments.has("data"))) {
    return false;
  }
  family::refuse_options(arguments, {"grid", "min-prior", "triples", "data", "train"},
                         arguments.required("model"), describe_kind(learned));
  return true;
}

std::string anchored_report(const model::LearnedModel& learned, const Arguments& arguments) {
  const std::string source = arguments.text("truth");
  AnchoredReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes that depend on each other");
  input.colophon = family::colophon_of(arguments, learned);
  std::optional<model::LearnedModel> truth;
  std::optional<AnchoredScores> scores;
  if (arguments.has("truth")) {
    truth = require_network(family::load_model(source, arguments.seed()), source);
    scores = score_anchored(learned, truth->network);
    input.truth = &truth->network;
    input.scores = &*scores;
  }
  return anchored_html_report(input);
}

}  // namespace

void add_report_options(po::options_description& options) {
  options.add_options()("grid", po::value<std::string>()->value_name("RxC"),
                        "the observed variables are an image of R rows and C columns");
  add_match_options(options);
  add_data_options(options);
}

learning::Plan plan_report(const model::LearnedModel& learned, const Arguments& arguments) {
  const auto edges = static_cast<double>(learned.network.edges().size());
  if (draws_dependence(learned, arguments)) {
    return {1e6 + 400 * edges, learned.network.n_causes(), "causes"};
  }
  if (arguments.has("grid")) (void)parse_grid(arguments.get<std::string>("grid"));
  learning::Plan plan = plan_data_scores(arguments, learned.network);
  plan.memory_bytes += 200 * edges;
  plan.units = learned.network.n_causes();
  plan.unit = "causes";
  return plan;
}

std::string report(const model::LearnedModel& learned, const Arguments& arguments,
                   const parallel::Team& team) {
  if (draws_dependence(learned, arguments)) return anchored_report(learned, arguments);
  ReportInput input;
  input.model = &learned;
  input.title = family::title_of(arguments, "Hidden causes");
  input.colophon = family::colophon_of(arguments, learned);
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  if (judged) {
    input.truth = &judged->truth.network;
    input.evaluation = &judged->evaluation;
  }
  if (arguments.has("grid")) input.grid = parse_grid(arguments.get<std::string>("grid"));
  const std::optional<DataScores> scores = score_data_option(arguments, team, learned, input.truth);
  if (scores) input.scores = &*scores;
  return html_report(input);
}

}  // namespace orrery::noisy_or
