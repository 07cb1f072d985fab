// A run of the search by pair signatures: the seeds of its first round, and some signatures, on the
// pilot's rows.
#include <algorithm>

#include "base/work_time.hpp"
#include "families/noisy_or/quartet/plan.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"

namespace orrery::quartet {
namespace {

// Of variables; 3 to 18 where causes are many and samples from 20,000 to a million rows.
constexpr double signatures_per_variable = 8;
constexpr double measured_seconds = .5;
constexpr double bytes_per_seed = 24;

// Refinement, as on samples like QMR-DT's: there are no causes yet to measure it with.
constexpr double variables_per_cause = 7;
constexpr double passes = 4;                     // over all rows
constexpr double seconds_per_variable = 4.5e-7;  // that is on, a row
constexpr double bytes_per_variable = 8;  // that is on, a row: attributed, and while it grows

}  // namespace

learning::Plan predict_signatures(const learning::PlanContext& context, const Options& options) {
  const moments::MomentSource& moments = context.moments;
  const std::size_t m = moments.n_observed();
  const auto variables = static_cast<double>(m);
  moments.prepare_many_pairs(context.resources.threads);
  const LogTerms nothing(m);
  const PairResiduals residuals(moments, nothing);
  double begin = thread_seconds();
  const std::vector<Pair> seeds = seeds_of(residuals, 1);
  context.timing.alone("seeds", (thread_seconds() - begin) / context.resources.threads);
  begin = thread_seconds();
  double spent = 0;
  std::size_t n_counted = 0;
  // Clear and unclear pairs take different times: evenly through them.
  const std::size_t step = std::max<std::size_t>(seeds.size() / 256, 1);
  for (std::size_t i = 0; i < seeds.size() && spent < measured_seconds; i += step) {
    (void)signature(residuals, seeds[i], moments.on_with_pair(seeds[i]));
    ++n_counted;
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
  learning::raise_memory(plan,
                         {{"pair_tables", table_bytes(m, moments.n_samples() > 0)},
                          {"row_lists", rows * (8 + 6 * on)},
                          {"signatures", static_cast<double>(most_signatures) * 8 * variables},
                          {"seeds", bytes_per_seed * static_cast<double>(seeds.size())},
                          {"refinement", refinement}});
  return plan;
}

}  // namespace orrery::quartet
