#include "families/noisy_or/quartet/refine/refinement_forecast.hpp"

#include <algorithm>
#include <cstddef>

#include "families/noisy_or/quartet/constants.hpp"
#include "families/noisy_or/quartet/refine/errors.hpp"

namespace orrery::quartet {

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

}  // namespace orrery::quartet
