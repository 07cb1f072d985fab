// How many causes: the least k whose low-rank part leaves no more than what sampling does.
//
// What a fit of rank k leaves (off the diagonal, in the metric of D; low_rank_split.hpp) is, if the
// rank is k, normal about 0 for many rows, with a covariance C that the groups of rows show: their
// own residuals scatter with G times it. Its squared size then has the mean tr C and the variance
// 2 tr C^2, whatever the distribution of the rows. tr C is the groups' mean square; tr C^2 comes
// from products of different groups, which estimate it without bias. Tests of the rank of a matrix
// with any covariance: Robin, Smith 2000. `z` above `rejects` standard errors says: more causes.
//
// Tables of questionnaires and measurements have many small dependences besides their causes: with
// rows enough every rank is rejected. Then as many causes are asked for as the correlations have
// eigenvalues beyond those of independent columns (parallel analysis: Horn 1965, here with the edge
// of Marchenko and Pastur 1967).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "families/linear/linear_latent/moment_set.hpp"
#include "orrery/model/linear_network.hpp"

namespace orrery::linear_latent {

inline constexpr double rejects = 3;

/// The test of one hypothesis. With exact moments nothing is expected to be left.
[[nodiscard]] model::RankStep test_rank(const MomentSet& moments, Eigen::Index k);
/// True if more causes are needed.
[[nodiscard]] bool is_rejected(const model::RankStep& step, bool exact);

struct RankChoice {
  std::int64_t k = -1;                 ///< -1: none up to n/3 will do
  std::vector<model::RankStep> steps;  ///< by rising rank
};
/// The least k <= n/3 that is not rejected. Begins at causes_beyond_noise, and walks from there: a
/// few fits.
[[nodiscard]] RankChoice choose_rank(const MomentSet& moments);

/// Eigenvalues of the correlation matrix beyond the largest that independent columns have,
/// (1 + sqrt(n / N))^2, with exact moments beyond 1; n / 3 at most.
[[nodiscard]] Eigen::Index causes_beyond_noise(const MomentSet& moments);

/// A rejected rank that leaves more than twice what sampling does: no rank at all, but for causes
/// that explain the covariances roughly.
[[nodiscard]] bool is_rough(const model::RankStep& step, bool exact);

}  // namespace orrery::linear_latent
