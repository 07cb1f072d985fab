// Structural expectation propagation (Lazic, Bishop, Winn 2013, "Structural expectation propagation
// (SEP): Bayesian structure learning for networks with latent variables").
//
//   paper                       code                         what
//   G_i, U_k, I_nk              messages: ParentSet          structure variables, product causes
//   gamma, nu, rho, mu          messages, cause_messages     Eqs. (17)-(28), of one row
//   proj[]                      dirichlet                    moment matching
//   q(G), q(theta)              approximation                all rows, and the structure held
//   EP                          approximation: iterate       from a start to a fixed point
//   Eqs. 10-12                  evidence                     of a row, of all rows
//   "initialising"              search                       starts, and escapes from local optima
//                               evidence: StructureBounds    a variable's parents reconsidered
//   section 5                   approximation: hold_causes   conditioning
//                               network                      MAP network, modes
//   K by held-out data          run_state: choices           --causes 2-6
//
// Cost and memory: messages.hpp; a start takes some hundred sweeps. Rows are shared by ranks and
// threads.
//
// Departures from the paper, beside those named in messages.hpp and search.hpp:
// - Updates within a sweep see q(G) and q(theta) of the sweep before, and parameters' messages are
//   damped: the paper does not give its schedule. Fixed points are the same.
// - Priors of the causes in the network are their frequencies (network.cpp); uniform in inference.
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/variables_map.hpp>
#include <optional>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "families/categorical/structural_ep/options.hpp"
#include "families/categorical/structural_ep/run_state.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "learning/load.hpp"
#include "learning/stages.hpp"
#include "orrery/model/categorical_network.hpp"
#include "store/tables.hpp"

namespace orrery::structural_ep {
namespace {

/// Numbers of causes in a row that are no better, at which --causes auto ends.
constexpr std::size_t most_idle = 2;
/// Starts with each part held out, and rows, by which --causes auto chooses: all numbers alike end
/// in local optima now and then, and differences in prediction show with some thousand rows.
constexpr std::uint32_t choosing_starts = 2;
constexpr std::uint64_t choosing_rows = 10'000;
/// Numbers that a sweep updates, for each of which a thread costs less than it gains.
constexpr double numbers_a_thread = 50'000;

/// Fewer threads for small tables: a sweep ends with a barrier. The bytes are the same.
int useful_threads(int threads, const data::CategoricalTable& table, const Shape& shape) {
  const double numbers =
      static_cast<double>(table.codes.size()) * static_cast<double>(shape.n_states);
  return std::clamp(static_cast<int>(std::min(numbers / numbers_a_thread, 1e6)), 1, threads);
}

class Run {
 public:
  Run(const learning::DataContext& context, const Options& options, data::CategoricalTable table)
      : context_(context),
        options_(options),
        table_(std::move(table)),
        state_(restore(context.team, context.checkpoints)),
        choosing_options_(options) {
    if (n_numbers() > 1) state_.held_out.resize(n_numbers());
    if (!options_.stops_early) return;
    choosing_options_.restarts = std::min(options_.restarts, choosing_starts);
    thinned_ = thinned(table_, choosing_rows);
  }

  model::LearnedCategorical learn() {
    learning::require(state_.task <= n_choosing(), "at");
    while (state_.task < n_choosing() && !is_cut_short() && !is_past_best()) try_number();
    std::uint32_t n_causes = options_.first_causes;
    std::vector<model::LearnedCategorical::Choice> tried;
    // When the time is over, of the numbers that were tried with every part of the rows.
    state_.held_out.resize(std::min(state_.held_out.size(), state_.task / options_.folds));
    if (!state_.held_out.empty()) {
      tried = choices(options_.first_causes, state_.held_out);
      n_causes = std::ranges::max_element(tried, {}, &model::LearnedCategorical::Choice::held_out)
                     ->n_causes;
      log::info("{} causes predict held-out rows best", n_causes);
    }
    model::LearnedCategorical learned = fit(table_, n_causes, options_);
    learned.choices = std::move(tried);
    return learned;
  }

 private:
  [[nodiscard]] std::size_t n_numbers() const {
    return options_.last_causes - options_.first_causes + 1;
  }
  /// Tasks before the last one.
  [[nodiscard]] std::uint64_t n_choosing() const {
    return n_numbers() > 1 ? n_numbers() * options_.folds : 0;
  }

  /// --causes auto: the last numbers predict held-out rows no better than one before.
  [[nodiscard]] bool is_past_best() const {
    if (!options_.stops_early || state_.task % options_.folds != 0) return false;
    const std::size_t n_tried = state_.task / options_.folds;
    if (n_tried <= most_idle) return false;
    const auto tried = choices(
        options_.first_causes,
        {state_.held_out.begin(), state_.held_out.begin() + static_cast<std::ptrdiff_t>(n_tried)});
    const auto best =
        std::ranges::max_element(tried, {}, &model::LearnedCategorical::Choice::held_out);
    return std::ranges::distance(best, tried.end()) > static_cast<std::ptrdiff_t>(most_idle);
  }

  model::LearnedCategorical fit(const data::CategoricalTable& all, std::uint32_t n_causes,
                                const Options& options) {
    learning::StageWatch watch(context_.stages, fmt::format("{}_causes", n_causes));
    const auto distinct = distinct_rows(all);
    const data::CategoricalTable& table = distinct ? distinct->table : all;
    const WeightedRows observed =
        distinct ? WeightedRows(table, distinct->weights) : WeightedRows(table);
    const Shape shape = shape_of(table, n_causes, options.cardinality, options.max_parents);
    const learning::RowShare rows(context_.team, useful_threads(context_.threads, table, shape),
                                  table.n_rows);
    BestStart best = best_start(state_, rows, shape);
    Progress progress(fmt::format("{} causes", n_causes), options.restarts, "starts");
    progress.advance(best.n_done);
    const auto go_on = [&] {
      try {
        keep(context_.team, context_.checkpoints, state_, best);
        return true;
      } catch (const learning::TimeUp&) {
        return false;
      }
    };
    run_starts(
        observed, rows, n_causes, options, best, [&](const BestStart&) { progress.advance(); },
        go_on);
    progress.advance();
    return infer_network(observed, rows, n_causes, options, best, go_on);
  }

  [[nodiscard]] bool is_cut_short() const { return context_.checkpoints.is_cut_short(); }

  /// A number of causes with a part of the rows held out.
  void try_number() {
    const auto number = static_cast<std::uint32_t>(state_.task / options_.folds);
    const auto fold = static_cast<std::uint32_t>(state_.task % options_.folds);
    const std::uint32_t n_causes = options_.first_causes + number;
    const data::CategoricalTable& table = thinned_ ? *thinned_ : table_;
    const auto rest = rows_outside_fold(table, options_.seed, options_.folds, fold);
    const auto part = rows_in_fold(table, options_.seed, options_.folds, fold);
    if (rest.n_rows > 0 && part.n_rows > 0) {
      const auto learned = fit(rest, n_causes, choosing_options_);
      if (is_cut_short()) {
        state_.n_done = state_.n_begun = 0;  // these starts are of a part of the rows
        return;
      }
      predict_rows(learned.network, part, context_.team, context_.threads, state_.held_out[number]);
    }
    ++state_.task;
    state_.n_done = state_.n_begun = 0;
    state_.n_agreeing = 0;
    try {
      keep(context_.team, context_.checkpoints, state_, {});
    } catch (const learning::TimeUp&) {  // learn() sees it
    }
  }

  const learning::DataContext& context_;
  const Options& options_;
  data::CategoricalTable table_;
  RunState state_;
  Options choosing_options_;
  std::optional<data::CategoricalTable> thinned_;  // rows to choose by; none: all
};

model::AnyModel learn(const learning::DataContext& context,
                      const boost::program_options::variables_map& values) {
  Options options = read_options(values);
  options.seed = context.seed;
  auto stored = context.team.root_first([&] {
    auto loaded = store::read_categorical(context.path);
    learning::require_learnable(
        loaded.table, for_columns(options, loaded.table.n_columns()).last_causes, context.path);
    return loaded;
  });
  options = for_columns(options, stored.table.n_columns());
  const std::uint64_t n_samples = stored.table.n_rows;
  Run run(context, options, std::move(stored.table));
  model::LearnedCategorical learned = run.learn();
  learned.learner = "sep";
  learned.data_digest = stored.digest;
  learned.n_samples = n_samples;
  if (context.team.is_root()) {
    for (const std::string& remark : learned.remarks) log::warning("{}", remark);
  }
  return learned;
}

std::vector<std::pair<std::string, std::string>> result_options(
    bool /*exact_moments*/, const boost::program_options::variables_map& values) {
  const Options options = read_options(values);
  return {{"--causes", values["causes"].as<std::string>()},
          {"--parents", fmt::format("{}", options.max_parents)},
          {"--cardinality", fmt::format("{}", options.cardinality)},
          {"--restarts", fmt::format("{}", options.restarts)},
          {"--agreements", fmt::format("{}", options.agreements)},
          {"--extra-causes", fmt::format("{}", options.extra)},
          {"--projection", values["projection"].as<std::string>()},
          {"--prior", fmt::format("{}", options.prior)},
          {"--damping", fmt::format("{}", options.damping)},
          {"--tolerance", fmt::format("{}", options.tolerance)},
          {"--max-iterations", fmt::format("{}", options.max_sweeps)},
          {"--conditionings", fmt::format("{}", options.conditionings)},
          {"--independent-below", fmt::format("{}", options.independent_below)},
          {"--folds", fmt::format("{}", options.folds)},
          {"--top", fmt::format("{}", options.top)},
          {"--seed", fmt::format("{}", values["seed"].as<std::uint64_t>())}};
}

learning::Plan plan(const learning::DataPlanContext& context,
                    const boost::program_options::variables_map& values) {
  return predict(context, read_options(values));
}

}  // namespace

extern const learning::LearnerEntry entry;
const learning::LearnerEntry entry{
    .name = "sep",
    .summary = "causes of categories, with a posterior over structures (Lazic et al. 2013)",
    .add_options = add_options,
    .result_options = result_options,
    .moments = learning::TakesMoments::none,
    .learn_data = learn,
    .plan_data = plan,
    .input = learning::Input::categories};

}  // namespace orrery::structural_ep
