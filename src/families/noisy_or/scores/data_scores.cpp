#include "families/noisy_or/scores/data_scores.hpp"

#include <cmath>

#include "families/noisy_or/scores/anchored_likelihood.hpp"
#include "learning/bernoulli_mixture.hpp"
#include "learning/chow_liu.hpp"
#include "model/likelihood.hpp"
#include "model/state_beam.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {
namespace {

bool is_exact(const model::NoisyOrNetwork& network) {
  return !network.has_dependent_causes() && model::largest_component(network) <= most_causes;
}

/// Empty where causes depend on so many others that it is out of reach.
std::optional<double> likelihood(const model::NoisyOrNetwork& network,
                                 const data::SampleMatrix& samples,
                                 const DataScoreOptions& options) {
  if (network.has_dependent_causes() && !model::BeamNetwork::suits(network)) {
    if (samples.missing) return {};
    const auto found = anchored_likelihood(network, samples.values, options.threads, options.share);
    return std::isnan(found.mean) ? std::nullopt : std::optional(found.mean);
  }
  return !is_exact(network)
             ? model::mean_log_likelihood_bound(network, samples, options.share)
             : model::mean_log_likelihood(network, samples, most_causes, options.share);
}

}  // namespace

DataScores score_data(const model::LearnedModel& model, const data::SampleMatrix& samples,
                      const DataScoreOptions& options) {
  DataScores scores;
  scores.n_samples = samples.n_samples();
  scores.held_out = model.data_digest == 0 || model.data_digest != samples.digest;
  scores.check = check_predictions(model.network, samples, options.n_sets, options.seed);
  scores.exact = is_exact(model.network);
  scores.model = likelihood(model.network, samples, options);
  if (options.truth != nullptr && options.truth->n_observed() == samples.n_observed()) {
    scores.truth = likelihood(*options.truth, samples, options);
  }
  if (options.train != nullptr) {
    scores.n_train = options.train->n_samples();
    scores.chow_liu =
        learning::mean_log_likelihood(learning::fit_chow_liu(*options.train), samples);
    scores.independent =
        learning::mean_log_likelihood(learning::fit_independent(*options.train), samples);
    learning::MixtureOptions of_mixture;
    of_mixture.seed = options.seed;
    of_mixture.threads = options.threads;
    const learning::BernoulliMixture mixture = learning::fit_mixture(*options.train, of_mixture);
    scores.mixture = learning::mean_log_likelihood(mixture, samples, options.threads);
    scores.n_components = mixture.n_components();
  }
  return scores;
}

}  // namespace orrery::noisy_or
