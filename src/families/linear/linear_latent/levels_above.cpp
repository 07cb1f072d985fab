// The levels above the first (Theorem 3.4).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "families/linear/linear_latent/level.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;

bool is_diagonal(const Loadings& loadings, double alpha) {
  const Index k = loadings.covariance.rows();
  const double tests = std::max(1.0, static_cast<double>(k * (k - 1)) / 2);
  for (Index a = 0; a < k; ++a) {
    for (Index b = a + 1; b < k; ++b) {
      const double error =
          loadings.covariance_errors.size() > 0 ? loadings.covariance_errors(a, b) : 0;
      if (is_significant(loadings.covariance(a, b), error, alpha, tests)) return false;
    }
  }
  return true;
}

/// What the causes of a level look like to the next.
MomentSet moments_of(const Level& level, double n_rows, std::size_t number) {
  return {level.loadings.covariance, level.loadings.covariance_without, n_rows,
          cause_names(number, level.loadings.covariance.rows())};
}

}  // namespace

std::vector<std::string> cause_names(std::size_t level, Index k) {
  std::vector<std::string> names;
  for (Index j = 1; j <= k; ++j) {
    names.push_back(level == 1 ? fmt::format("h{}", j) : fmt::format("h{}_{}", level, j));
  }
  return names;
}

Levels learn_levels_above(const Level& below, const MomentSet& moments, const Options& options,
                          const Workers& workers) {
  Levels levels;
  const Level* last = &below;
  for (std::size_t number = 2;; ++number) {
    const Index k = last->loadings.covariance.rows();
    if (is_diagonal(last->loadings, options.alpha)) {
      levels.end = k == 1 ? fmt::format("levels end at {}: it has one cause", number - 1)
                          : fmt::format(
                                "levels end at {}: the covariance of its {} causes is "
                                "diagonal",
                                number - 1, k);
      return levels;
    }
    if (k < 3) {
      levels.end = fmt::format(
          "levels end at {}: its {} causes depend on each other, but the rank condition (Condition "
          "2) needs three variables for a cause above them",
          number - 1, k);
      return levels;
    }
    try {
      LevelResult above =
          learn_level(moments_of(*last, moments.n_rows, number - 1), std::nullopt, options, workers,
                      fmt::format("level_{}_programs", number), false);
      if (!above.level || above.level->loadings.covariance.rows() == 0) {
        levels.end =
            fmt::format("levels end at {}: of the one above it, {}", number - 1,
                        above.level ? "the rank test finds no cause" : above.failure.reason);
        return levels;
      }
      levels.above.push_back(std::move(*above.level));
    } catch (const InputError& error) {  // at every rank alike
      levels.end =
          fmt::format("levels end at {}: of the one above it, {}", number - 1, error.what());
      return levels;
    }
    last = &levels.above.back();
  }
}

}  // namespace orrery::linear_latent
