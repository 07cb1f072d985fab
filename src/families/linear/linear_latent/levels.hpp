// Multi-level networks (Anandkumar et al. 2013, Sec. 3.2): ALGORITHM 1 on the covariance of the
// causes, then on that of their causes, and so on upwards (Theorem 3.4).
#pragma once

#include <string>
#include <vector>

#include "families/linear/linear_latent/level.hpp"

namespace orrery::linear_latent {

struct Levels {
  std::vector<Level> above;  ///< from below upwards; empty if the causes have no common causes
  std::string end;           ///< a sentence: why there are no more
};
/// Above a level that was learned; `names` of its causes. Collective.
[[nodiscard]] Levels learn_levels_above(const Level& below, const MomentSet& moments,
                                        const Options& options, const Workers& workers);

/// "h3"; of the second level "h2_3".
[[nodiscard]] std::vector<std::string> cause_names(std::size_t level, Eigen::Index k);

}  // namespace orrery::linear_latent
