// ALGORITHM 1 on one level: from a covariance to loadings, noise and the covariance of the causes;
// and on the levels above (Anandkumar et al. 2013, Sec. 3.2): on the covariance of the causes, then
// on that of their causes, and so on upwards (Theorem 3.4). How many causes a level has is tested
// first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "families/linear/linear_latent/columns.hpp"
#include "families/linear/linear_latent/loadings.hpp"
#include "families/linear/linear_latent/low_rank_split.hpp"
#include "families/linear/linear_latent/moment_set.hpp"
#include "families/linear/linear_latent/options.hpp"
#include "families/linear/linear_latent/rank_test.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear_latent {

struct Level {
  Loadings loadings;
  Eigen::VectorXd noise;         ///< variances
  Eigen::VectorXd noise_errors;  ///< empty: exact
  std::vector<model::RankStep> rank_test;
  std::vector<std::string> remarks;
};

/// Why a level cannot be learned: a sentence that names the condition that failed.
struct Failure {
  std::string reason;
};

/// `name` is that of the stages: "programs", "level_2_programs". `causes`: none: by the rank test.
/// With `doubtful_rank` a level whose rank condition holds by less than sampling errors is learned
/// all the same, with a remark, unless the rank test is content with fewer causes: of levels above,
/// such doubt means that there is none. Throws InputError for a program that has no solution.
/// Collective.
struct LevelResult {
  std::optional<Level> level;
  Failure failure;
};
[[nodiscard]] LevelResult learn_level(const MomentSet& moments, std::optional<std::uint32_t> causes,
                                      const Options& options, const Workers& workers,
                                      const std::string& name, bool doubtful_rank);

/// The level next to the observed variables: as learn_level has it with `doubtful_rank`; but where
/// no number of causes explains all covariances of sampled rows, or their number cannot be
/// estimated, as many as can be told apart, with remarks that name the condition and what was
/// measured. Of exact moments, of a number that was given and of noise by blocks only what the
/// method allows. Collective.
[[nodiscard]] LevelResult learn_first_level(const MomentSet& moments, const Options& options,
                                            const Workers& workers);

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
