// `infer` for categorical networks. What is found of a row has the form of other networks' answers
// (store/posterior.hpp), each state of a cause in the place of a cause; an explanation is a joint
// state, one state of each cause.
#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/options_description.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "cli/arguments.hpp"
#include "cli/printing.hpp"
#include "families/categorical/commands.hpp"
#include "families/categorical/explained_states.hpp"
#include "families/categorical/network/inference.hpp"
#include "family/answers.hpp"
#include "family/asked_rows.hpp"
#include "family/explained_causes.hpp"
#include "family/matched_rows.hpp"
#include "family/posterior_rows.hpp"
#include "orrery/base/error.hpp"
#include "orrery/data/categorical_table.hpp"
#include "store/posterior.hpp"
#include "store/tables.hpp"

namespace orrery::categorical {
namespace {

using data::CategoricalTable;
using model::CategoricalInference;

/// What is found of one row.
struct Answer {
  model::CategoricalPosterior posterior;
  std::vector<std::pair<double, std::uint32_t>> best;  // -log P(u | row) and u, the best first
};

/// The `top` most probable joint states; of equal ones the lowest number.
Answer answer_of(const CategoricalInference& inference, std::span<const std::uint8_t> codes,
                 std::uint32_t top) {
  Answer answer{inference.posterior(codes), {}};
  if (top == 0 || std::isinf(answer.posterior.log_likelihood)) return answer;
  std::vector<double> scores(inference.n_states());
  inference.log_joint(codes, scores);
  std::vector<std::pair<double, std::uint32_t>> states;
  for (std::uint32_t u = 0; u < scores.size(); ++u) {
    if (!std::isinf(scores[u])) {
      states.emplace_back(answer.posterior.log_likelihood - scores[u], u);
    }
  }
  const auto n = static_cast<std::ptrdiff_t>(std::min<std::size_t>(top, states.size()));
  std::ranges::partial_sort(states, states.begin() + n);
  answer.best.assign(states.begin(), states.begin() + n);
  return answer;
}

void append_explanations(const Answer& answer, const CategoricalInference& inference,
                         std::uint32_t top, store::PosteriorRows& rows) {
  for (std::uint32_t i = 0; i < top; ++i) {
    const bool is_there = i < answer.best.size();
    rows.log_probability.push_back(is_there ? -answer.best[i].first
                                            : std::numeric_limits<double>::quiet_NaN());
    rows.proven.push_back(is_there ? 1 : 0);
    const auto states = is_there ? inference.states().states(answer.best[i].second)
                                 : std::span<const std::uint8_t>();
    rows.n_present.push_back(states.size());
    std::uint32_t first = 0;
    for (std::size_t k = 0; k < states.size(); ++k) {
      rows.present.push_back(first + states[k]);
      first += static_cast<std::uint32_t>(inference.states().cardinalities()[k]);
    }
  }
}

void append_row(const Answer& answer, const CategoricalInference& inference,
                const family::PosteriorOptions& settings, store::PosteriorRows& rows) {
  const bool is_possible = !std::isinf(answer.posterior.log_likelihood);
  rows.log_evidence.push_back(answer.posterior.log_likelihood);
  rows.log_evidence_error.push_back(0);
  rows.method.push_back(is_possible ? 0 : 2);
  rows.effective_samples.push_back(0);
  std::uint64_t n_listed = 0;
  for (std::uint32_t s = 0; is_possible && s < answer.posterior.marginals.size(); ++s) {
    const double probability = std::min(answer.posterior.marginals[s], 1.0);
    if (probability < settings.min_posterior) continue;
    ++n_listed;
    rows.cause.push_back(s);
    rows.probability.push_back(probability);
    rows.error.push_back(0);
  }
  rows.n_listed.push_back(n_listed);
  append_explanations(answer, inference, settings.top, rows);
}

/// Of rows [first, last), in order, shared by threads. Memory: beside the answers some tens of
/// bytes a joint state and thread.
store::PosteriorRows answer_rows(const CategoricalInference& inference,
                                 const CategoricalTable& table, std::uint64_t first,
                                 std::uint64_t last, const family::PosteriorOptions& settings,
                                 int threads) {
  std::vector<Answer> answers(last - first);
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (std::uint64_t n = first; n < last; ++n) {
    answers[n - first] = answer_of(inference, table.row(n), settings.top);
  }
  store::PosteriorRows rows;
  for (const Answer& answer : answers) append_row(answer, inference, settings, rows);
  return rows;
}

using data::CategoricalTable;
using model::CategoricalInference;
using model::CategoricalNetwork;
using nlohmann::json;

constexpr std::uint64_t most_batch_rows = 4096;

/// All of the rows' values and what was found of them.
family::ShownRows show(const CategoricalTable& table, const store::PosteriorRows& rows) {
  family::ShownRows shown{rows, {}, {}};
  for (std::uint64_t n = 0; n < table.n_rows; ++n) {
    std::vector<std::uint32_t> values;
    std::uint64_t n_missing = 0;
    std::size_t first = 0;
    for (std::size_t i = 0; i < table.n_columns(); ++i) {
      const std::uint8_t code = table.row(n)[i];
      if (code == data::missing_code) {
        ++n_missing;
      } else {
        values.push_back(static_cast<std::uint32_t>(first + code));
      }
      first += table.categories[i].size();
    }
    shown.positive.push_back(std::move(values));
    shown.n_missing.push_back(n_missing);
  }
  return shown;
}

/// What every part of the command works on.
struct CategoricalQuestion {
  const CategoricalNetwork& network;
  const CategoricalTable& table;  ///< in the network's order: the rows that are looked at
  std::uint64_t digest;
  std::uint64_t n_more;  ///< rows behind them
  family::PosteriorOptions settings;
  family::ExplainOptions explain;
};

void print_result(const Arguments& arguments, const CategoricalQuestion& question,
                  const family::InferenceSummary& summary, const store::PosteriorRows& kept) {
  json object = family::summary_json(summary);
  std::string text;
  if (family::shows_rows(arguments, summary.n_rows)) {
    const family::RowWords words = words_of(question.network);
    family::ShownRows shown = show(question.table, kept);
    shown.names = family::names_of_rows(arguments);
    const CategoricalInference inference(question.network);
    for (std::uint64_t n = 0; n < summary.n_rows && question.explain.is_asked; ++n) {
      shown.explained.push_back(
          explain_states(question.network, inference, question.explain, question.table.row(n)));
    }
    object["results"] = family::rows_json(shown, question.settings.top, words);
    text = family::describe_rows(shown, question.settings.top, words);
  }
  if (question.n_more > 0) object["more_rows"] = question.n_more;
  text += family::describe_more(question.n_more) + family::describe_summary(summary);
  family::print_inference(arguments, std::move(object), std::move(text));
}

void explain_row(const Arguments& arguments, const CategoricalQuestion& question) {
  const std::uint64_t row = *question.explain.row;
  const CategoricalInference inference(question.network);
  const auto explained =
      explain_states(question.network, inference, question.explain, question.table.row(row));
  if (explained.empty()) {
    throw InputError(fmt::format(
        "{}: row {} is impossible under the model (a probability of 0); correct the row or the "
        "model",
        family::name_of_rows(arguments), row));
  }
  family::print_explained(arguments, row, explained);
}

store::PosteriorRows rows_of_batch(const CategoricalQuestion& question,
                                   const CategoricalInference& inference, int threads,
                                   std::uint64_t number, family::KeptBatches& batches) {
  const std::uint64_t first = number * most_batch_rows;
  const std::uint64_t last = std::min(question.table.n_rows, first + most_batch_rows);
  if (number < batches.n_done()) {
    return family::unpack_answers(batches.batch(number), last - first);
  }
  store::PosteriorRows rows =
      answer_rows(inference, question.table, first, last, question.settings, threads);
  batches.add(batches.keeps() ? family::pack_answers(rows) : std::vector<std::byte>());
  return rows;
}

void infer_all(const Arguments& arguments, const parallel::Team& team,
               const CategoricalQuestion& question, family::KeptBatches& batches) {
  const Progress clock("", 0, "");
  const CategoricalInference inference(question.network);
  family::RowWords words = words_of(question.network);
  const store::PosteriorHeader header{question.table.n_rows, question.digest,
                                      question.settings.min_posterior, question.settings.top,
                                      words.causes};
  family::PosteriorOutput output(arguments, header, std::move(words));
  family::InferenceSummary summary;
  store::PosteriorRows kept;
  Progress progress("infer", question.table.n_rows, "rows");
  for (std::uint64_t number = 0; number * most_batch_rows < question.table.n_rows; ++number) {
    const store::PosteriorRows rows =
        rows_of_batch(question, inference, arguments.threads(), number, batches);
    summary.add(rows, question.settings.top);
    if (family::shows_rows(arguments, question.table.n_rows)) kept.append(rows);
    output.append(rows);
    progress.advance(rows.size());
  }
  if (summary.n_of_method[2] > 0) {
    log::warning(
        "{}: {} of {} rows are impossible under the model (a probability of 0); they have evidence "
        "0 and no posteriors",
        family::name_of_rows(arguments), summary.n_of_method[2], summary.n_rows);
  }
  store::RunInfo run = arguments.run_info(team);
  run.stages = {{"infer", clock.seconds(), question.table.n_rows}};
  output.finish(run);
  batches.remove();
  print_result(arguments, question, summary, kept);
}

/// Measured on rows of the table, for about a quarter of a second.
learning::Plan make_plan(const Arguments& arguments, const parallel::Team& team,
                         const CategoricalQuestion& question) {
  const CategoricalInference inference(question.network);
  const learning::Resources resources = learning::resources_of(team, arguments.threads());
  learning::Timing timing(resources);
  std::uint64_t next = 0;
  const double seconds = timing.measure(.25, [&] {
    const std::uint64_t row = next++ % question.table.n_rows;
    (void)answer_rows(inference, question.table, row, row + 1, question.settings, 1);
  });
  timing.alone("rows", seconds * static_cast<double>(question.table.n_rows) / arguments.threads());
  learning::Plan plan;
  plan.units = question.table.n_rows;
  plan.unit = "rows";
  const auto n_states = static_cast<double>(inference.n_states());
  const auto n_columns = static_cast<double>(question.network.n_observed());
  learning::Parts parts = learning::memory_of_program(resources);
  parts.emplace_back("rows", 2 * static_cast<double>(question.table.codes.size()));
  parts.emplace_back("tables", n_states * (4 * n_columns + 32.0 * arguments.threads()));
  learning::raise_memory(plan, std::move(parts));
  timing.into(plan);
  return plan;
}

}  // namespace

void add_infer_options(boost::program_options::options_description& options) {
  family::add_explain_options(options);
  family::add_posterior_options(options);
  family::add_given_option(options);
  family::add_format_option(options);
}

void infer(const model::LearnedCategorical& learned, const Arguments& arguments,
           const parallel::Team& team, const family::OpenBatches& open_batches) {
  if (!team.is_root()) return;
  family::refuse_given_beside_data(arguments);
  const family::PosteriorOptions settings = family::posterior_options(arguments, 1000);
  const family::ExplainOptions explain = family::explain_options(arguments);
  const std::string source = family::name_of_rows(arguments);
  CategoricalTable variables;
  variables.names = learned.network.names();
  for (const auto& variable : learned.network.variables()) {
    variables.categories.push_back(variable.categories);
  }
  const store::StoredTable stored = family::open_categories(arguments, variables);
  const std::uint64_t n_samples = stored.table.n_rows;
  if (n_samples == 0) {
    throw InputError(fmt::format("{}: holds no row; give rows to infer the causes of", source));
  }
  family::require_row(explain, n_samples);
  const std::uint64_t n_rows =
      explain.row ? *explain.row + 1 : family::rows_asked(arguments, n_samples);
  const CategoricalTable table =
      n_rows == n_samples
          ? model::in_order_of(learned.network, stored.table, source)
          : model::in_order_of(learned.network, model::first_rows(stored.table, n_rows), source);
  const CategoricalQuestion question{learned.network,    table,    stored.digest,
                                     n_samples - n_rows, settings, explain};
  if (arguments.dry_run()) {
    cli::print_plan(arguments, make_plan(arguments, team, question));
  } else if (explain.row) {
    explain_row(arguments, question);
  } else {
    const parallel::Team alone;
    family::KeptBatches batches = open_batches(alone);
    infer_all(arguments, team, question, batches);
  }
}

}  // namespace orrery::categorical
