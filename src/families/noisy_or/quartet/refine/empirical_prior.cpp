#include "families/noisy_or/quartet/refine/empirical_prior.hpp"

#include <algorithm>
#include <cmath>

namespace orrery::quartet {

FailurePrior empirical_prior(const model::NoisyOrNetwork& network, const Expectation& expectation,
                             const FailurePrior& used) {
  double cases = 0;
  double failed = 0;
  double squares = 0;
  double sampling = 0;
  for (std::size_t e = 0; e < network.edges().size(); ++e) {
    const model::Edge& edge = network.edges()[e];
    const double exposed = expectation.present[edge.cause] - expectation.unseen[e];
    if (!(exposed > 1)) continue;
    const double held = exposed + used.failures + used.successes;
    const double failure = std::clamp((edge.failure * held - used.failures) / exposed, 0.0, 1.0);
    cases += exposed;
    failed += exposed * failure;
    squares += exposed * failure * failure;
    sampling += failure * (1 - failure);
  }
  if (cases == 0) return used;
  const double mean = std::clamp(failed / cases, .01, .99);
  const double variance = std::max((squares - sampling) / cases - mean * mean, 1e-9);
  const double weight =
      std::clamp(mean * (1 - mean) / variance - 1, constants::refinement::least_alike,
                 constants::refinement::most_alike);
  return {std::max(mean * weight - 1, .5), std::max((1 - mean) * weight - 1, .5)};
}

}  // namespace orrery::quartet
