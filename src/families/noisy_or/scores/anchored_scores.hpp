// How a learned anchored network compares with the true one: the graph of the causes and their
// distribution (Halpern, Horng, Sontag 2015, Sec. 5.3), and the loadings.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/model/learned_model.hpp"

namespace orrery::noisy_or {

struct AnchoredScores {
  using Ends = std::array<std::uint32_t, 2>;

  std::vector<std::int64_t> partner;  ///< of each true cause the learned one, -1: none
  bool by_name = false;               ///< else by their loadings
  // Edges among causes, whatever their direction: equivalent graphs differ in it.
  std::size_t n_true_edges = 0;
  std::size_t n_learned_edges = 0;
  std::size_t n_common_edges = 0;
  double precision = 0;  ///< 0 where nothing was learned
  double recall = 0;     ///< 0 where nothing is true
  double f1 = 0;
  std::vector<Ends> missing;  ///< true causes, the lower first; rising
  std::vector<Ends> wrong;    ///< learned causes, likewise
  /// KL(P(Y) true || learned), nats; infinity: the learned one rules out what happens. Unset:
  /// causes are not matched one to one, or sums over the true network are out of reach.
  std::optional<double> kl_from_truth;

  std::size_t n_observed = 0;  ///< variables of both, by name; by position where no name is shared
  // Failures of true edges of matched causes to those variables; 1 where no edge was learned.
  std::size_t n_true_loadings = 0;
  double median_failure_error = 0;
  double mean_failure_error = 0;
  double max_failure_error = 0;
  std::size_t n_extra_loadings = 0;  ///< learned edges of theirs that are not true
  double mean_extra_strength = 0;    ///< of those, 1 - failure
  double mean_leak_error = 0;
  double max_leak_error = 0;
  double mean_prior_error = 0;
  double max_prior_error = 0;
  /// True failures, leaks and priors within 1.96 standard errors; of none if no errors are known.
  std::size_t n_covered = 0;
  std::size_t n_with_error = 0;
};

/// Causes are matched by name if both have the same names, else by the assignment with the least
/// sum of |differences| of failures. Throws InputError if no observed variable is shared.
AnchoredScores score_anchored(const model::LearnedModel& learned,
                              const model::NoisyOrNetwork& truth);

}  // namespace orrery::noisy_or
