// The rounds of a run, each on a sample of its units (thinned_round.cpp), until the time for them
// is up. Rounds that are left then are assumed to be as the last one, which finds nothing more.
#include "families/noisy_or/quartet/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "families/noisy_or/quartet/refine/refinement_forecast.hpp"
#include "families/noisy_or/quartet/scan/thinned_round.hpp"

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

}  // namespace

// Counts in 8 and 4 bytes and moments, raw and adjusted, in 8.
double table_bytes(std::size_t m, bool counted) {
  const auto square = static_cast<double>(m) * static_cast<double>(m);
  const auto rows = static_cast<double>(m) * static_cast<double>(moments::row_stride(m));
  return 8 * square + 8 * rows + square / 8 + (counted ? 8 * square + 4 * rows : 0);
}

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
        plan, {{"pair_tables", table_bytes(m, context.moments.n_samples() > 0)},
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
    learning::raise_memory(plan, {{"pair_tables", table_bytes(m, context.moments.n_samples() > 0)},
                                  {"refinement", context.resources.threads * sums}});
    plan.not_forecast = "refinement";
  }
  return plan;
}

}  // namespace orrery::quartet
