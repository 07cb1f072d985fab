// One round of the calibrated search: from counts to causes that many quartets agree on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/calibrated/vote.hpp"
#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/scan/scan.hpp"
#include "moments/moment_source.hpp"
#include "moments/negative_moments.hpp"
#include "orrery/model/learned_model.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

/// A cause that accepted quartets have elected.
struct Elected {
  double prior = 0;
  double prior_error = 0;
  std::vector<double> failures;        ///< m, 1 where there is no edge
  std::vector<double> failure_errors;  ///< m, 0 where there is no edge
  std::uint64_t support = 0;           ///< accepted quartets that imply it
  std::array<std::uint32_t, 4> quartet{};
  double statistic = 0;  ///< of that quartet: chi-square, 6 degrees of freedom
};

/// Enough of the quartets that its children make voted for it: `enough`, or three in ten where
/// there are few.
[[nodiscard]] bool well_supported(const Elected& cause, std::uint64_t enough);

/// The causes of a network as what is subtracted off; without errors they count as exact.
[[nodiscard]] moments::Subtraction subtraction_of(const model::NoisyOrNetwork& network,
                                                  const model::StandardErrors& errors);

/// What the moments hold beyond `learned`, most support first: the vote of the accepted quartets of
/// a finished scan (scan_quartets), which root has. Collective; the same at every rank and for any
/// number of them.
[[nodiscard]] std::vector<Elected> elect(const parallel::Team& team, int threads,
                                         const moments::MomentSource& moments,
                                         const moments::Subtraction& learned,
                                         const Options& options, const ScanResult& found);
/// Its last step: the parameters of elected causes (clusters and candidates at root). Collective.
[[nodiscard]] std::vector<Elected> estimate_causes(const parallel::Team& team, int threads,
                                                   const moments::MomentSource& moments,
                                                   const moments::Subtraction& learned,
                                                   const Calibration& calibration,
                                                   std::vector<Cluster> clusters,
                                                   std::span<const Candidate> candidates);

}  // namespace orrery::quartet
