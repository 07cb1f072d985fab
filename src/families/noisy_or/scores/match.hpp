// A learned network against a known one (the criterion of Buhai et al. 2020).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "families/noisy_or/scores/likeness.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

/// A learned cause whose prior is below this recovers nothing, unless another limit is chosen.
inline constexpr double default_min_prior = .02;

/// max over observed a of |log f_true - log f_learned|, failures floored at 1e-6.
double match_cost(const model::NoisyOrNetwork& truth, std::size_t true_cause,
                  const model::NoisyOrNetwork& learned, std::size_t learned_cause);

struct CauseMatch {
  /// Learned cause that the assignment pairs with it (also where it is not recovered: the nearest
  /// of those left over); -1: fewer were learned.
  std::int64_t learned = -1;
  double cost = 0;           ///< match_cost; meaningless without a match
  bool recovered = false;    ///< cost <= 1 and learned prior >= min_prior
  double prior_error = 0;    ///< |learned - true|
  double failure_error = 0;  ///< max |learned - true| over the true edges
};

struct Evaluation {
  std::vector<CauseMatch> causes;  ///< one a true cause
  std::size_t n_true = 0;
  std::size_t n_learned = 0;
  std::size_t recovered = 0;
  double min_prior = default_min_prior;
  std::vector<std::size_t> extra;  ///< learned causes that are no recovered one's partner
  /// Edges with 1 - f > 0.1: common ones of all assigned pairs, over all learned (precision), over
  /// all true (recall); 0 where there are none.
  double edge_precision = 0;
  double edge_recall = 0;
  double edge_f1 = 0;
  /// Edges among the causes, in either direction: of the truth, of the model, and in both, as the
  /// assignment pairs causes.
  std::size_t n_true_cause_edges = 0;
  std::size_t n_learned_cause_edges = 0;
  std::size_t n_common_cause_edges = 0;
  /// Over recovered causes; 0 where there are none.
  double mean_prior_error = 0;
  double max_failure_error = 0;
  double max_leak_error = 0;  ///< over observed variables
  /// learned_at_depth[d]: causes found in round d of the search (all learned, matched or not);
  /// those without a round are not counted.
  std::vector<std::size_t> learned_at_depth;
  /// The other criterion, without a limit of the prior.
  Likeness likeness;
};

/// The index in `truth` of each observed variable of `learned`: by name when both networks name the
/// same set, else by position. Throws InputError if the numbers of observed variables differ.
std::vector<std::size_t> align_observed(const model::NoisyOrNetwork& learned,
                                        const model::NoisyOrNetwork& truth);

/// `network` with its observed variables in the order of those of `reference`, as align_observed
/// matches them.
model::NoisyOrNetwork in_order_of(const model::NoisyOrNetwork& reference,
                                  const model::NoisyOrNetwork& network);

/// Observed variables are aligned by align_observed. The assignment minimises the sum of
/// min(match_cost, 2); learned causes with a prior below `min_prior` are assigned last; ties go to
/// the smaller sum of |f_true - f_learned|. Throws InputError as align_observed does, and if a
/// depth is beyond any search.
Evaluation score_network(const model::LearnedModel& learned, const model::NoisyOrNetwork& truth,
                         double min_prior = default_min_prior);

}  // namespace orrery::noisy_or
