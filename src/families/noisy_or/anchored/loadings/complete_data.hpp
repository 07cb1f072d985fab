// Learning from rows whose causes are all known, or are made out to be (Halpern, Horng, Sontag
// 2015, App. F.3.2, Sec. 5.5): the likelihood of each observed variable's failures, the oracle of
// maximum likelihood, which has every label, and imputation, whose labels are drawn from
// classifiers of the anchors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/anchored/loadings/loadings.hpp"
#include "families/noisy_or/anchored/moments/cause_moments.hpp"
#include "families/noisy_or/anchored/noise/noise_rates.hpp"
#include "families/noisy_or/anchored/observations.hpp"
#include "learning/stages.hpp"
#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::anchored {

// Observed variables whose causes are known in every row: the likelihood of the failures and the
// leak of each, and its maximum (Halpern, Horng, Sontag 2015, App. F.3.2).
//
//   paper          code
//   f_{0,j}        failures[0] = 1 - l_j: the leak is a cause that is always on
//   f_{k,j}        failures[k] of parents[k - 1]
//   A_j            the first cause, in this order, that succeeds
//   count(..)      sums over patterns, each weighted by its rows
//
// Rows count by the pattern of parents that are on: for x = 0 only how often each is, for x = 1 the
// patterns. In theta = -log f the log-likelihood
//
//   - sum_k absent_k theta_k + sum_patterns weight log(1 - exp(-sum_{k in pattern} theta_k))
//
// is concave, theta >= 0. Eqs. (24), (25) climb it a step at a time, sublinearly where f goes to 1;
// maximise() goes to the top by projected Newton steps (Bertsekas 1982), the same top.
//
// Departures: Eq. (25) as printed counts A_j <= i; a cause has tried where it is on and none before
// it succeeded, A_j >= i. `pseudo_rows` (1/2, as Jeffreys' prior adds) failures of each cause, and
// a success and a failure of the leak, keep estimates off 0, where rows to come would be
// impossible.
//
// Cost of a step: O(parents on, over all patterns); of a Newton step their squares, and parents^3.

struct FamilyCounts {
  /// Rows with x = 0 in which parent k is on; [0]: all of them.
  std::vector<double> absent;
  /// Rows with x = 1: the parents that are on (0 among them) of each pattern, one after the other,
  /// and where each begins (and the last ends).
  std::vector<std::uint32_t> on;
  std::vector<std::size_t> begin{0};
  std::vector<double> weight;

  [[nodiscard]] std::size_t n_patterns() const noexcept { return weight.size(); }
  [[nodiscard]] std::span<const std::uint32_t> pattern(std::size_t p) const noexcept {
    return std::span(on).subspan(begin[p], begin[p + 1] - begin[p]);
  }
};

/// Of column `observed` of `rows`, by `parents`, columns of `causes`.
FamilyCounts count_family(const data::BitPanels& rows, std::size_t observed,
                          const data::BitPanels& causes, std::span<const std::uint32_t> parents,
                          double pseudo_rows);

/// Nats; -infinity where a pattern cannot be.
double log_likelihood(const FamilyCounts& counts, std::span<const double> failures);

/// One step of Eqs. (24), (25): the likelihood does not fall.
std::vector<double> first_success_step(const FamilyCounts& counts,
                                       std::span<const double> failures);

struct FamilyFit {
  std::vector<double> failures;
  std::vector<double> errors;  ///< standard errors; NaN where a failure is 1, at the edge
  bool converged = true;
};

/// The failures of the highest likelihood, from any start inside (0, 1).
FamilyFit maximise(const FamilyCounts& counts, std::span<const double> failures);

struct KnownFit {
  model::NoisyOrNetwork loadings;
  model::StandardErrors errors;    ///< priors': 0, as they are not estimated here
  double fit = 0;                  ///< log P(x | y), nats per row
  std::uint64_t n_unfinished = 0;  ///< variables whose likelihood has not come to its top
};

/// Every cause known in every row: the failures and leaks of the highest likelihood, of the edges
/// of `start` alone ("oracle likelihood", "imputation"). A unit per variable, of a stage of this
/// name. Collective.
KnownFit fit_known_causes(const learning::Workers& workers, const model::NoisyOrNetwork& start,
                          const data::BitPanels& rows, const data::BitPanels& causes,
                          double pseudo_rows, const char* stage = "likelihood");

// Labels of all rows (Sec. 5.5).

/// A draw of every (row, cause) from noise-tolerant classifiers of the main anchors. Collective.
Labels impute_labels(const learning::Workers& workers, const Observations& observed,
                     const NoiseRates& noise, const std::vector<std::size_t>& mains,
                     std::uint64_t seed);

/// Failures and leaks of the highest likelihood given the labels of all rows: of every cause and
/// variable first, then of the edges that are significant (significant_edges). `views`: of the
/// causes as labelled. Cost: see fit_known_causes, twice. Collective.
AllLoadings fit_labelled(const learning::Workers& workers, const Observations& observed,
                         const std::vector<CauseView>& views, double alpha);

}  // namespace orrery::anchored
