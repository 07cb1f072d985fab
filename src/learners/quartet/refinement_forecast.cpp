// An E-step is timed on rows drawn from the causes found so far; how many there will be is a matter
// of experience: on the benchmark networks (README, "Benchmark") some 20 a cause on the sample of
// the rows that the first round begins on, and 25 on all. Right within a factor of two there; rows
// that no noisy-OR network explains take more trials.
#include "learners/quartet/refinement_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "learners/quartet/em.hpp"
#include "learners/quartet/network_edits.hpp"
#include "learners/quartet/rounds.hpp"
#include "orrery/base/processor_time.hpp"
#include "orrery/model/sampling.hpp"

namespace orrery::quartet {
namespace {

constexpr std::size_t rows_timed = 2048;
constexpr double passes_on_sample = 30;
constexpr double passes_per_cause = 20;
constexpr double passes_on_all = 25;

model::NoisyOrNetwork found_network(const moments::MomentSource& moments, const State& state) {
  const std::size_t m = moments.n_observed();
  std::vector<model::Observed> observed(m);
  for (std::size_t a = 0; a < m; ++a) {
    observed[a].leak = std::clamp(1 - moments.single(a), 1e-3, 1 - 1e-3);
  }
  model::NoisyOrNetwork network({}, std::move(observed), {});
  for (std::size_t u = 0; u < state.causes.size(); ++u) {
    const auto first = state.failures.begin() + static_cast<std::ptrdiff_t>(u * m);
    network =
        with(network, {"", state.causes[u].prior}, {first, first + static_cast<std::ptrdiff_t>(m)});
  }
  return explain_leaks(network);
}

}  // namespace

double forecast_refinement(const learners::PlanContext& context, const State& state) {
  const model::NoisyOrNetwork network = found_network(context.moments, state);
  data::BitPanels values(network.n_observed(), rows_timed);
  values.insert(0, model::sample_rows(network, 1, 0, rows_timed));
  const parallel::Team alone;
  const learners::RowPass rows(alone, 1, values, nullptr);
  const double begin = thread_seconds();
  (void)expect(rows, network);
  const double row_seconds = (thread_seconds() - begin) / rows_timed;
  const double n_rows = static_cast<double>(context.moments.n_samples()) * context.scale;
  const double step = std::max(1.0, std::floor(n_rows / first_round_rows));
  const double sampled =
      (passes_on_sample + passes_per_cause * static_cast<double>(network.n_causes())) / step;
  context.timing.shared("refine", (sampled + passes_on_all) * n_rows * row_seconds);
  const auto m = static_cast<double>(network.n_observed());
  const auto n = static_cast<double>(network.n_causes());
  // The sums of the edge tests, or of the standard errors' information if all are taken jointly.
  const double n_parameters = n + m + static_cast<double>(network.edges().size());
  const double joint = n_parameters <= 1200 ? n_parameters * n_parameters / 2 : 0;
  return 56 * std::max(2 * n * m + n * n, joint);
}

}  // namespace orrery::quartet
