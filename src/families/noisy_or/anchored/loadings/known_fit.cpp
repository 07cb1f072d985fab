// Loadings where every cause is known.
#include <cmath>
#include <limits>

#include "families/noisy_or/anchored/em/em.hpp"
#include "families/noisy_or/anchored/loadings/family_likelihood.hpp"

namespace orrery::anchored {
namespace {

/// A unit's numbers: by cause a failure and its error, then the leak's, then these.
std::size_t unit_size(std::size_t n_causes) { return 2 * (n_causes + 1) + 2; }

/// Errors that are not known travel as -1: shared values are sums over ranks.
double packed(double error) { return std::isnan(error) ? -1 : error; }
double unpacked(double error) {
  return error < 0 ? std::numeric_limits<double>::quiet_NaN() : error;
}

/// The causes of each variable; rising.
std::vector<std::vector<std::uint32_t>> parents_of(const model::NoisyOrNetwork& loadings) {
  std::vector<std::vector<std::uint32_t>> parents(loadings.n_observed());
  for (const model::Edge& edge : loadings.edges()) parents[edge.observed].push_back(edge.cause);
  return parents;
}

}  // namespace

KnownFit fit_known_causes(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                          const data::BitPanels& rows, const data::BitPanels& causes,
                          double pseudo_rows, const char* stage) {
  const model::NoisyOrNetwork& loadings = start;
  const std::size_t n = loadings.n_causes();
  const std::size_t size = unit_size(n);
  const auto parents = parents_of(loadings);
  const auto fits = learning::unit_values(
      workers, {stage, "variables", loadings.n_observed(), size},
      [&](std::uint64_t j, int /*thread*/, std::span<double> values) {
        const FamilyCounts counts = count_family(rows, j, causes, parents[j], pseudo_rows);
        const FamilyFit fit = maximise(counts, std::vector<double>(parents[j].size() + 1, .5));
        for (std::size_t k = 0; k < parents[j].size(); ++k) {
          values[2 * parents[j][k]] = fit.failures[k + 1];
          values[2 * parents[j][k] + 1] = packed(fit.errors[k + 1]);
        }
        values[2 * n] = 1 - fit.failures[0];
        values[2 * n + 1] = packed(fit.errors[0]);
        values[2 * n + 2] =
            log_likelihood(count_family(rows, j, causes, parents[j], 0), fit.failures);
        values[2 * n + 3] = fit.converged ? 0 : 1;
      });

  KnownFit result;
  auto observed = loadings.observed();
  std::vector<model::Edge> edges;
  for (std::size_t j = 0; j < observed.size(); ++j) {
    const double* of = fits.data() + j * size;
    observed[j].leak = of[2 * n];
    result.errors.leak.push_back(unpacked(of[2 * n + 1]));
    result.fit += of[2 * n + 2] / static_cast<double>(rows.n_rows());
    result.n_unfinished += of[2 * n + 3] == 0 ? 0 : 1;
  }
  // In the order of the network's edges; those that fail always are none.
  for (model::Edge edge : loadings.edges()) {
    const double* of = fits.data() + edge.observed * size + 2 * std::size_t{edge.cause};
    if (of[0] == 1) continue;
    edge.failure = of[0];
    edges.push_back(edge);
    result.errors.failure.push_back(unpacked(of[1]));
  }
  result.errors.prior.assign(n, 0);
  result.loadings = {loadings.causes(), std::move(observed), std::move(edges)};
  return result;
}

}  // namespace orrery::anchored
