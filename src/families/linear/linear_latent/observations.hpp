// What the learner starts from: the second moments of dense samples, or of a network.
//
// Rows go in 64 groups of neighbours, the numbered units of work: each is summed by itself
// (moments/dense_products.hpp), and the groups are also those of the jackknife. More than 64
// threads over all ranks find no more to share: then groups would have to be summed in parts.
//
// Cost: the file is read once, N n^2 multiply-adds. Memory: 64 n^2 / 2 doubles a rank (n = 2,000:
// 1 GB) for the groups' sums, as much while they are shared, and twice that for the covariances
// without each group.
#pragma once

#include <string>
#include <vector>

#include "families/linear/linear_latent/columns.hpp"
#include "families/linear/linear_latent/moment_set.hpp"
#include "families/linear/linear_latent/options.hpp"
#include "learning/learner.hpp"
#include "moments/dense_products.hpp"

namespace orrery::linear_latent {

struct Observations {
  MomentSet moments;  ///< of z = (x - shift) / scale
  moments::Standard standard;
  bool may_miss = false;
  std::uint64_t digest = 0;  ///< 0: exact moments
  std::uint64_t n_samples = 0;
  std::vector<std::string> remarks;
};

inline constexpr std::uint64_t most_groups = 64;
/// Rows [first, last) of a group.
struct RowRange {
  std::uint64_t first;
  std::uint64_t last;
};
[[nodiscard]] inline std::uint64_t n_groups(std::uint64_t n_rows) {
  return n_rows < most_groups ? n_rows : most_groups;
}
[[nodiscard]] inline RowRange rows_of_group(std::uint64_t group, std::uint64_t n_rows) {
  const std::uint64_t groups = n_groups(n_rows);
  return {group * n_rows / groups, (group + 1) * n_rows / groups};
}

/// What they take of a rank at their peak, in parts.
[[nodiscard]] learning::Parts memory_to_observe(std::size_t n_columns, std::uint64_t n_rows,
                                                bool may_miss);

/// Throws InputError: not a linear network; fewer than three columns, no more rows than columns,
/// constant columns, columns that depend on each other linearly (which), a pair of columns that
/// fewer than 50 rows have, a column whose variance is too small or too large.
/// Throws UsageError if they take more than context.memory_bytes. Collective.
[[nodiscard]] Observations observe(const learning::DataContext& context, const Options& options,
                                   const Workers& workers);

}  // namespace orrery::linear_latent
