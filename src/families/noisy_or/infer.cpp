// `infer` for noisy-OR networks.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/program_options/options_description.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/typed_words.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "families/noisy_or/command_inputs.hpp"
#include "families/noisy_or/commands.hpp"
#include "families/noisy_or/inference_run.hpp"
#include "family/answers.hpp"
#include "family/asked_rows.hpp"
#include "family/explained_causes.hpp"
#include "family/matched_rows.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/base/error.hpp"

namespace orrery::noisy_or {
namespace {

namespace po = boost::program_options;

constexpr std::uint32_t most_explanations = 100;
constexpr std::uint32_t most_samples = 100'000'000;

struct Settings {
  model::InferenceOptions inference;
  double min_posterior = 0;
  family::ExplainOptions explain;
};

Settings settings_of(const Arguments& arguments) {
  using Method = model::InferenceOptions::Method;
  Settings settings;
  const auto method = arguments.get<std::string>("method");
  if (method == "exact") {
    settings.inference.method = Method::exact;
  } else if (method == "sample") {
    settings.inference.method = Method::sample;
  } else if (method != "auto") {
    throw UsageError(fmt::format("--method {}: must be auto, exact or sample", method));
  }
  const auto samples = arguments.get<std::uint64_t>("samples");
  if (samples < 100 || samples > most_samples) {
    throw UsageError(fmt::format("--samples {}: must be 100 to {}", samples, most_samples));
  }
  const auto listed = family::posterior_options(arguments, most_explanations);
  settings.explain = family::explain_options(arguments);
  settings.min_posterior = listed.min_posterior;
  settings.inference.n_samples = static_cast<std::uint32_t>(samples);
  settings.inference.top = listed.top;
  settings.inference.seed = arguments.seed();
  return settings;
}

/// What every part of the command works on.
struct Question {
  const RowFamily& family;
  const Settings& settings;
  const store::SampleReader& reader;
  const family::MatchedRows& matched;
  std::uint64_t n_rows;  ///< that are asked for: the first

  [[nodiscard]] const model::NoisyOrNetwork& network() const { return family.network(); }
};

/// A row of the data.
struct RowBits {
  std::vector<std::uint64_t> values, missing;
};
RowBits bits_of(const family::MatchedRows& rows, std::size_t row) {
  const auto values = rows.values(row);
  const auto missing = rows.missing(row);
  return {{values.begin(), values.end()}, {missing.begin(), missing.end()}};
}

RowBits read_row(const Question& question, std::uint64_t row) {
  std::size_t block = 0;
  std::uint64_t first = 0;
  while (first + question.reader.rows_of(block) <= row) first += question.reader.rows_of(block++);
  family::MatchedRows rows = question.matched;
  const std::size_t within = row - first;
  rows.load(question.reader.read(block), within / 64 * 64);
  return bits_of(rows, within % 64);
}

/// The first, 64 at most.
std::vector<RowBits> read_first_rows(const Question& question, std::size_t n) {
  std::vector<RowBits> bits;
  if (n == 0) return bits;
  family::MatchedRows rows = question.matched;
  rows.load(question.reader.read(0), 0);
  for (std::size_t row = 0; row < n; ++row) bits.push_back(bits_of(rows, row));
  return bits;
}

std::vector<std::uint32_t> positions(const std::vector<std::uint64_t>& bits) {
  std::vector<std::uint32_t> found;
  for (std::size_t w = 0; w < bits.size(); ++w) {
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1) {
      found.push_back(
          static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(left))));
    }
  }
  return found;
}

// ------------------------------------------------------------------------------------- one row

std::uint32_t cause_named(const std::string& name, const model::NoisyOrNetwork& network) {
  const auto& causes = network.causes();
  auto found = std::ranges::find(causes, name, &model::Cause::name);
  if (found == causes.end()) {  // "cause 3", as titles have it
    std::string together = name;
    std::erase(together, ' ');
    found = std::ranges::find(causes, together, &model::Cause::name);
  }
  if (found != causes.end()) return static_cast<std::uint32_t>(found - causes.begin());
  std::vector<std::string> names;
  for (const model::Cause& cause : causes) names.push_back(cause.name);
  throw UsageError(
      fmt::format("--cause {}: the model has no such cause{}; `orrery export MODEL --format csv` "
                  "lists its {}",
                  name, did_you_mean(name, names), causes.size()));
}

family::ExplainedCause explain_cause(const Question& question, RowWorker& worker, std::uint64_t row,
                                     const RowBits& bits, std::uint32_t cause) {
  const model::CauseEvidence evidence = worker.weigh(row, bits.values, bits.missing, cause);
  const model::Cause& itself = question.network().causes()[cause];
  family::ExplainedCause explained;
  explained.name = itself.name;
  explained.prior = itself.prior;
  explained.prior_log_odds = evidence.prior_log_odds;
  explained.log_odds = evidence.log_odds;
  for (const model::FindingWeight& finding : evidence.findings) {
    explained.findings.push_back({question.network().observed()[finding.observed].name,
                                  finding.positive ? "present" : "absent", finding.positive,
                                  finding.weight});
  }
  return explained;
}

/// Of a row that is possible; of one that is not, nothing, and `impossible` says why.
std::vector<family::ExplainedCause> explain(const Question& question, std::uint64_t row,
                                            const RowBits& bits,
                                            std::optional<RowContradiction>& impossible) {
  const family::ExplainOptions& options = question.settings.explain;
  const auto worker = question.family.worker(0);
  worker->evaluate(row, bits.values, bits.missing);
  impossible = worker->contradiction();
  if (impossible) return {};
  const RowAnswer answer = worker->answer();
  const std::vector<double> posterior(answer.posterior.begin(), answer.posterior.end());
  const std::vector<double> error(answer.posterior_error.begin(), answer.posterior_error.end());
  const std::vector<std::uint32_t> causes =
      options.cause.empty()
          ? family::likely_causes(options, posterior)
          : std::vector<std::uint32_t>{cause_named(options.cause, question.network())};
  std::vector<family::ExplainedCause> explained;
  for (const std::uint32_t cause : causes) {
    explained.push_back(explain_cause(question, *worker, row, bits, cause));
    explained.back().posterior = posterior[cause];
    explained.back().error = error[cause];
  }
  return explained;
}

void explain_row(const Arguments& arguments, const Question& question) {
  const std::uint64_t row = *question.settings.explain.row;
  std::optional<RowContradiction> impossible;
  const auto explained = explain(question, row, read_row(question, row), impossible);
  if (impossible) {
    throw InputError(fmt::format("{}: row {}: {}; correct the row or the model",
                                 family::name_of_rows(arguments), row,
                                 question.family.describe(*impossible)));
  }
  family::print_explained(arguments, row, explained);
}

// ------------------------------------------------------------------------------------- all rows

/// Measured on rows from all over the first block, for about a second.
learning::Plan make_plan(const Arguments& arguments, const parallel::Team& team,
                         const Question& question) {
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  const store::SampleHeader& header = question.reader.header();
  const auto rows = static_cast<double>(question.n_rows);
  const auto m = static_cast<double>(header.n_observed);
  store::PosteriorRows found;
  const double begin = thread_seconds();
  std::size_t n = 0;
  if (header.n_samples > 0) {
    const auto block = question.reader.read(0);
    const double read = thread_seconds() - begin;
    timing.alone("read", read * rows / static_cast<double>(question.reader.rows_of(0)));
    const auto worker = question.family.worker(question.settings.inference.top);
    family::MatchedRows matched = question.matched;
    const std::size_t n_groups = (question.reader.rows_of(0) + 63) / 64;
    const double first = thread_seconds();
    // In an order that is spread over the block however early it ends.
    for (std::size_t i = 0; i < n_groups && thread_seconds() - first < 1; ++i) {
      const std::size_t group = i * 7919 % n_groups;
      matched.load(block, 64 * group);
      const std::size_t end = std::min<std::size_t>(64, question.reader.rows_of(0) - 64 * group);
      for (std::size_t r = 0; r < end && thread_seconds() - first < 1; ++r, ++n) {
        worker->evaluate(64 * group + r, matched.values(r), matched.missing(r));
        append_row(worker->answer(), question.settings.min_posterior,
                   question.settings.inference.top, found);
      }
    }
    timing.shared("rows", (thread_seconds() - first) * rows / static_cast<double>(n));
  }
  const double listed = n == 0 ? 0
                               : static_cast<double>(found.cause.size() + found.present.size()) /
                                     static_cast<double>(n);
  const double bytes_a_row = 56 + 20 * listed + 20.0 * question.settings.inference.top;
  if (arguments.has("output")) timing.waits("write", rows * bytes_a_row / 1e8);
  learning::Plan plan;
  plan.units = question.n_rows;
  plan.unit = "rows";
  learning::Parts parts = learning::memory_of_program(resources);
  const auto block_rows =
      static_cast<double>(header.n_samples == 0 ? 0 : question.reader.rows_of(0));
  parts.emplace_back("block", block_rows * m / 8 * (header.has_missing ? 2 : 1));
  parts.emplace_back("results", 3 * 4096 * bytes_a_row);
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

family::RowWords words_of(const model::NoisyOrNetwork& network) {
  family::RowWords words;
  for (const model::Cause& cause : network.causes()) {
    words.causes.push_back(cause.name);
    words.priors.push_back(cause.prior);
  }
  for (const model::Observed& observed : network.observed()) {
    words.findings.push_back(observed.name);
  }
  return words;
}

family::ShownRows show(const Question& question, const store::PosteriorRows& rows) {
  family::ShownRows shown{rows, {}, {}};
  std::uint64_t number = 0;
  for (const RowBits& bits : read_first_rows(question, rows.size())) {
    shown.positive.push_back(positions(bits.values));
    shown.n_missing.push_back(positions(bits.missing).size());
    std::optional<RowContradiction> impossible;  // which is warned of
    if (question.settings.explain.is_asked) {
      shown.explained.push_back(explain(question, number, bits, impossible));
    }
    ++number;
  }
  return shown;
}

void warn_of_impossible(const std::string& data, const std::vector<ImpossibleRow>& impossible,
                        const RowFamily& family) {
  if (impossible.empty()) return;
  const std::size_t others = impossible.size() - 1;
  log::warning(
      "{}: row {}: {}{}; such rows have evidence 0 and no posteriors: correct them or the model",
      data, impossible.front().row, family.describe(impossible.front().why),
      others == 0 ? "" : fmt::format(" ({} more rows contradict the model)", others));
}

void print_result(const Arguments& arguments, const family::InferenceSummary& summary,
                  const Question& question, const store::PosteriorRows& rows) {
  const std::uint32_t top = question.settings.inference.top;
  const std::uint64_t n_more = question.reader.header().n_samples - question.n_rows;
  nlohmann::json object = family::summary_json(summary);
  std::string text;
  if (family::shows_rows(arguments, question.n_rows)) {
    family::ShownRows shown = show(question, rows);
    shown.names = family::names_of_rows(arguments);
    const family::RowWords words = words_of(question.network());
    object["results"] = family::rows_json(shown, top, words);
    text = family::describe_rows(shown, top, words);
  }
  if (n_more > 0) object["more_rows"] = n_more;
  text += family::describe_more(n_more) + family::describe_summary(summary);
  family::print_inference(arguments, std::move(object), std::move(text));
}

std::unique_ptr<family::PosteriorOutput> open_output(const Arguments& arguments,
                                                     const Question& question) {
  const store::SampleHeader& header = question.reader.header();
  family::RowWords words = words_of(question.network());
  const store::PosteriorHeader of_file{header.n_samples, header.digest,
                                       question.settings.min_posterior,
                                       question.settings.inference.top, words.causes};
  return std::make_unique<family::PosteriorOutput>(arguments, of_file, std::move(words));
}

void infer_all(const Arguments& arguments, const parallel::Team& team, const Question& question,
               family::KeptBatches& batches) {
  std::unique_ptr<family::PosteriorOutput> output;
  if (team.is_root()) output = open_output(arguments, question);
  const bool keeps_rows = family::shows_rows(arguments, question.n_rows);
  const Progress clock("", 0, "");
  family::InferenceSummary summary;
  store::PosteriorRows kept;
  std::vector<ImpossibleRow> impossible;
  infer_rows(team, arguments.threads(), question.family, question.settings.inference.top,
             question.settings.min_posterior, question.reader, question.matched, question.n_rows,
             batches,
             [&](const store::PosteriorRows& rows, const std::vector<ImpossibleRow>& failed) {
               summary.add(rows, question.settings.inference.top);
               if (keeps_rows) kept.append(rows);
               impossible.insert(impossible.end(), failed.begin(), failed.end());
               output->append(rows);
             });
  const std::uint64_t n_bytes = cli::bytes_read(team);
  if (!team.is_root()) return;
  warn_of_impossible(family::name_of_rows(arguments), impossible, question.family);
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"infer", clock.seconds(), question.n_rows}};
  output->finish(run);
  batches.remove();
  print_result(arguments, summary, question, kept);
}

/// How the columns of rows are those of the network.
family::MatchedRows match(const model::NoisyOrNetwork& network,
                          const std::vector<std::string>& variables,
                          const std::vector<std::string>& columns, const Arguments& arguments) {
  const std::string source = arguments.text("model");
  const std::string rows = family::name_of_rows(arguments);
  if (!network.anchors().empty()) return match_anchored(network, columns, rows, source);
  return family::MatchedRows(family::match_columns(variables, columns, source, rows));
}

}  // namespace

void add_infer_options(po::options_description& options) {
  options.add_options()(
      "method", po::value<std::string>()->value_name("auto|exact|sample")->default_value("auto"),
      "exact, sample, or auto: rows that no exact sum can do in good time are "
      "sampled, with a stated error")(
      "samples", po::value<std::uint64_t>()->value_name("N")->default_value(4000),
      "draws of a row that is sampled");
  family::add_explain_options(options);
  family::add_posterior_options(options);
  family::add_given_option(options);
  family::add_format_option(options);
}

void infer(const model::LearnedModel& learned, const Arguments& arguments,
           const parallel::Team& team, const family::OpenBatches& open_batches) {
  const model::NoisyOrNetwork& network = learned.network;
  family::refuse_given_beside_data(arguments);
  const Settings settings = settings_of(arguments);
  const family::AskedVariables variables = asked_variables(network);
  const auto reader = family::open_bits(arguments, team, variables);
  const std::uint64_t n_samples = reader->header().n_samples;
  family::require_row(settings.explain, n_samples);
  const std::uint64_t n_rows = family::rows_asked(arguments, n_samples);
  const family::MatchedRows matched =
      team.root_first([&] { return match(network, variables.names, reader->names(), arguments); });
  const auto family = network.is_plain() ? independent_rows(network, settings.inference)
                                         : anchored_rows(network, settings.inference);
  const Question question{*family, settings, *reader, matched, n_rows};
  if (arguments.dry_run()) {
    if (team.is_root()) cli::print_plan(arguments, make_plan(arguments, team, question));
  } else if (settings.explain.row) {
    if (team.is_root()) explain_row(arguments, question);
  } else {
    family::KeptBatches batches = open_batches(team);
    infer_all(arguments, team, question, batches);
  }
}

}  // namespace orrery::noisy_or
