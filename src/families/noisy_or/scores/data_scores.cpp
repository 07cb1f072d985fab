#include "families/noisy_or/scores/data_scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "data/bits.hpp"
#include "data/row_lists.hpp"
#include "learning/baselines.hpp"
#include "model/cause_elimination.hpp"
#include "model/cause_posterior.hpp"
#include "model/likelihood.hpp"
#include "model/state_beam.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

AnchoredLikelihood anchored_likelihood(const model::NoisyOrNetwork& network,
                                       const data::BitPanels& rows, int threads,
                                       const BlockShare& share) {
  const model::PreparedAnchored prepared(network);
  model::CausePosteriorOptions options;
  options.n_draws = 1;  // rows that are sampled are only counted
  const data::RowLists lists(rows, threads);
  std::vector<double> of_rows(rows.n_rows());
#pragma omp parallel num_threads(threads)
  {
    model::CausePosterior posterior(prepared, options);
    std::vector<std::uint64_t> words((rows.n_columns() + 63) / 64);
#pragma omp for schedule(dynamic, 64)
    for (std::size_t r = 0; r < of_rows.size(); ++r) {
      if (!share.has(r / 64)) continue;
      data::set_bits(lists.row(r), std::span(words));
      posterior.evaluate(r, words, {});
      const bool sampled = posterior.method() == model::PosteriorMethod::sampled;
      of_rows[r] = sampled ? std::numeric_limits<double>::quiet_NaN() : posterior.log_evidence();
    }
  }
  share.gather(of_rows);
  AnchoredLikelihood found{of_rows.size(), 0, 0, 0};
  for (const double value : of_rows) {  // in the order of the rows
    if (std::isnan(value)) ++found.n_out_of_reach;
    if (value == -std::numeric_limits<double>::infinity()) ++found.n_impossible;
    found.mean += value;
  }
  found.mean /= static_cast<double>(of_rows.size());
  return found;
}

// Exact sums by elimination. Cost: a table per family for the divergence; O(k) a fully labelled
// row, an elimination a partly labelled one. On one rank: labels are few.

namespace {

using model::CauseNetwork;
using model::CauseWeight;

/// sum of P log P(child | parents) of one family, by a table of P over the truth's causes. `moved`:
/// the child, then the parents in the order of the family's own table.
double expected_log(const model::CauseElimination& sums,
                    std::span<const model::CauseWeight> no_weights,
                    const std::vector<std::uint32_t>& moved, const std::vector<double>& on) {
  std::vector<std::uint32_t> set = moved;
  std::ranges::sort(set);
  const std::vector<double> table = sums.table(set, no_weights);
  // Bit of the table's cell that each member of the family has.
  std::vector<std::size_t> bit;
  for (const std::uint32_t member : moved) {
    bit.push_back(static_cast<std::size_t>(std::ranges::lower_bound(set, member) - set.begin()));
  }
  double sum = 0;
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    if (table[cell] <= 0) continue;
    std::size_t state = 0;
    for (std::size_t p = 1; p < moved.size(); ++p) state |= (cell >> bit[p] & 1U) << (p - 1);
    const double probability = (cell >> bit[0] & 1U) != 0 ? on[state] : 1 - on[state];
    sum += table[cell] * std::log(probability);  // log 0: minus infinity
  }
  return sum;
}

/// E[log P_of(Y)] under the network of `sums`, whose cause is place[i] for `of`'s cause i.
double expected_log(const model::CauseElimination& sums, const CauseNetwork& of,
                    const std::vector<std::uint32_t>& place) {
  const std::vector<model::CauseWeight> no_weights(of.n_causes(), model::CauseWeight{1, 1});
  double sum = 0;
  for (std::size_t i = 0; i < of.n_causes(); ++i) {
    std::vector<std::uint32_t> moved{place[i]};
    for (const std::uint32_t parent : of.tables()[i].parents) moved.push_back(place[parent]);
    sum += expected_log(sums, no_weights, moved, of.tables()[i].on);
  }
  return sum;
}

/// log P of the labels of one row at a time.
class RowLikelihood {
 public:
  RowLikelihood(const CauseNetwork& network, const data::SampleMatrix& labels,
                const model::CauseElimination& sums)
      : network_(network), labels_(labels), sums_(sums), values_(network.n_causes()) {}

  /// NaN: nothing is labelled.
  [[nodiscard]] double operator()(std::size_t row) {
    std::size_t n_missing = 0;
    weights_.assign(values_.size(), CauseWeight{1, 1});
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = labels_.values.at(row, i) ? 1 : 0;
      if (labels_.missing && labels_.missing->at(row, i)) {
        ++n_missing;
      } else {
        weights_[i][1 - values_[i]] = 0;
      }
    }
    if (n_missing == values_.size()) return std::numeric_limits<double>::quiet_NaN();
    if (n_missing == 0) return network_.log_probability(values_);
    return std::log(sums_.expectation(weights_));
  }

 private:
  const CauseNetwork& network_;
  const data::SampleMatrix& labels_;
  const model::CauseElimination& sums_;
  std::vector<std::uint8_t> values_;
  std::vector<CauseWeight> weights_;
};

}  // namespace

double kl_divergence(const CauseNetwork& truth, const CauseNetwork& learned,
                     const std::vector<std::uint32_t>& place) {
  const model::CauseElimination sums(truth);
  std::vector<std::uint32_t> same(truth.n_causes());
  std::iota(same.begin(), same.end(), 0U);
  // Rounding may leave a little less than nothing.
  return std::max(0.0, expected_log(sums, truth, same) - expected_log(sums, learned, place));
}

CauseNetwork floored(const CauseNetwork& network, double floor) {
  std::vector<model::CauseTable> tables = network.tables();
  for (model::CauseTable& table : tables) {
    for (double& on : table.on) on = std::clamp(on, floor, 1 - floor);
  }
  return CauseNetwork(std::move(tables));
}

LabelLikelihood label_likelihood(const CauseNetwork& network, const data::SampleMatrix& labels,
                                 int threads) {
  if (labels.n_observed() != network.n_causes()) {
    throw InputError(
        fmt::format("labels of {} causes, but the model has {}; give a column per cause",
                    labels.n_observed(), network.n_causes()));
  }
  const model::CauseElimination sums(network);
  if (labels.missing && !sums.is_feasible()) {
    throw InputError(fmt::format(
        "labels are missing, and the causes depend on one another too densely to sum over those "
        "(tables of {} causes, at most {}); give rows with all labels",
        sums.width(), model::CauseElimination::max_width));
  }
  const std::size_t n = labels.n_samples();
  std::vector<double> of_rows(n);
#pragma omp parallel num_threads(threads)
  {
    RowLikelihood likelihood(network, labels, sums);
#pragma omp for schedule(static)
    for (std::size_t r = 0; r < n; ++r) of_rows[r] = likelihood(r);
  }
  LabelLikelihood found;
  for (const double value : of_rows) {
    if (std::isnan(value)) continue;
    ++found.n_rows;
    if (value == -std::numeric_limits<double>::infinity()) ++found.n_impossible;
    found.mean += value;
  }
  if (found.n_rows > 0) found.mean /= static_cast<double>(found.n_rows);
  return found;
}

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
