// Purpose: exact mean log-likelihood of a data set under a noisy-OR network.
// Method: the likelihood of a row is a product over connected components; equal rows of a component
//         are evaluated once (row_likelihood.hpp), each by enumeration of the causes that could
//         explain its positive findings (row_likelihood.hpp); variables without a parent need their
//         counts only.
// Cost: a component: O(N m / 64) to gather, O(2^k * children) a distinct row.
// Determinism: patterns go in blocks of fixed size, block sums are added in block order.
#include "model/likelihood.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "model/row_likelihood.hpp"
#include "model/row_posterior.hpp"
#include "model/state_beam.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

constexpr std::size_t block_patterns = 64;

// count * log P, where 0 * log 0 = 0.
double times_log(std::uint64_t count, double log_probability) {
  return count == 0 ? 0 : static_cast<double>(count) * log_probability;
}

// Sum over rows of log P(variable) for one without a parent.
double orphan_log_likelihood(const data::SampleMatrix& samples, std::uint32_t variable,
                             double leak) {
  std::uint64_t n_on = 0;
  std::uint64_t n_missing = 0;
  for (std::size_t w = 0; w < samples.values.n_words(); ++w) {
    const std::uint64_t missing = samples.missing ? samples.missing->word(variable, w) : 0;
    n_missing += static_cast<std::uint64_t>(std::popcount(missing));
    n_on += static_cast<std::uint64_t>(std::popcount(samples.values.word(variable, w) & ~missing));
  }
  const std::uint64_t n_off = samples.n_samples() - n_missing - n_on;
  return times_log(n_on, std::log(leak)) + times_log(n_off, std::log1p(-leak));
}

double component_log_likelihood(const data::SampleMatrix& samples, const Component& component,
                                const BlockShare& share) {
  const RowPatterns patterns(samples, component.variables);
  const std::size_t n_blocks = (patterns.size() + block_patterns - 1) / block_patterns;
  std::vector<double> block_sum(n_blocks, 0);
  // Allocated here: nothing may throw inside the parallel region.
  std::vector<RowLikelihood> evaluators(static_cast<std::size_t>(omp_get_max_threads()),
                                        RowLikelihood(component));
#pragma omp parallel for schedule(dynamic) if (n_blocks > 1)
  for (std::size_t block = 0; block < n_blocks; ++block) {
    if (!share.has(block)) continue;
    RowLikelihood& mine = evaluators[static_cast<std::size_t>(omp_get_thread_num())];
    const std::size_t end = std::min(patterns.size(), (block + 1) * block_patterns);
    double sum = 0;
    for (std::size_t i = block * block_patterns; i < end; ++i) {
      const double log_probability = mine.evaluate(patterns.values(i), patterns.missing(i));
      sum += times_log(patterns.count(i), log_probability);
    }
    block_sum[block] = sum;
  }
  share.gather(block_sum);
  double sum = 0;
  for (const double part : block_sum) sum += part;
  return sum;
}

void require_fit(const NoisyOrNetwork& network, const data::SampleMatrix& samples) {
  if (network.n_observed() != samples.n_observed()) {
    throw InputError(fmt::format(
        "the network has {} observed variables, the data {}; both must have the same, in one order",
        network.n_observed(), samples.n_observed()));
  }
  if (samples.n_samples() == 0) {
    throw InputError("the data hold 0 rows; a likelihood needs at least one");
  }
}

/// Row by row; `evaluators`: one per thread.
template <class Evaluator>
double mean_of_rows(const data::SampleMatrix& samples, const BlockShare& share,
                    std::vector<Evaluator> evaluators) {
  constexpr std::size_t block_rows = 64;
  const std::size_t n_words = (samples.n_observed() + 63) / 64;
  const std::size_t n_blocks = (samples.n_samples() + block_rows - 1) / block_rows;
  std::vector<double> block_sum(n_blocks, 0);
  const auto row_of = [&](const data::BitPanels& panels, std::size_t row,
                          std::vector<std::uint64_t>& words) {
    std::fill(words.begin(), words.end(), 0);
    for (std::size_t a = 0; a < panels.n_columns(); ++a) {
      words[a / 64] |= std::uint64_t{panels.at(row, a)} << (a % 64);
    }
  };
#pragma omp parallel for schedule(dynamic) if (n_blocks > 1)
  for (std::size_t block = 0; block < n_blocks; ++block) {
    if (!share.has(block)) continue;
    Evaluator& mine = evaluators[static_cast<std::size_t>(omp_get_thread_num())];
    std::vector<std::uint64_t> values(n_words);
    std::vector<std::uint64_t> missing(samples.missing ? n_words : 0);
    const std::size_t end = std::min(samples.n_samples(), (block + 1) * block_rows);
    for (std::size_t row = block * block_rows; row < end; ++row) {
      row_of(samples.values, row, values);
      if (samples.missing) row_of(*samples.missing, row, missing);
      for (std::size_t w = 0; w < missing.size(); ++w) values[w] &= ~missing[w];
      mine.evaluate(values, missing);
      block_sum[block] += mine.log_likelihood();
    }
  }
  share.gather(block_sum);
  double sum = 0;
  for (const double part : block_sum) sum += part;
  return sum / static_cast<double>(samples.n_samples());
}

}  // namespace

std::size_t largest_component(const NoisyOrNetwork& network) {
  std::size_t largest = 0;
  for (const auto& causes : connected_causes(network)) largest = std::max(largest, causes.size());
  return largest;
}

double mean_log_likelihood(const NoisyOrNetwork& network, const data::SampleMatrix& samples,
                           std::size_t max_component, const BlockShare& share) {
  require_fit(network, samples);
  const auto components = connected_causes(network);
  for (const auto& causes : components) {
    if (causes.size() <= max_component) continue;
    throw UsageError(fmt::format(
        "the exact likelihood enumerates the causes of a connected component: this network has one "
        "of {}, the limit is {}; raise the limit (time doubles with each cause) or do without",
        causes.size(), max_component));
  }
  double sum = 0;
  for (const std::uint32_t variable : orphans(network)) {
    sum += orphan_log_likelihood(samples, variable, network.observed()[variable].leak);
  }
  for (const auto& causes : components) {
    const Component component = make_component(network, causes);
    if (component.variables.empty()) continue;  // a cause without children sums to 1
    sum += component_log_likelihood(samples, component, share);
  }
  return sum / static_cast<double>(samples.n_samples());
}

double mean_log_likelihood_bound(const NoisyOrNetwork& network, const data::SampleMatrix& samples,
                                 const BlockShare& share) {
  require_fit(network, samples);
  const auto n_threads = static_cast<std::size_t>(omp_get_max_threads());
  if (network.has_dependent_causes()) {
    if (!BeamNetwork::suits(network)) {
      throw UsageError(
          fmt::format("the likelihood needs at most {} causes with at most {} parents each: this "
                      "network has {} "
                      "causes with {} edges among them",
                      most_beam_causes, most_beam_parents, network.n_causes(),
                      network.cause_network().n_edges()));
    }
    constexpr BeamOptions wide{20, 10, 200, 1};
    const BeamNetwork prepared(network);
    return mean_of_rows(samples, share, std::vector<Beam>(n_threads, Beam(prepared, wide)));
  }
  constexpr double tolerance = 1e-7;
  const PosteriorNetwork prepared(network);
  return mean_of_rows(samples, share,
                      std::vector<RowPosterior>(n_threads, RowPosterior(prepared, tolerance)));
}

}  // namespace orrery::model
