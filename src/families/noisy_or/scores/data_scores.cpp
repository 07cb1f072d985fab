#include "families/noisy_or/scores/data_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <set>

#include "base/random.hpp"
#include "families/noisy_or/scores/anchored_likelihood.hpp"
#include "learning/bernoulli_mixture.hpp"
#include "learning/chow_liu.hpp"
#include "model/likelihood.hpp"
#include "model/state_beam.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

// ---------------------------------------------------------------- what the model does not explain

// Method: for random pairs and triples of variables, the number of rows in which all are off is
//         binomial under the model, with P(all off) by Eq. (1) of Jernite et al. 2013. Its z-score
//         is taken on the arcsine scale (Anscombe 1948), which keeps the variance at 1 where rows
//         are expected to be few, and stays finite where the model calls them impossible:
//           z = 2 sqrt(N + 1/2) (asin sqrt((c + 3/8) / (N + 3/4)) - asin sqrt((N p + 3/8) / (N +
//           3/4)))
// What z leaves out is the error of the model's own parameters: learned from as many rows as are
// counted, even the right structure has a variance of 2.
// Cost: a set: O(N / 64) to count, O(n) for the model.
namespace {

using Set = std::vector<std::uint32_t>;

/// C(m, k), or `limit` if it is no less.
std::uint64_t n_subsets(std::size_t m, std::size_t k, std::uint64_t limit) {
  double count = 1;
  for (std::size_t i = 0; i < k; ++i) {
    count *= m > i ? static_cast<double>(m - i) / static_cast<double>(i + 1) : 0;
  }
  return count >= static_cast<double>(limit) ? limit
                                             : static_cast<std::uint64_t>(std::llround(count));
}

/// The set after `set` in lexicographic order; false if it was the last.
bool advance(Set& set, std::size_t m) {
  for (std::size_t i = set.size(); i-- > 0;) {
    if (set[i] + set.size() - i >= m) continue;
    ++set[i];
    for (std::size_t j = i + 1; j < set.size(); ++j) set[j] = set[j - 1] + 1;
    return true;
  }
  return false;
}

std::vector<Set> all_sets(std::size_t m, std::size_t k) {
  std::vector<Set> sets;
  if (m < k) return sets;
  Set set(k);
  for (std::size_t i = 0; i < k; ++i) set[i] = static_cast<std::uint32_t>(i);
  do sets.push_back(set);
  while (advance(set, m));
  return sets;
}

/// Distinct sets of k of m variables; all of them if there are no more than `n`.
std::vector<Set> random_sets(std::size_t m, std::size_t k, std::size_t n, std::uint64_t seed) {
  if (n_subsets(m, k, n + std::uint64_t{1}) <= n) return all_sets(m, k);
  std::set<Set> sets;
  for (std::uint64_t draw = 0; sets.size() < n; ++draw) {
    RowRandom random(seed, Stream::check, 4 * draw + k);  // pairs and triples draw apart
    Set set;
    while (set.size() < k) {
      const auto a = static_cast<std::uint32_t>(random.below(m));
      if (std::ranges::find(set, a) == set.end()) set.push_back(a);
    }
    std::ranges::sort(set);
    sets.insert(std::move(set));
  }
  return {sets.begin(), sets.end()};
}

void count_rows(const data::SampleMatrix& samples, PatternCheck& check) {
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    const std::size_t n_rows = samples.n_samples() - 64 * w;
    std::uint64_t seen = n_rows >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n_rows) - 1;
    std::uint64_t on = 0;
    for (const std::uint32_t a : check.variables) {
      on |= samples.values.word(a, w);
      if (samples.missing) seen &= ~samples.missing->word(a, w);
    }
    check.n_rows += static_cast<std::uint64_t>(std::popcount(seen));
    check.observed += static_cast<std::uint64_t>(std::popcount(seen & ~on));
  }
}

double z_score(double observed, double expected, double n) {
  const auto angle = [n](double count) { return std::asin(std::sqrt((count + .375) / (n + .75))); };
  return 2 * std::sqrt(n + .5) * (angle(observed) - angle(expected));
}

std::vector<PatternCheck> check_sets(const model::NoisyOrNetwork& network,
                                     const data::SampleMatrix& samples,
                                     const std::vector<Set>& sets) {
  std::vector<PatternCheck> checks(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) checks[i].variables = sets[i];
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < sets.size(); ++i) {
    PatternCheck& check = checks[i];
    count_rows(samples, check);
    const auto n = static_cast<double>(check.n_rows);
    check.expected = n * std::clamp(network.negative_moment(check.variables), 0.0, 1.0);
    check.z = z_score(static_cast<double>(check.observed), check.expected, n);
  }
  // Sets come sorted, so that equal scores stay in the order of variables.
  std::ranges::stable_sort(checks, std::greater(),
                           [](const PatternCheck& check) { return std::abs(check.z); });
  return checks;
}

}  // namespace

double share_surprising(std::span<const PatternCheck> checks) {
  if (checks.empty()) return 0;
  const auto n = std::ranges::count_if(
      checks, [](const PatternCheck& check) { return std::abs(check.z) > surprising_z; });
  return static_cast<double>(n) / static_cast<double>(checks.size());
}

PredictiveCheck check_predictions(const model::NoisyOrNetwork& network,
                                  const data::SampleMatrix& samples, std::size_t n_sets,
                                  std::uint64_t seed) {
  const std::size_t m = network.n_observed();
  if (samples.n_observed() != m) {
    throw InputError(
        fmt::format("the network has {} observed variables, the data {}; both must "
                    "have the same, in one order",
                    m, samples.n_observed()));
  }
  return {check_sets(network, samples, random_sets(m, 2, n_sets, seed)),
          check_sets(network, samples, random_sets(m, 3, n_sets, seed))};
}

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
