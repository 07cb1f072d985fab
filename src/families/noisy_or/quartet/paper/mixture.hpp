// MIXTURE: the parameters of the cause behind a singly-coupled quartet.
#pragma once

#include <array>
#include <optional>

#include "moments/joint_table.hpp"

namespace orrery::quartet {

struct CauseEstimate {
  double prior = 0;
  std::array<double, 4> failure{};
};

/// Eq. (2) on the four triplets, three views each; the median of all estimates of a parameter.
/// Empty if a parameter has no estimate, the prior is not in (0, 1/2) or a failure not below 1;
/// failures below 0 cannot come out. `negative` has the learned causes subtracted off.
std::optional<CauseEstimate> mixture(const moments::QuartetMoments& negative);

/// The coherence test (Sec. 2.1): how far the triplets' estimates disagree, and how far the moments
/// rebuilt from their means are from the given ones.
struct Coherence {
  double variance = 0;  ///< largest variance of the estimates of one parameter
  double distance = 0;  ///< L1 distance of the 16 rebuilt negative moments
};
/// Empty if a parameter has fewer than two estimates.
std::optional<Coherence> coherence(const moments::QuartetMoments& negative);

}  // namespace orrery::quartet
