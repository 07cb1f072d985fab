#include <fmt/format.h>

#include <algorithm>
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

TreeQuestion question_of(const Arguments& arguments, const model::SignTree& tree) {
  const std::size_t p = tree.n_variables();
  TreeQuestion question;
  const bool given = arguments.has("given");
  const bool predict = arguments.has("predict");
  question.predicts = given || predict;
  if (given)
    question.given = cli::places_of_names("--given", arguments.text("given"), tree.names());
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
  const auto rows = static_cast<double>(header.n_samples);
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
  plan.units = header.n_samples;
  plan.unit = "rows";
  learning::Parts parts = learning::memory_of_program(resources);
  parts.emplace_back("block", block_bytes);
  parts.emplace_back("tables", p * (64.0 * 2 + 56 * arguments.threads()));
  parts.emplace_back("results", 3 * static_cast<double>(tree_batch_rows(work.question)) * 9 * told);
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

std::unique_ptr<store::PredictionWriter> open_output(const Arguments& arguments, const Work& work) {
  std::vector<std::string> names;
  for (const std::uint32_t i : work.question.told) names.push_back(work.tree.names()[i]);
  const store::SampleHeader& header = work.reader.header();
  return std::make_unique<store::PredictionWriter>(
      arguments.text("output"),
      store::PredictionHeader{header.n_samples, header.digest, work.question.given.size(),
                              work.tree.crossover(), std::move(names)});
}

void print_result(const Arguments& arguments, const Work& work, const TreeSummary& summary,
                  const TreeAnswers& kept) {
  nlohmann::json object = summary.json();
  std::string text;
  if (work.reader.header().n_samples <= family::most_shown_rows) {
    object["results"] = tree_rows_json(kept, work.tree, work.question);
    text = describe_tree_rows(kept, work.tree, work.question);
  }
  text += summary.text();
  family::print_inference(arguments, std::move(object), std::move(text));
}

void infer_all(const Arguments& arguments, const parallel::Team& team, const Work& work,
               family::KeptBatches& batches) {
  const Progress clock("", 0, "");
  std::unique_ptr<store::PredictionWriter> writer;
  if (arguments.has("output") && team.is_root()) writer = open_output(arguments, work);
  TreeSummary summary(work.tree, work.question);
  TreeAnswers kept;
  std::vector<TreeWorker> workers(static_cast<std::size_t>(arguments.threads()), TreeWorker(work));
  family::for_each_batch<TreeAnswers>(
      team, work.reader, family::MatchedRows(work.columns), tree_batch_rows(work.question), workers,
      batches,
      [](TreeWorker& mine, std::uint64_t row, const family::MatchedRows& rows,
         TreeAnswers& answers) { mine.evaluate(row, rows, answers); },
      [&](const TreeAnswers& answers) {
        summary.add(answers);
        if (work.reader.header().n_samples <= family::most_shown_rows) kept.append(answers);
        if (writer) writer->append({answers.log_evidence, answers.probability});
      });
  const std::uint64_t n_bytes = cli::bytes_read(team);
  if (!team.is_root()) return;
  if (summary.n_impossible() > 0) {
    log::warning(
        "{}: row {} contradicts the model ({} such rows): it has evidence 0 and no "
        "predictions; a tree with a crossover above 0 allows every row",
        arguments.text("data"), summary.impossible_row(), summary.n_impossible());
  }
  if (writer) {
    store::RunInfo run = arguments.run_info(team);
    run.bytes_read = n_bytes;
    run.stages = {{"infer", clock.seconds(), work.reader.header().n_samples}};
    writer->finish(run);
  }
  batches.remove();
  print_result(arguments, work, summary, kept);
}

}  // namespace

void add_infer_options(options_description& options) {
  namespace po = boost::program_options;
  options.add_options()(
      "given", po::value<std::string>()->value_name("NAMES"),
      "of a tree: predict from these variables alone (a,b,... or @FILE, a name per line); from all "
      "that are not predicted, without it")(
      "predict", po::value<std::string>()->value_name("NAMES"),
      "of a tree: predict these variables; all that are not given, without it");
}

void infer(const model::LearnedTree& learned, const Arguments& arguments,
           const parallel::Team& team, const family::OpenBatches& open_batches) {
  const std::string source = arguments.required("model");
  const std::string data = arguments.required("data");
  const model::SignTree& tree = learned.tree;
  const TreeQuestion question = question_of(arguments, tree);
  const auto reader = team.root_first([&] { return std::make_unique<store::SampleReader>(data); });
  family::require_inference_output(arguments, data, reader->header().n_samples, question.predicts);
  const std::vector<std::size_t> columns = team.root_first(
      [&] { return family::match_columns(tree.names(), reader->names(), source, data); });
  const model::TreeChannel channel(tree);
  const Work work{tree, channel, question, *reader, columns};
  if (!arguments.dry_run()) {
    family::KeptBatches batches = open_batches(team);
    infer_all(arguments, team, work, batches);
  } else if (team.is_root()) {
    cli::print_plan(arguments, make_plan(arguments, team, work));
  }
}

}  // namespace orrery::sign_tree
