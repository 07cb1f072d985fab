// Structural expectation propagation (Lazic, Bishop, Winn 2013, "Structural expectation propagation
// (SEP): Bayesian structure learning for networks with latent variables").
//
//   paper                       code                         what
//   G_i, U_k, I_nk              messages: ParentSet          structure variables, product causes
//   gamma, nu, rho, mu          messages, cause_messages     Eqs. (17)-(28), of one row
//                               group_update                 the same of eight rows at once
//   proj[]                      dirichlet                    moment matching
//   q(G), q(theta)              approximation                all rows, and the structure held
//   EP                          approximation: iterate       from a start to a fixed point
//   Eqs. 10-12                  evidence                     of a row, of all rows
//   Figures 4, 5, Table 3       given_structure              of a structure alone (evaluate)
//   "initialising"              search, clusters, merges     starts, and escapes from local optima
//                               evidence: StructureBounds    a variable's parents reconsidered
//                               random_start                 --start random: the paper's own way
//   section 5                   approximation: hold_causes   conditioning
//                               network                      MAP network, modes
//   K by held-out data          number_race                  --causes 2-6; auto: 0 to 10
//
// Cost and memory: messages.hpp; a start takes 50 to 100 sweeps, 20 to 40 where it leads to where
// the best one came from (search.hpp). Choosing among K numbers of causes takes two or three starts
// a number, of four fifths of the rows, where one part held out decides (number_race.hpp), and five
// times as many for numbers that are close. 1,000 rows of 50 variables, one parent: 0.15 s of the
// processor for a start of three causes, 1.6 s for --causes auto. Rows are shared by ranks and
// threads.
//
// Departures from the paper, beside those named in messages.hpp and search.hpp:
// - Updates within a sweep see q(G) and q(theta) of the sweep before, and parameters' messages are
//   damped: the paper does not give its schedule. Fixed points are the same.
// - --causes auto has a network without causes too, and leaves out the edges of variables that are
//   more probable by themselves (independence). A number that is given keeps all edges.
// - Priors of the causes in the network are their frequencies (network.cpp); uniform in inference.
#include "learning/learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/program_options/variables_map.hpp>
#include <optional>

#include "base/log.hpp"
#include "base/progress.hpp"
#include "families/categorical/structural_ep/distinct_rows.hpp"
#include "families/categorical/structural_ep/independence.hpp"
#include "families/categorical/structural_ep/options.hpp"
#include "families/categorical/structural_ep/run_state.hpp"
#include "families/categorical/structural_ep/search.hpp"
#include "learning/load.hpp"
#include "learning/stages.hpp"
#include "orrery/model/categorical_network.hpp"
#include "store/tables.hpp"

namespace orrery::structural_ep {
namespace {

/// Rows by which --causes auto chooses: differences in prediction show with some thousand.
constexpr std::uint64_t choosing_rows = 10'000;
/// Numbers that a sweep updates, for each of which a thread costs less than it gains. With 300,000
/// (1,000 rows of 50 variables, three causes) two threads take half the time of one on two cores
/// that others used too, and 0.96 of its processor time; with 120,000 (400 rows), which take half a
/// millisecond, they gained nothing and took a sixth more of that.
constexpr double numbers_a_thread = 75'000;

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
        state_(restore(context.team, context.checkpoints)) {
    if (options_.stops_early) thinned_ = thinned(table_, choosing_rows);
    rules_ = {options_.folds, judged_rows().n_rows, options_.stops_early,
              options_.first_causes == 0};
    if (state_.trials.empty()) state_.trials.resize(n_numbers() > 1 ? n_numbers() : 0);
    learning::require(state_.trials.size() == (n_numbers() > 1 ? n_numbers() : 0),
                      "held_out_parts");
  }

  model::LearnedCategorical learn() {
    while (!is_cut_short()) {
      const auto place = next_to_try(state_.trials, rules_);
      if (!place) break;
      try_number(*place);
    }
    const std::uint32_t n_causes = best_number();
    model::LearnedCategorical learned = n_causes == 0
                                            ? independent_network(table_, options_.prior)
                                            : fit(table_, n_causes, options_, infer_network);
    learned.choices = choices(options_.first_causes, state_.trials, rules_);
    if (n_causes == 0) learned.remarks.push_back(no_cause_remark());
    return learned;
  }

 private:
  [[nodiscard]] std::size_t n_numbers() const {
    return options_.last_causes - options_.first_causes + 1;
  }
  /// Those by which the number is chosen.
  [[nodiscard]] const data::CategoricalTable& judged_rows() const {
    return thinned_ ? *thinned_ : table_;
  }

  /// When the time is over: of the numbers that were tried.
  [[nodiscard]] std::uint32_t best_number() const {
    const auto best = winner(state_.trials, rules_);
    const bool none_alone =
        rules_.begins_at_none && !gain_over_none(state_.trials, rules_).has_value();
    if (!best || none_alone) return std::max(options_.first_causes, 1U);
    const std::uint32_t n_causes = options_.first_causes + static_cast<std::uint32_t>(*best);
    if (n_causes == 0) return 0;  // a remark says it
    log::info("{} held-out rows best",
              n_causes == 1 ? "1 cause predicts" : fmt::format("{} causes predict", n_causes));
    return n_causes;
  }

  [[nodiscard]] std::string no_cause_remark() const {
    const Gain gain = gain_over_none(state_.trials, rules_).value_or(Gain{});
    return fmt::format(
        "no cause found: independent variables predict held-out rows as well as causes do ({}: "
        "{:+.3g} nats per row beside them, standard error {:.2g})",
        gain.place == 1 ? "1 cause" : fmt::format("{} causes", gain.place), gain.mean, gain.error);
  }

  /// Runs the starts of one number of causes on one table, and returns what `infer` makes of them:
  /// infer_network, or network_of_start.
  template <class Result>
  Result fit(const data::CategoricalTable& all, std::uint32_t n_causes, const Options& options,
             Result (&infer)(const WeightedRows&, const learning::RowShare&, std::size_t,
                             const Options&, const BestStart&, const std::function<bool()>&)) {
    learning::StageWatch watch(context_.stages, fmt::format("{}_causes", n_causes));
    const auto distinct = distinct_rows(all);
    const data::CategoricalTable& table = distinct ? distinct->table : all;
    const WeightedRows observed =
        distinct ? WeightedRows(table, distinct->weights) : WeightedRows(table);
    const Shape shape = shape_of(table, n_causes, options.cardinality, options.max_parents);
    const learning::RowShare rows(context_.team, useful_threads(context_.threads, table, shape),
                                  table.n_rows);
    BestStart best = best_start(state_, rows, shape, options.start);
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
    return infer(observed, rows, n_causes, options, best, go_on);
  }

  [[nodiscard]] bool is_cut_short() const { return context_.checkpoints.is_cut_short(); }

  /// Which variables have no parents is told by the posterior alone.
  model::CategoricalNetwork network_without(const data::CategoricalTable& rest,
                                            std::uint32_t n_causes) {
    if (n_causes == 0) return independent_network(rest, options_.prior).network;
    const Options options = for_judging(options_, n_causes);
    if (options.independent_below > 0) return fit(rest, n_causes, options, infer_network).network;
    return fit(rest, n_causes, options, network_of_start);
  }

  /// A number of causes with the next part of the rows held out.
  void try_number(std::size_t place) {
    Trial& trial = state_.trials[place];
    const auto part = static_cast<std::uint32_t>(trial.ends.size());
    const std::uint32_t n_causes = options_.first_causes + static_cast<std::uint32_t>(place);
    const auto rest = rows_outside_fold(judged_rows(), options_.seed, options_.folds, part);
    const auto held_out = rows_in_fold(judged_rows(), options_.seed, options_.folds, part);
    if (rest.n_rows > 0 && held_out.n_rows > 0) {
      const auto network = network_without(rest, n_causes);
      if (is_cut_short()) {
        state_.n_done = state_.n_begun = 0;  // these starts are of a part of the rows
        return;
      }
      judge(network, held_out, context_.team, context_.threads, trial);
    } else {
      trial.ends.push_back(trial.held_out.size());
    }
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
  RaceRules rules_;
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
  std::vector<std::pair<std::string, std::string>> named{
      {"--causes", values["causes"].as<std::string>()},
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
  // Checkpoints from before there was a choice have no such option: they are of clusters.
  if (options.start == StartKind::random) named.emplace_back("--start", "random");
  return named;
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
