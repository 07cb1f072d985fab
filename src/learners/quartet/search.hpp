// One round of the calibrated search: from counts to causes that many quartets agree on.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "learners/quartet/options.hpp"
#include "learners/quartet/scan.hpp"
#include "orrery/learners/learner.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/moments/subtraction.hpp"

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

/// The causes of a network as what is subtracted off; without errors they count as exact.
[[nodiscard]] moments::Subtraction subtraction_of(const model::NoisyOrNetwork& network,
                                                  const model::StandardErrors& errors);

/// What the moments hold beyond `learned`, most support first: the vote of the accepted quartets of
/// a finished scan (scan_quartets). Collective; the same at every rank and for any number of them.
[[nodiscard]] std::vector<Elected> elect(const learners::LearnContext& context,
                                         const moments::Subtraction& learned,
                                         const Options& options, const ScanResult& found);

}  // namespace orrery::quartet
