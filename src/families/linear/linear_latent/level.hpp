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
#include "orrery/model/linear_network.hpp"

namespace orrery::linear_latent {

// ---- the number of causes
//
// How many causes: the least k whose low-rank part leaves no more than what sampling does.
//
// What a fit of rank k leaves (off the diagonal, in the metric of D; low_rank_split.hpp) is, if the
// rank is k, normal about 0 for many rows, with a covariance C that the groups of rows show: their
// own residuals scatter with G times it. Its squared size then has the mean tr C and the variance
// 2 tr C^2, whatever the distribution of the rows. tr C is the groups' mean square; tr C^2 comes
// from products of different groups, which estimate it without bias. Tests of the rank of a matrix
// with any covariance: Robin, Smith 2000. `z` above `rejects` standard errors says: more causes.

inline constexpr double rejects = 3;

/// The test of one hypothesis. With exact moments nothing is expected to be left.
[[nodiscard]] model::RankStep test_rank(const MomentSet& moments, Eigen::Index k);
/// True if more causes are needed.
[[nodiscard]] bool is_rejected(const model::RankStep& step, bool exact);

struct RankChoice {
  std::int64_t k = -1;                 ///< -1: none up to n/3 will do
  std::vector<model::RankStep> steps;  ///< by rising rank
};
/// The least k <= n/3 that is not rejected. Begins where the eigenvalues of the correlations exceed
/// what as many independent columns show, and walks from there: a few fits.
[[nodiscard]] RankChoice choose_rank(const MomentSet& moments);

// ---- a level

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
