// Structural EM for hidden causes of categorical variables: Friedman 1998, "The Bayesian structural
// EM algorithm", with the score of Cheeseman and Stutz, as Lazic, Bishop, Winn 2013 ("Structural
// expectation propagation", section 6.1) compare with.
//
//   paper                       code                      what
//   G, theta                    CategoricalNetwork        parents, tables and priors
//   D                           Data                      rows, shared by ranks and threads
//   M_0: fully connected        random_start              every cause a parent of every variable
//   E-step, M-step              expected_counts, advance  theta = posterior means
//   D'                          joint_counts              data completed once a search
//   log P(D'|G) - log P(D'|theta,G) + log P(D|theta,G)    em.hpp
//   greedy hill climbing        climb                     an edge of a variable at a time
//   M_n+1, theta_n+1            Search::judge             kept if the score is higher after EM
//   restarts                    Search                    the best score
//
// Cost: a pass of EM N (S G + the rows of all tables), S the number of joint states and G that of
// different sets of parents; a climb some K rounds of N D K S. Memory: tables of D L S numbers, 56
// bytes a number and thread for their sums. At 1,000 ranks the all-reduce of 48 bytes a count,
// twice for each pass of some milliseconds, comes to matter first; S is limited to 2^16.
//
// Departures from the paper, each an option:
// - While the structure takes shape EM is cut short (--early-iterations 0: it is not).
// - Starts are products of effects of each cause (--start rows: rows of tables drawn by
// themselves).
// - All variables' changes are tried at once, then the better half of them, and so on: a step that
//   EM finds worse is taken back.
// Missing values are left out of the completed data.
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/network/inference.hpp"
#include "families/categorical/structural_em/options.hpp"
#include "families/categorical/structural_em/search.hpp"
#include "families/categorical/structural_em/start.hpp"
#include "learning/load.hpp"
#include "learning/option_values.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/categorical_network.hpp"
#include "store/tables.hpp"

namespace orrery::structural_em {
namespace {

const char* name_of(ScoreKind kind) { return kind == ScoreKind::bic ? "bic" : "cheeseman-stutz"; }

void require_memory(const learning::DataContext& context, const data::CategoricalTable& table,
                    const Options& options) {
  const std::size_t n_states =
      count_joint_states(table, options.causes, options.cardinality, context.path);
  const double needed = learning::total(memory_to_learn(table, n_states, context.threads));
  if (context.memory_bytes == 0 || needed <= static_cast<double>(context.memory_bytes)) return;
  throw UsageError(fmt::format(
      "--memory allows {} a rank, but tables by {} joint states of {} causes take {} with {} "
      "thread(s); allow more, or use fewer threads or --causes",
      format_bytes(static_cast<double>(context.memory_bytes)), n_states, options.causes,
      format_bytes(needed), context.threads));
}

std::vector<std::string> remarks_on(const Fit& fit, const Options& options) {
  std::vector<std::string> remarks;
  if (!fit.has_converged) {
    remarks.push_back(fmt::format(
        "EM was still rising after {} passes in the network that was kept; a higher --iterations, "
        "or a larger --tolerance ({})",
        options.fit.max_passes, options.fit.tolerance));
  }
  std::vector<bool> has_variables(fit.network.n_causes(), false);
  for (const auto& variable : fit.network.variables()) {
    for (const std::uint32_t parent : variable.parents) has_variables[parent] = true;
  }
  std::vector<std::string> idle;
  for (std::size_t k = 0; k < has_variables.size(); ++k) {
    if (!has_variables[k]) idle.push_back(fit.network.causes()[k].name);
  }
  if (!idle.empty()) {
    remarks.push_back(fmt::format("no variable depends on {}: fewer --causes say as much",
                                  learning::list_names(idle)));
  }
  return remarks;
}

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  const Options options = read_options(values, false);
  const store::StoredTable stored =
      context.team.root_first([&] { return store::read_categorical(context.path); });
  learning::require_learnable(stored.table, options.causes, context.path);
  require_memory(context, stored.table, options);
  Fit fit = search(stored.table, options, context.seed, context.path,
                   {context.team, context.threads, context.checkpoints, context.stages});
  model::LearnedCategorical learned;
  learned.remarks = remarks_on(fit, options);
  learned.network = std::move(fit.network);
  learned.log_evidence = fit.score;
  learned.evidence_kind = name_of(options.fit.score.kind);
  learned.learner = "sem";
  learned.data_digest = stored.digest;
  learned.n_samples = stored.table.n_rows;
  if (context.team.is_root()) {
    for (const std::string& remark : learned.remarks) log::warning("{}", remark);
  }
  return learned;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool exact_moments, const boost::program_options::variables_map& values) {
  const Options options = read_options(values, exact_moments);
  return {{"--causes", fmt::format("{}", options.causes)},
          {"--cardinality", fmt::format("{}", options.cardinality)},
          {"--score", name_of(options.fit.score.kind)},
          {"--restarts", fmt::format("{}", options.restarts)},
          {"--start", options.start == StartKind::rows ? "rows" : "products"},
          {"--early-iterations", fmt::format("{}", options.early_passes)},
          {"--iterations", fmt::format("{}", options.fit.max_passes)},
          {"--tolerance", fmt::format("{}", options.fit.tolerance)},
          {"--alpha", fmt::format("{}", options.fit.score.alpha)},
          {"--seed", fmt::format("{}", values["seed"].as<std::uint64_t>())}};
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values, false));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "sem",
    .summary = "causes of categories by structural EM (Friedman 1998), any number of parents",
    .add_options = add_options,
    .result_options = result_options,
    .moments = learning::TakesMoments::none,
    .needs = "--causes K",
    .example = "--causes 2",
    .learn_data = learn,
    .plan_data = plan,
    .input = learning::Input::categories};

// ---- options and plan

namespace {

namespace po = boost::program_options;

constexpr std::array start_words{std::pair{"products", StartKind::products},
                                 std::pair{"rows", StartKind::rows}};
constexpr std::array score_words{std::pair{"cheeseman-stutz", ScoreKind::cheeseman_stutz},
                                 std::pair{"bic", ScoreKind::bic}};

}  // namespace

void add_options(po::options_description& options) {
  const Options defaults;
  options.add_options()("causes", po::value<std::uint64_t>()->value_name("K"),
                        "number of hidden causes")(
      "cardinality", po::value<std::uint64_t>()->default_value(defaults.cardinality),
      "states of each cause")("score", po::value<std::string>()->default_value("cheeseman-stutz"),
                              "what a structure is judged by: cheeseman-stutz, an approximation of "
                              "the marginal likelihood, "
                              "or bic")(
      "restarts", po::value<std::uint64_t>()->default_value(defaults.restarts),
      "random starts; the network with the highest score is kept")(
      "start", po::value<std::string>()->default_value("products"),
      "random tables of the full network: products of a factor a cause, or each of their rows by "
      "itself")(
      "early-iterations", po::value<std::uint64_t>()->default_value(defaults.early_passes),
      "passes of EM before each search while the structure takes shape; 0: EM goes on until it has "
      "converged from the first search on")(
      "iterations", po::value<std::uint64_t>()->default_value(defaults.fit.max_passes),
      "the most passes of EM for each structure after that")(
      "tolerance", po::value<double>()->default_value(defaults.fit.tolerance, "1e-6"),
      "EM ends when a pass gains less, in nats per row; so does the search")(
      "alpha", po::value<double>()->default_value(defaults.fit.score.alpha, "1"),
      "Dirichlet pseudocount of each category and of each state of a cause");
}

Options read_options(const po::variables_map& values, bool exact_moments) {
  if (exact_moments) {
    throw UsageError(
        "learn sem goes over samples, and moments alone hold none: give DATA (draw some from the "
        "network with `orrery sample`)");
  }
  if (values.count("causes") == 0) {
    throw UsageError("--causes K is missing: the number of hidden causes to learn");
  }
  Options options;
  options.causes = learning::value_within<std::uint64_t>(values, "causes", 1, 1'000'000);
  options.cardinality = learning::value_within<std::uint64_t>(values, "cardinality", 2, 64);
  options.restarts = learning::value_within<std::uint64_t>(values, "restarts", 1, 10'000);
  options.start = learning::value_of_word(values, "start", start_words);
  options.early_passes =
      learning::value_within<std::uint64_t>(values, "early-iterations", 0, 1'000'000'000);
  options.fit.max_passes =
      learning::value_within<std::uint64_t>(values, "iterations", 1, 1'000'000'000);
  options.fit.tolerance = learning::positive_value(values, "tolerance", 1);
  options.fit.score.alpha = learning::positive_value(values, "alpha", 1e6);
  options.fit.score.kind = learning::value_of_word(values, "score", score_words);
  return options;
}

// What a run would take.
//
// A pass of EM over the first rows is timed with the tables of the full network, which is the
// largest of the search; how many passes there will be is a guess from runs on generated networks.

namespace {

constexpr double measuring_seconds = .2;
constexpr std::uint64_t most_measured = 1000;  // rows
// Of a restart; climbs included.
constexpr double early_passes = 60;
constexpr double passes = 120;

/// Processor seconds of a pass over all rows.
double seconds_of_pass(const data::CategoricalTable& table, const Options& options,
                       const std::string& source, learning::Timing& timing) {
  const data::CategoricalTable part = model::first_rows(table, most_measured);
  const parallel::Team alone;
  const learning::RowShare rows(alone, 1, part.n_rows);
  const model::CategoricalNetwork network =
      random_start(part, options.causes, options.cardinality, options.start, 1, 0, source);
  const double seconds = timing.measure(measuring_seconds, [&] {
    (void)expected_counts(network, {part, rows});
  });
  return seconds * static_cast<double>(table.n_rows) / static_cast<double>(part.n_rows);
}

}  // namespace

learning::Parts memory_to_learn(const data::CategoricalTable& table, std::size_t n_states,
                                int threads) {
  constexpr double bytes_of_sum = 56;          // of a thread; see learning::RowShare
  constexpr double climbing_bytes = 3 * 64e6;  // see hill_climbing.cpp: ratios, tables, counts
  double n_categories = 0;
  for (const auto& categories : table.categories) {
    n_categories += static_cast<double>(categories.size());
  }
  const double entries = n_categories * static_cast<double>(n_states);
  const double climbing = std::min(climbing_bytes, 24 * entries);
  // Tables and counts of the networks under way: three fits, two scratch copies.
  return {{"rows", static_cast<double>(table.codes.size())},
          {"networks", 10 * 8 * entries},
          {"sums", bytes_of_sum * entries * threads},
          {"climb", climbing}};
}

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  const store::StoredTable stored = store::read_categorical(context.path);
  learning::require_learnable(stored.table, options.causes, context.path);
  const std::size_t n_states =
      count_joint_states(stored.table, options.causes, options.cardinality, context.path);
  const double seconds = seconds_of_pass(stored.table, options, context.path, context.timing);
  const double n_passes = passes + (options.early_passes > 0 ? early_passes : 2 * passes);
  context.timing.shared("structural_em",
                        seconds * n_passes * static_cast<double>(options.restarts));
  learning::Plan plan;
  plan.memory = learning::memory_of_program(context.resources);
  for (auto& part : memory_to_learn(stored.table, n_states, context.resources.threads)) {
    plan.memory.push_back(std::move(part));
  }
  plan.memory_bytes = learning::total(plan.memory);
  plan.units = options.restarts;
  plan.unit = "restarts";
  return plan;
}

}  // namespace orrery::structural_em
