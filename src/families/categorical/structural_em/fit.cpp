#include "families/categorical/structural_em/fit.hpp"

#include <utility>

namespace orrery::structural_em {

using model::CategoricalNetwork;

CategoricalNetwork maximise(const CategoricalNetwork& network, const ExpectedCounts& counts,
                            double alpha) {
  std::vector<model::CategoricalCause> causes = network.causes();
  for (std::size_t k = 0; k < causes.size(); ++k) {
    causes[k].prior = posterior_means(counts.causes[k], causes[k].cardinality(), alpha);
  }
  std::vector<model::CategoricalVariable> variables = network.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    model::CategoricalVariable& variable = variables[i];
    variable.table = posterior_means(counts.variables[i], variable.n_categories(), alpha);
    variable.counts = counts.variables[i];
    for (double& count : variable.counts) count += alpha;
  }
  return {std::move(causes), std::move(variables)};
}

void advance(const Data& data, const FitSettings& settings, Fit& fit) {
  const ExpectedCounts counts = expected_counts(fit.network, data);
  const double objective =
      penalised_likelihood(fit.network, counts.log_likelihood, settings.score.alpha);
  const double least_gain = settings.tolerance * static_cast<double>(data.table.n_rows);
  fit.has_converged = fit.n_passes > 0 && objective - fit.objective < least_gain;
  ++fit.n_passes;
  fit.is_done = fit.has_converged || fit.n_passes > settings.max_passes;
  fit.objective = objective;
  if (fit.is_done) {
    fit.score = score_of(fit.network, counts, data.table.n_rows, settings.score);
  } else {
    fit.network = maximise(fit.network, counts, settings.score.alpha);
  }
}

}  // namespace orrery::structural_em
