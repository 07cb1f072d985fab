#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "base/work_time.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "families/sign_tree/commands.hpp"
#include "families/sign_tree/infer_output.hpp"
#include "family/answers.hpp"
#include "family/asked_rows.hpp"
#include "family/explained_causes.hpp"
#include "family/matched_rows.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/tree_inference.hpp"
#include "store/posterior.hpp"

namespace orrery::sign_tree {
namespace {

using model::Reading;

/// All that is not in `some`, ascending.
std::vector<std::uint32_t> others(std::size_t p, const std::vector<std::uint32_t>& some) {
  std::vector<bool> in(p, false);
  for (const std::uint32_t i : some) in[i] = true;
  std::vector<std::uint32_t> rest;
  for (std::uint32_t i = 0; i < p; ++i) {
    if (!in[i]) rest.push_back(i);
  }
  return rest;
}

/// The variables of --given beside DATA, which is repeated as one likes.
std::vector<std::uint32_t> given_places(const Arguments& arguments, const model::SignTree& tree) {
  std::vector<std::uint32_t> places;
  for (const std::string& names : arguments.texts("given")) {
    for (const std::uint32_t i : cli::places_of_names("--given", names, tree.names())) {
      if (std::ranges::find(places, i) == places.end()) {
        places.push_back(i);
        continue;
      }
      throw UsageError(
          fmt::format("--given: '{}' stands there twice; leave one out", tree.names()[i]));
    }
  }
  return places;
}

TreeQuestion question_of(const Arguments& arguments, const model::SignTree& tree) {
  const std::size_t p = tree.n_variables();
  TreeQuestion question;
  const bool given = family::has_data_file(arguments) && arguments.has("given");
  const bool predict = arguments.has("predict");
  question.predicts = given || predict;
  if (given) question.given = given_places(arguments, tree);
  if (predict)
    question.told = cli::places_of_names("--predict", arguments.text("predict"), tree.names());
  if (!given) question.given = others(p, question.told);
  if (!predict) question.told = others(p, question.predicts ? question.given : question.told);
  std::vector<bool> is_given(p, false);
  for (const std::uint32_t i : question.given) is_given[i] = true;
  for (const std::uint32_t i : question.told) {
    if (!question.predicts || !is_given[i]) continue;
    throw UsageError(fmt::format("'{}' stands in --given and in --predict; leave it out of one",
                                 tree.names()[i]));
  }
  if (question.told.empty()) {
    throw UsageError("--given lists every variable of the model; nothing is left to predict");
  }
  return question;
}

/// What every part of the command works on.
struct Work {
  const model::SignTree& tree;
  const model::TreeChannel& channel;
  const TreeQuestion& question;
  const store::SampleReader& reader;
  const std::vector<std::size_t>& columns;
  std::uint64_t n_rows;  ///< that are looked at: the first
  const family::ExplainOptions& explain;
};

/// A thread's own.
class TreeWorker {
 public:
  explicit TreeWorker(const Work& work)
      : question_(&work.question),
        inference_(work.channel),
        observed_(work.tree.n_variables()),
        given_(work.tree.n_variables(), Reading::missing) {}

  void evaluate(std::uint64_t row, const family::MatchedRows& rows, TreeAnswers& answers) {
    model::read_bits(rows.values(row % 64), rows.missing(row % 64), observed_);
    for (const std::uint32_t i : question_->given) given_[i] = observed_[i];
    const double evidence = inference_.log_evidence(given_);
    answers.log_evidence.push_back(evidence);
    const bool possible = evidence != -std::numeric_limits<double>::infinity();
    const auto posterior = possible ? inference_.posterior() : std::span<const double>();
    for (const std::uint32_t i : question_->told) {
      answers.probability.push_back(possible ? posterior[i]
                                             : std::numeric_limits<double>::quiet_NaN());
      answers.observed.push_back(observed_[i]);
    }
  }

 private:
  const TreeQuestion* question_;
  model::TreeInference inference_;
  std::vector<Reading> observed_, given_;
};

/// Rows gathered at once: some 32 MB of probabilities, from what is asked alone, as they decide
/// where rows come to lie in the file.
std::size_t tree_batch_rows(const TreeQuestion& question) {
  constexpr std::size_t most_values = std::size_t{1} << 22U;
  return std::clamp<std::size_t>(most_values / question.told.size() / 64 * 64, 64, 4096);
}

/// Measured on rows of the first block, for about a second.
learning::Plan make_plan(const Arguments& arguments, const parallel::Team& team, const Work& work) {
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  timing.waits("start", resources.start_seconds);
  const store::SampleHeader& header = work.reader.header();
  const auto rows = static_cast<double>(work.n_rows);
  const auto p = static_cast<double>(work.tree.n_variables());
  const auto told = static_cast<double>(work.question.told.size());
  double block_bytes = 0;
  if (header.n_samples > 0) {
    const double begin = thread_seconds();
    const auto block = work.reader.read(0);
    const std::size_t n_block = work.reader.rows_of(0);
    block_bytes = static_cast<double>(block.values.words().size_bytes() * (block.missing ? 2 : 1));
    timing.alone("read", (thread_seconds() - begin) * rows / static_cast<double>(n_block));
    TreeWorker worker(work);
    family::MatchedRows matched(work.columns);
    TreeAnswers answers;
    const double first = thread_seconds();
    std::size_t n = 0;
    for (; n < n_block && thread_seconds() - first < 1; ++n) {
      if (n % 8 == 0) matched.load(block, n / 64 * 64);
      worker.evaluate(n, matched, answers);
      answers = {};
    }
    timing.shared("rows", (thread_seconds() - first) * rows / static_cast<double>(n));
  }
  if (arguments.has("output")) timing.waits("write", rows * 8 * (told + 1) / 3e8);
  learning::Plan plan;
  plan.units = work.n_rows;
  plan.unit = "rows";
  learning::Parts parts = learning::memory_of_program(resources);
  parts.emplace_back("block", block_bytes);
  parts.emplace_back("tables", p * (64.0 * 2 + 56 * arguments.threads()));
  parts.emplace_back("results", 3 * static_cast<double>(tree_batch_rows(work.question)) * 9 * told);
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

// ------------------------------------------------------------------------------------- why

/// Signs to explain: the one that is named; else of those that were not observed, or are more
/// probably the opposite, the surest.
std::vector<std::uint32_t> explained_signs(const Work& work, const std::vector<double>& on,
                                           const std::vector<Reading>& observed) {
  if (!work.explain.cause.empty()) {
    return cli::places_of_names("--cause", work.explain.cause, work.tree.names());
  }
  std::vector<std::uint32_t> signs;
  std::vector<double> surest;
  for (const std::uint32_t i : work.question.told) {
    const bool is_open = work.question.predicts || observed[i] == Reading::missing;
    if (!is_open && !is_changed(on[i], observed[i])) continue;
    signs.push_back(i);
    surest.push_back(std::max(on[i], 1 - on[i]));
  }
  std::vector<std::uint32_t> found;
  for (const std::uint32_t k : family::likely_causes(work.explain, surest)) {
    found.push_back(signs[k]);
  }
  return found;
}

/// Of the likelier of a sign's two values; what was read is weighed one reading after the other.
/// Empty if the row is impossible.
std::vector<family::ExplainedCause> explain(const Work& work,
                                            const std::vector<Reading>& observed) {
  model::TreeInference inference(work.channel);
  std::vector<Reading> given(observed.size(), Reading::missing);
  for (const std::uint32_t i : work.question.given) given[i] = observed[i];
  if (std::isinf(inference.log_evidence(given))) return {};
  const auto posterior = inference.posterior();
  const std::vector<double> on(posterior.begin(), posterior.end());
  const std::vector<std::uint32_t> signs = explained_signs(work, on, observed);
  std::vector<family::ExplainedCause> explained;
  for (const std::uint32_t i : signs) {
    const bool is_on = on[i] >= .5;
    const double all_on = (1 + work.tree.means()[i]) / 2;
    const double prior = is_on ? all_on : 1 - all_on;
    const double probability = is_on ? on[i] : 1 - on[i];
    explained.push_back({fmt::format("{} {}", work.tree.names()[i], is_on ? "on" : "off"),
                         probability,
                         0,
                         prior,
                         family::log_odds(prior, 1 - prior),
                         family::log_odds(probability, 1 - probability),
                         {}});
  }
  for (const std::uint32_t x : work.question.given) {
    if (given[x] == Reading::missing) continue;
    const bool is_on = std::exchange(given[x], Reading::missing) == Reading::on;
    (void)inference.log_evidence(given);
    const auto without = inference.posterior();
    given[x] = observed[x];
    for (std::size_t k = 0; k < signs.size(); ++k) {
      const double p = on[signs[k]] >= .5 ? without[signs[k]] : 1 - without[signs[k]];
      explained[k].findings.push_back({work.tree.names()[x], is_on ? "on" : "off", is_on,
                                       explained[k].log_odds - family::log_odds(p, 1 - p)});
    }
  }
  for (family::ExplainedCause& cause : explained) family::sort_findings(cause.findings);
  return explained;
}

std::vector<Reading> read_row(const Work& work, std::uint64_t row) {
  std::size_t block = 0;
  std::uint64_t first = 0;
  while (first + work.reader.rows_of(block) <= row) first += work.reader.rows_of(block++);
  family::MatchedRows rows(work.columns);
  const std::size_t within = row - first;
  rows.load(work.reader.read(block), within / 64 * 64);
  std::vector<Reading> readings(work.tree.n_variables());
  model::read_bits(rows.values(within % 64), rows.missing(within % 64), readings);
  return readings;
}

void explain_row(const Arguments& arguments, const Work& work) {
  const std::uint64_t row = *work.explain.row;
  const auto explained = explain(work, read_row(work, row));
  if (explained.empty()) {
    throw InputError(fmt::format(
        "{}: row {}: there is no sign to explain: the row contradicts the model, or each hidden "
        "sign is most probably as observed; --cause NAME explains a sign all the same",
        family::name_of_rows(arguments), row));
  }
  family::print_explained(arguments, row, explained);
}

// ------------------------------------------------------------------------------------- all rows

std::unique_ptr<TreeOutput> open_output(const Arguments& arguments, const Work& work) {
  std::vector<std::string> names;
  for (const std::uint32_t i : work.question.told) names.push_back(work.tree.names()[i]);
  const store::SampleHeader& header = work.reader.header();
  return std::make_unique<TreeOutput>(
      arguments,
      store::PredictionHeader{header.n_samples, header.digest, work.question.given.size(),
                              work.tree.crossover(), std::move(names)});
}

void print_result(const Arguments& arguments, const Work& work, const TreeSummary& summary,
                  const TreeAnswers& kept) {
  nlohmann::json object = summary.json();
  std::string text;
  if (family::shows_rows(arguments, work.n_rows)) {
    Explained explained;
    for (std::uint64_t row = 0; row < work.n_rows && work.explain.is_asked; ++row) {
      explained.push_back(explain(work, read_row(work, row)));
    }
    object["results"] = tree_rows_json(kept, work.tree, work.question, explained);
    text = describe_tree_rows(kept, work.tree, work.question, explained);
  }
  const std::uint64_t n_more = work.reader.header().n_samples - work.n_rows;
  if (n_more > 0) object["more_rows"] = n_more;
  text += family::describe_more(n_more) + summary.text();
  family::print_inference(arguments, std::move(object), std::move(text));
}

void infer_all(const Arguments& arguments, const parallel::Team& team, const Work& work,
               family::KeptBatches& batches) {
  const Progress clock("", 0, "");
  std::unique_ptr<TreeOutput> output;
  if (team.is_root()) output = open_output(arguments, work);
  TreeSummary summary(work.tree, work.question);
  TreeAnswers kept;
  const bool keeps_rows = family::shows_rows(arguments, work.n_rows);
  std::vector<TreeWorker> workers(static_cast<std::size_t>(arguments.threads()), TreeWorker(work));
  family::for_each_batch<TreeAnswers>(
      team, work.reader, family::MatchedRows(work.columns), work.n_rows,
      tree_batch_rows(work.question), workers, batches,
      [](TreeWorker& mine, std::uint64_t row, const family::MatchedRows& rows,
         TreeAnswers& answers) { mine.evaluate(row, rows, answers); },
      [&](const TreeAnswers& answers) {
        summary.add(answers);
        if (keeps_rows) kept.append(answers);
        output->append(answers);
      });
  const std::uint64_t n_bytes = cli::bytes_read(team);
  if (!team.is_root()) return;
  if (summary.n_impossible() > 0) {
    log::warning(
        "{}: row {} contradicts the model ({} such rows): it has evidence 0 and no "
        "predictions; a tree with a crossover above 0 allows every row",
        family::name_of_rows(arguments), summary.impossible_row(), summary.n_impossible());
  }
  store::RunInfo run = arguments.run_info(team);
  run.bytes_read = n_bytes;
  run.stages = {{"infer", clock.seconds(), work.n_rows}};
  output->finish(run);
  batches.remove();
  print_result(arguments, work, summary, kept);
}

}  // namespace

void add_infer_options(options_description& options) {
  namespace po = boost::program_options;
  options.add_options()(
      "predict", po::value<std::string>()->value_name("NAMES"),
      "of a tree: predict these variables (a,b,... or @FILE, a name per line); all that are not "
      "given, without it");
  family::add_given_option(options);
  family::add_explain_options(options);
  family::add_format_option(options);
}

void infer(const model::LearnedTree& learned, const Arguments& arguments,
           const parallel::Team& team, const family::OpenBatches& open_batches) {
  const model::SignTree& tree = learned.tree;
  const family::ExplainOptions explain = family::explain_options(arguments);
  const TreeQuestion question = question_of(arguments, tree);
  const auto reader = family::open_bits(arguments, team, {tree.names()});
  const std::uint64_t n_samples = reader->header().n_samples;
  family::require_row(explain, n_samples);
  // Predictions are scored, for which all rows count; but rows that are explained are shown.
  const std::uint64_t n_rows =
      question.predicts && !explain.is_asked ? n_samples : family::rows_asked(arguments, n_samples);
  const std::vector<std::size_t> columns = team.root_first([&] {
    return family::match_columns(tree.names(), reader->names(), arguments.text("model"),
                                 family::name_of_rows(arguments));
  });
  const model::TreeChannel channel(tree);
  const Work work{tree, channel, question, *reader, columns, n_rows, explain};
  if (arguments.dry_run()) {
    if (team.is_root()) cli::print_plan(arguments, make_plan(arguments, team, work));
  } else if (explain.row) {
    if (team.is_root()) explain_row(arguments, work);
  } else {
    family::KeptBatches batches = open_batches(team);
    infer_all(arguments, team, work, batches);
  }
}

}  // namespace orrery::sign_tree
