// `evaluate` for noisy-OR networks: with anchors, and without.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "cli/arguments.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/scores/anchored_scores.hpp"
#include "families/noisy_or/scores/data_scores.hpp"
#include "families/noisy_or/scores/last_tag.hpp"
#include "families/noisy_or/scores/sections.hpp"
#include "family/matched_rows.hpp"
#include "family/table.hpp"
#include "learning/plan.hpp"
#include "learning/row_sums.hpp"
#include "model/learnability.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"
#include "report/sheet.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {
namespace {

// ---------------------------------------------------------------------------- anchored networks

namespace po = boost::program_options;
using model::CauseNetwork;
using model::LearnedModel;
using model::NoisyOrNetwork;

struct Truth {
  LearnedModel learned;
  AnchoredScores scores;
  /// Of each of the model's causes the true one; empty: they are not matched one to one.
  std::vector<std::uint32_t> cause;
};

struct AnchoredResults {
  std::optional<Truth> truth;
  std::optional<AnchoredDataScores> data;
  std::optional<LabelScores> labels;
  std::optional<LastTagResults> last_tag;
};

void check_options(const cli::Arguments& arguments) {
  const auto needs = [&](const char* option, bool given, const char* needed) {
    if (!given || arguments.has(needed)) return;
    throw UsageError(fmt::format("--{} says nothing without --{}: give both", option, needed));
  };
  const bool last_tag = arguments.get<bool>("last-tag");
  needs("last-tag", last_tag, "data");
  needs("last-tag", last_tag, "labels");
  if (arguments.has("train") && !last_tag) {
    throw UsageError("--train says nothing without --last-tag: give both");
  }
}

std::optional<Truth> load_truth(const cli::Arguments& arguments, const LearnedModel& learned) {
  if (!arguments.has("truth")) return std::nullopt;
  const std::string source = arguments.text("truth");
  Truth truth{require_network(family::load_model(source, arguments.seed()), source), {}, {}};
  try {
    truth.scores = score_anchored(learned, truth.learned.network);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  const std::size_t n = learned.network.n_causes();
  if (truth.scores.partner.size() != n) return truth;
  truth.cause.resize(n);
  for (std::size_t t = 0; t < n; ++t) {
    truth.cause[static_cast<std::size_t>(truth.scores.partner[t])] = static_cast<std::uint32_t>(t);
  }
  return truth;
}

/// A count of a few rows in the floor's place keeps what was never seen possible.
double floor_of(const LearnedModel& learned) {
  return learned.n_samples > 0 ? 1 / (static_cast<double>(learned.n_samples) + 2) : 1e-6;
}

/// The labels with their columns in the order of the true causes.
data::SampleMatrix in_true_order(const data::SampleMatrix& labels,
                                 const std::vector<std::uint32_t>& cause) {
  data::ColumnUnions places{std::vector<std::string>(cause.size()),
                            std::vector<std::vector<std::size_t>>(cause.size())};
  for (std::size_t i = 0; i < cause.size(); ++i) {
    places.names[cause[i]] = labels.names[i];
    places.members[cause[i]] = {i};
  }
  return family::in_order(labels, places);
}

LabelScores score_labels(const cli::Arguments& arguments, const LearnedModel& learned,
                         const data::SampleMatrix& labels, const std::optional<Truth>& truth) {
  const CauseNetwork& causes = learned.network.cause_network();
  const int threads = arguments.threads();
  LabelScores scores;
  scores.model = label_likelihood(causes, labels, threads);
  if (scores.model.n_rows == 0) {
    throw InputError(fmt::format("{}: no row has a label; a likelihood needs at least one",
                                 arguments.text("labels")));
  }
  scores.floor = floor_of(learned);
  const auto floored_mean = [&](const CauseNetwork& network) {
    return label_likelihood(floored(network, scores.floor), labels, threads).mean;
  };
  scores.floored = floored_mean(causes);
  std::vector<double> priors;
  for (const model::Cause& cause : learned.network.causes()) {
    priors.push_back(cause.prior);
  }
  scores.independent = floored_mean(CauseNetwork::independent(priors));
  if (truth && !truth->cause.empty()) {
    scores.truth = label_likelihood(truth->learned.network.cause_network(),
                                    in_true_order(labels, truth->cause), threads)
                       .mean;
  }
  return scores;
}

LastTagResults score_last_tags(const cli::Arguments& arguments, const LearnedModel& learned,
                               const data::SampleMatrix& rows, const data::SampleMatrix& labels,
                               const std::optional<Truth>& truth) {
  if (labels.n_samples() != rows.n_samples()) {
    throw InputError(fmt::format("{}: {} rows, but {} has {}; give the labels of these rows",
                                 arguments.text("labels"), labels.n_samples(),
                                 arguments.text("data"), rows.n_samples()));
  }
  const LastTagTask task(labels, arguments.seed(), arguments.threads());
  if (task.n_rows() == 0) {
    throw InputError(
        fmt::format("{}: no row with all labels has two true causes; --last-tag needs one at least",
                    arguments.text("labels")));
  }
  std::vector<std::uint32_t> same(learned.network.n_causes());
  std::iota(same.begin(), same.end(), 0U);
  LastTagResults results;
  results.n_rows = task.n_rows();
  results.chance = task.chance();
  results.model = task.ask(learned.network, rows, same);
  if (truth && !truth->cause.empty()) {
    const NoisyOrNetwork& network = truth->learned.network;
    results.truth =
        task.ask(network, read_rows_of(network, "", arguments.text("data")), truth->cause);
  }
  if (arguments.has("train")) {
    const std::string train = arguments.text("train");
    results.baselines = task.ask_baselines(
        learned, rows, read_rows_of(learned.network, arguments.text("model"), train));
  }
  return results;
}

AnchoredDataScores score_data(const cli::Arguments& arguments, const parallel::Team& team,
                              const LearnedModel& learned, const data::SampleMatrix& rows,
                              const std::optional<Truth>& truth) {
  AnchoredDataScores scores;
  scores.held_out = learned.data_digest == 0 || learned.data_digest != rows.digest;
  if (!scores.held_out) {
    log::warning("the model was learned from these data: its scores are not held out");
  }
  const int threads = arguments.threads();
  const BlockShare share = learning::share_of_blocks(team);
  scores.model = anchored_likelihood(learned.network, rows.values, threads, share);
  if (truth) {
    const NoisyOrNetwork& network = truth->learned.network;
    const data::SampleMatrix its_rows = read_rows_of(network, "", arguments.text("data"));
    scores.truth = anchored_likelihood(network, its_rows.values, threads, share);
  }
  return scores;
}

AnchoredResults judge(const cli::Arguments& arguments, const parallel::Team& team,
                      const LearnedModel& learned) {
  AnchoredResults results;
  results.truth = load_truth(arguments, learned);
  std::optional<data::SampleMatrix> rows;
  if (arguments.has("data")) {
    rows = read_rows_of(learned.network, arguments.text("model"), arguments.text("data"));
    results.data = score_data(arguments, team, learned, *rows, results.truth);
  }
  if (!arguments.has("labels")) return results;
  const data::SampleMatrix labels =
      read_labels_of(learned.network, arguments.text("model"), arguments.text("labels"));
  results.labels = score_labels(arguments, learned, labels, results.truth);
  if (arguments.get<bool>("last-tag")) {
    results.last_tag = score_last_tags(arguments, learned, *rows, labels, results.truth);
  }
  return results;
}

learning::Plan plan_of(const cli::Arguments& arguments) {
  const auto cells_of = [&](const char* option) {
    if (!arguments.has(option)) return 0.0;
    const auto header = store::read_sample_header(arguments.text(option));
    return static_cast<double>(header.n_samples) * static_cast<double>(header.n_observed);
  };
  const double cells = cells_of("data");
  const double train = arguments.has("train") ? cells_of("train") : 0;
  learning::Plan plan;
  plan.memory_bytes = 2e7 + (cells + train + cells_of("labels")) / 4 +
                      (train > 0 ? 16 * train * arguments.threads() : 0);
  plan.unit = "rows";
  if (arguments.has("data")) {
    plan.units = store::read_sample_header(arguments.text("data")).n_samples;
  }
  return plan;
}

/// --labels and --last-tag.
void add_anchored_evaluation_options(po::options_description& options) {
  options.add_options()("labels", po::value<std::string>()->value_name("DATA"),
                        "of an anchored network: samples with one column per cause, its true "
                        "values; their mean log-likelihood per row is told")(
      "last-tag", po::bool_switch(),
      "of an anchored network, with --data and --labels: of each row's true causes all but one are "
      "given; how often is the last one the most probable? With --train, classifiers that are "
      "trained on the anchors in those rows answer too");
}

learning::Plan plan_evaluate_anchored(const cli::Arguments& arguments) {
  check_options(arguments);
  return plan_of(arguments);
}

/// Rows are shared by all ranks. Collective.
void evaluate_anchored(const cli::Arguments& arguments, const parallel::Team& team,
                       const LearnedModel& learned, report::Sheet& sheet) {
  check_options(arguments);
  const AnchoredResults results = judge(arguments, team, learned);
  report::Section& section = sheet.section("anchored", "The model");
  info(learned, section);
  if (results.truth) {
    add_anchored_truth(sheet, results.truth->scores, results.truth->learned.network,
                       learned.network);
  }
  if (results.data) add_anchored_data(sheet, *results.data);
  if (results.labels) add_labels(sheet, *results.labels);
  if (results.last_tag) add_last_tag(sheet, *results.last_tag);
}

// -------------------------------------------------------------------------- networks of either
// kind

/// True if the model says more of itself than its parameters.
bool knows_its_evidence(const model::LearnedModel& learned) {
  return !learned.errors.empty() || learned.stability.resamples > 0 ||
         std::ranges::any_of(learned.provenance,
                             [](const model::Provenance& from) { return from.support > 0; });
}

/// True for a network with anchors. Throws UsageError for options of the other kind.
bool is_anchored(const model::LearnedModel& learned, const Arguments& arguments) {
  require_used_options(arguments);
  const std::string source = arguments.text("model");
  const bool anchored = !learned.network.anchors().empty();
  if (anchored) {
    family::refuse_options(arguments, {"min-prior", "triples"}, source, "an anchored network");
  } else {
    family::refuse_options(arguments, {"labels", "last-tag"}, source, describe_kind(learned));
  }
  return anchored;
}

}  // namespace

void add_evaluate_options(boost::program_options::options_description& options) {
  add_match_options(options);
  add_data_options(options);
  add_anchored_evaluation_options(options);
}

learning::Plan plan_evaluate(const model::LearnedModel& learned, const Arguments& arguments) {
  return is_anchored(learned, arguments) ? plan_evaluate_anchored(arguments)
                                         : plan_data_scores(arguments, learned.network);
}

void evaluate(const model::LearnedModel& learned, const Arguments& arguments,
              const parallel::Team& team, report::Sheet& sheet) {
  if (is_anchored(learned, arguments)) {
    evaluate_anchored(arguments, team, learned, sheet);
    return;
  }
  const std::optional<Judgement> judged = judge_by_truth(arguments, learned);
  const std::optional<DataScores> scores =
      score_data_option(arguments, team, learned, judged ? &judged->truth.network : nullptr);
  const std::vector<std::int32_t> depths = model::structural_depths(learned);
  if (judged) add_truth(sheet, judged->evaluation, learned, judged->truth.network, depths);
  if (scores) add_data(sheet, *scores, learned.network);
  const bool alone = !judged && !scores;
  report::Section& section =
      add_model(sheet, learned, depths, alone || learned.network.n_causes() <= many_causes);
  section.in_json_alone = !alone && !knows_its_evidence(learned);
}

}  // namespace orrery::noisy_or
