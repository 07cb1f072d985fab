// The rounds of a run, each on a sample of its units (thinned_round.cpp), until the time for them
// is up. Rounds that are left then are assumed to be as the last one, which finds nothing more.
//
// A run of the search by pair signatures: the seeds of its first round, and some signatures, on the
// pilot's rows.
//
// Of refinement the memory alone is predicted: its time depends on how many moves the data make
// worth trying, which nothing tells beforehand. A forecast that was right within a factor of two on
// the benchmark networks was wrong by 40 times and more on real tables.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/work_time.hpp"
#include "data/row_lists.hpp"
#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"
#include "families/noisy_or/quartet/rounds.hpp"
#include "families/noisy_or/quartet/scan/thinned_round.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "model/state_sums.hpp"

namespace orrery::quartet {
namespace {

constexpr double first_seconds = 0.5;
constexpr double later_seconds = 0.1;
constexpr double all_seconds = 0.9;

void add_scan(learning::Timing& timing, const RoundForecast& round, int depth, double scale) {
  const std::string stage = fmt::format("quartets_depth_{}", depth);
  timing.alone(stage, round.setup_seconds);
  timing.shared(stage, round.scan_seconds * scale);
}

void add_extend(learning::Timing& timing, const RoundForecast& round, int depth, double scale) {
  const std::string stage = fmt::format("extend_depth_{}", depth);
  timing.alone(stage, round.choose_seconds);
  timing.shared(stage, round.extend_seconds * scale);
}

/// The tables of pairs of a scan: with them adjusted moments, and a bit of the graph of siblings.
double scan_table_bytes(const moments::MomentSource& moments) {
  const auto m = static_cast<double>(moments.n_observed());
  const auto stride = static_cast<double>(moments::row_stride(moments.n_observed()));
  return learning::pair_table_bytes(moments) + 8 * m * stride + m * m / 8;
}

/// Bytes of a thread's sums, from the causes that the sampled rounds have found.
double refinement_bytes(const learning::PlanContext& context, const State& state) {
  constexpr double bytes_per_sum = 56;
  const auto n_edges = std::ranges::count_if(state.failures, [](double f) { return f < 1; });
  const auto m = static_cast<double>(context.moments.n_observed());
  const auto n = static_cast<double>(state.causes.size());
  // The sums of the edge tests, or of the standard errors' information if all are taken jointly.
  const double n_parameters = n + m + static_cast<double>(n_edges);
  const bool jointly = n_parameters <= static_cast<double>(constants::refinement::most_joint);
  const double joint = jointly ? n_parameters * n_parameters / 2 : 0;
  return bytes_per_sum * std::max(2 * n * m + n * n, joint);
}

/// Of the states found for two networks (refine/expectation.hpp), on each rank; of few causes there
/// is a table instead.
double found_states_bytes(const learning::PlanContext& context, const State& state) {
  constexpr double bytes_per_row = 60;
  const double rows = static_cast<double>(context.moments.n_samples()) * context.scale;
  if (model::StateTable::suits(state.causes.size(), context.moments.n_observed(),
                               static_cast<std::uint64_t>(rows))) {
    return 0;
  }
  return 2 *
         std::min(bytes_per_row * rows,
                  static_cast<double>(constants::refinement::most_bytes_of_states)) /
         context.resources.ranks;
}

// Of variables; 3 to 18 where causes are many and samples from 20,000 to a million rows.
constexpr double signatures_per_variable = 8;
constexpr double measured_seconds = .5;
constexpr double bytes_per_seed = 24;

// Refinement, as on samples like QMR-DT's: there are no causes yet to measure it with.
constexpr double variables_per_cause = 7;
constexpr double passes = 4;                     // over all rows
constexpr double seconds_per_variable = 4.5e-7;  // that is on, a row
constexpr double bytes_per_variable = 8;  // that is on, a row: attributed, and while it grows

/// The plan where causes are searched by pair signatures; within a factor of three.
learning::Plan predict_signatures(const learning::PlanContext& context, const Options& options) {
  const moments::MomentSource& moments = context.moments;
  const std::size_t m = moments.n_observed();
  const auto variables = static_cast<double>(m);
  moments.prepare_many_pairs(context.resources.threads, moments::any_bytes);
  const LogTerms nothing(m);
  const PairResiduals residuals(moments, nothing);
  double begin = thread_seconds();
  const std::vector<Pair> seeds = seeds_of(parallel::Team(), residuals, 1);
  context.timing.shared("seeds", thread_seconds() - begin);
  begin = thread_seconds();
  double spent = 0;
  std::size_t n_counted = 0;
  // Clear and unclear pairs take different times: evenly through them.
  const std::size_t step = std::max<std::size_t>(seeds.size() / 256, 1);
  std::vector<Pair> some;
  for (std::size_t i = 0; i < seeds.size() && spent < measured_seconds; i += step) {
    some.push_back(seeds[i]);
    if (some.size() < moments::pairs_at_once && i + step < seeds.size()) continue;
    const std::vector<moments::OnWithPair> with_pairs = moments.on_with_pairs(some);
    for (std::size_t k = 0; k < some.size(); ++k) {
      (void)signature(residuals, some[k], with_pairs[k]);
    }
    n_counted += some.size();
    some.clear();
    spent = thread_seconds() - begin;
  }
  const double each = n_counted == 0 ? 0 : spent / static_cast<double>(n_counted);
  context.timing.shared("signatures", each * signatures_per_variable * variables * context.scale);
  learning::Plan plan;
  plan.units = seeds.size();
  plan.unit = "seeds";
  double on = 0;
  for (std::size_t a = 0; a < m; ++a) on += residuals.on(a);
  const double rows = residuals.n_rows() * context.scale;
  double refinement = 0;
  if (options.refine) {
    context.timing.shared("refinement", passes * seconds_per_variable * on * rows);
    refinement = context.resources.threads * 24 * variables / variables_per_cause * variables +
                 bytes_per_variable * on * rows;
  }
  learning::raise_memory(
      plan, {{"pair_tables", learning::pair_table_bytes(moments)},
             {"row_lists", data::RowLists::bytes(on, static_cast<std::uint64_t>(rows))},
             {"signatures", static_cast<double>(most_signatures) * 8 * variables},
             {"seeds", bytes_per_seed * static_cast<double>(seeds.size())},
             {"refinement", refinement}});
  return plan;
}

}  // namespace

double candidate_bytes(double n_accepted, const learning::Resources& resources,
                       const Options& options) {
  const auto most = static_cast<double>(options.max_candidates);
  const double kept = std::min(n_accepted, most);
  const double of_thread =
      std::min(n_accepted / (static_cast<double>(resources.ranks) * resources.threads), 2 * most);
  // A merge has them in the own list, as bytes to send, as bytes received, and in the merged list.
  const double n = std::max(resources.threads * of_thread + 1.5 * kept, 4 * kept);
  return n * static_cast<double>(sizeof(Candidate));
}

learning::Plan predict(const learning::PlanContext& context, const Options& options) {
  if (resolve(options, context.moments.n_observed()).search == Search::signatures) {
    return predict_signatures(context, options);
  }
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  // Where others use the machine it takes longer to measure as much.
  const double slower = 1 / std::max(0.3, context.timing.share());
  const std::size_t m = context.moments.n_observed();
  learning::Plan plan;
  plan.units = WorkPlan(m).n_units();
  plan.unit = "blocks of pairs";
  State state;
  RoundForecast before;
  bool again = false;  // the last sample may have missed causes of its round
  for (int depth = 0;;) {
    state.begin_round(depth, plan.units);
    RoundForecast round = thinned_round(
        context.moments, options, context.resources,
        slower * (before.setup_seconds > 0 ? later_seconds : first_seconds), state, context.timing);
    const bool found = state.causes.size() > state.n_before;
    if (again && (!found || round.whole)) ++depth;  // no causes of the round before
    if (!again || !found || round.whole) add_scan(context.timing, round, depth, context.scale);
    add_extend(context.timing, round, depth, context.scale);
    learning::raise_memory(
        plan, {{"pair_tables", scan_table_bytes(context.moments)},
               {"threads", context.resources.threads * round.thread_bytes},
               {"candidates", candidate_bytes(round.n_accepted, context.resources, options)}});
    if (!found || depth == options.max_depth) break;
    if (std::chrono::duration<double>(Clock::now() - begin).count() > slower * all_seconds) {
      // What remains goes on to shrink as it did.
      if (before.scan_seconds > 0)
        round.scan_seconds *= std::min(1.0, round.scan_seconds / before.scan_seconds);
      add_scan(context.timing, round, depth + 1, context.scale);
      break;
    }
    again = !round.whole;
    if (!again) ++depth;
    before = round;
  }
  if (options.refine) {
    const double sums = refinement_bytes(context, state);
    learning::raise_memory(plan, {{"pair_tables", scan_table_bytes(context.moments)},
                                  {"refinement", context.resources.threads * sums +
                                                     found_states_bytes(context, state)}});
    plan.not_forecast = "refinement";
  }
  return plan;
}

}  // namespace orrery::quartet
