#include "families/linear/linear_latent/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "families/linear/linear_latent/least_trace.hpp"
#include "families/linear/linear_latent/low_rank_split.hpp"
#include "families/linear/linear_latent/rotation.hpp"
#include "learning/learner.hpp"
#include "learning/stages.hpp"
#include "linalg/decompositions.hpp"
#include "orrery/base/error.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// What counts as 0 in the search for sparse columns. Of n k entries some are off by 3 standard
/// errors of the space, and a column's are off by a little more than those; a larger number loses
/// the small entries of dense columns where there are few rows.
constexpr double noise_errors_of_a_search = 3.5;
/// Sine of the angle of exact solutions that is more than rounding.
constexpr double rounding_of_a_rank = 1e-6;

/// A number of causes to be tried.
struct Attempt {
  Index k = 0;
  bool is_rough = false;       ///< rank_test.hpp
  bool doubtful_rank = false;  ///< as learn_level has it
  bool is_given = false;       ///< the number is the user's
};

/// Without a group the fit moves by little: one step from where it is with all rows.
FactorSplit split_without(const MatrixXd& covariance, Index k, const Options& options,
                          const Partition& partition, const FactorSplit& full) {
  if (options.noise != Noise::blocks) return fit_noise(covariance, k, full.noise, 1);
  const VectorXd least = 1e-3 * covariance.diagonal();
  return split_at(covariance, k, noise_by_blocks(covariance, k, partition).cwiseMax(least));
}

/// Of all rows, and, as units, without each group.
Splits split_all(const MomentSet& moments, Index k, const Options& options,
                 const Partition& partition, const Workers& workers, const std::string& name) {
  Splits splits;
  const VectorXd least = 1e-3 * moments.full.diagonal();
  const VectorXd start =
      (options.noise == Noise::trace ? noise_by_least_trace(moments.full)
                                     : noise_by_blocks(moments.full, k, partition))
          .cwiseMax(least);
  splits.full = options.noise == Noise::blocks ? split_at(moments.full, k, start)
                                               : fit_noise(moments.full, k, start);
  const Index n = moments.n_variables();
  const auto size = static_cast<std::size_t>(n * (k + 1));
  const std::vector<double> values = learning::unit_values(
      workers, {name + "_errors", "groups of rows", moments.without.size(), size},
      [&](std::uint64_t unit, int /*thread*/, std::span<double> out) {
        const FactorSplit split = split_without(moments.without[static_cast<std::size_t>(unit)], k,
                                                options, partition, splits.full);
        std::copy_n(split.basis.data(), n * k, out.begin());
        std::copy_n(split.noise.data(), n, out.begin() + n * k);
      });
  for (std::size_t g = 0; g < moments.without.size(); ++g) {
    const double* first = values.data() + g * size;
    FactorSplit split;
    split.basis = Eigen::Map<const MatrixXd>(first, n, k);
    split.noise = Eigen::Map<const VectorXd>(first + n * k, n);
    splits.without.push_back(std::move(split));
  }
  return splits;
}

/// Variables that the causes say something of: their part of the variance exceeds its noise.
std::vector<bool> explained_by(const Splits& splits, const VectorXd& noise_level) {
  const VectorXd sizes = splits.full.basis.rowwise().norm();
  const double scale = splits.full.basis.colwise().norm().maxCoeff();
  std::vector<bool> explained;
  for (Index i = 0; i < sizes.size(); ++i) {
    explained.push_back(sizes[i] > 5 * noise_level[i] * scale);
  }
  return explained;
}

VectorXd noise_errors(const Splits& splits) {
  std::vector<VectorXd> values;
  for (const FactorSplit& split : splits.without) values.push_back(split.noise);
  return jackknife_errors(values);
}

std::string more_is_left(const model::RankStep& step) {
  return fmt::format(
      "{} cause(s) leave {:.4g} of the covariances unexplained where sampling leaves {:.4g} +- "
      "{:.2g}: there are more, or variables depend on each other directly",
      step.rank, step.statistic, step.expected, step.error);
}

/// The correlation that causes and noise explain worst.
std::string worst_explained(const MomentSet& moments, const FactorSplit& split) {
  const VectorXd root = moments.full.diagonal().cwiseSqrt().cwiseInverse();
  MatrixXd left = root.asDiagonal() * (moments.full - split.basis * split.basis.transpose()) *
                  root.asDiagonal();
  left.diagonal().setZero();
  Index a = 0;
  Index b = 0;
  left.cwiseAbs().maxCoeff(&a, &b);
  return fmt::format("'{}' and '{}', whose correlation keeps {:+.2f}",
                     moments.names[static_cast<std::size_t>(std::min(a, b))],
                     moments.names[static_cast<std::size_t>(std::max(a, b))], left(a, b));
}

std::string no_rank(const RankChoice& choice) {
  const model::RankStep& last = choice.steps.back();
  return fmt::format(
      "no number of causes up to a third of the variables explains the covariances (Condition 1: "
      "with {} there is {:.4g} left where sampling leaves {:.4g} +- {:.2g})",
      last.rank, last.statistic, last.expected, last.error);
}

std::string no_partition(const Partition& partition, Index n, Index k) {
  return fmt::format(
      "the rank condition (Condition 2) fails: in none of {} partitions of the {} variables into "
      "three blocks have the covariances between blocks rank {} (--partitions N tries more)",
      partition.n_tried, n, k);
}

std::string doubtful_partition(const Partition& partition, Index n, Index k) {
  return fmt::format(
      "the rank condition (Condition 2) is in doubt: in {} partitions of the {} variables into "
      "three blocks no covariances between blocks have rank {} beyond sampling errors (the least "
      "singular value of the best is {:.2g} times what sampling makes of a lower rank); the noise "
      "is that of maximum likelihood from there, and more rows would tell whether one cause is "
      "another's double",
      partition.n_tried, n, k, partition.distance);
}

Level without_causes(const MomentSet& moments) {
  Level level;
  const Index n = moments.n_variables();
  level.loadings.estimates = level.loadings.significant = MatrixXd(n, 0);
  level.loadings.covariance = MatrixXd(0, 0);
  level.noise = moments.full.diagonal();
  return level;
}

/// k x k: column j of A is B w_j up to its scale, B = splits.full.basis.
MatrixXd columns_of(const Splits& splits, const MomentSet& moments, const Options& options,
                    const Workers& workers, const std::string& name) {
  if (options.sparsity == Sparsity::rotated) {
    const VectorXd inverse = moments.full.diagonal().cwiseSqrt().cwiseInverse();
    return simplest_columns(inverse.asDiagonal() * splits.full.basis, options.seed);
  }
  ColumnSearch search;
  search.basis = splits.full.basis;
  search.noise_level = noise_errors_of_a_search * noise_level(splits);
  search.explained = explained_by(splits, noise_level(splits));
  search.polish = options.sparsity == Sparsity::polished;
  search.in_order = options.sparsity == Sparsity::algorithm_1;
  // Step 10's rank: of samples two solutions for one column differ by sampling errors.
  if (search.in_order && moments.exact()) search.independent = rounding_of_a_rank;
  search.seed = options.seed;
  search.name = name;
  return find_columns(search, workers, moments.names);
}

/// Rough levels have no sparse columns to be found: the simplest ones are taken.
Options options_for(const Attempt& attempt, const Options& options) {
  Options own = options;
  if (attempt.is_rough && own.sparsity == Sparsity::polished) own.sparsity = Sparsity::rotated;
  return own;
}

/// The noise can be had without a sure partition. Of a number that was given: fewer causes must not
/// do.
bool may_be_doubtful(const MomentSet& moments, const Attempt& attempt, const Options& options,
                     const Partition& partition) {
  if (!attempt.doubtful_rank || !has_rank(partition) || moments.exact()) return false;
  if (options.noise == Noise::blocks) return false;
  return !attempt.is_given || is_rejected(test_rank(moments, attempt.k - 1), false);
}

LevelResult try_causes(const MomentSet& moments, const Attempt& attempt, const Options& options,
                       const Workers& workers, const std::string& name) {
  LevelResult result;
  if (attempt.k == 0) {
    result.level = without_causes(moments);
    return result;
  }
  const Index n = moments.n_variables();
  Level level;
  Partition partition;
  if (options.noise != Noise::trace) {
    partition =
        find_partition(moments, attempt.k, static_cast<int>(options.partitions), options.seed);
  }
  if (options.noise != Noise::trace && !has_clear_rank(partition)) {
    if (!may_be_doubtful(moments, attempt, options, partition)) {
      result.failure.reason = no_partition(partition, n, attempt.k);
      return result;
    }
    level.remarks.push_back(doubtful_partition(partition, n, attempt.k));
  }
  const Splits splits = split_all(moments, attempt.k, options, partition, workers, name);
  if (attempt.is_rough) {
    level.remarks.push_back(
        fmt::format("worst explained are {}; loadings are those of the least "
                    "complex rotation, and standard errors those of sampling "
                    "alone",
                    worst_explained(moments, splits.full)));
  }
  if (splits.full.n_at_bound > 0) {
    level.remarks.push_back(fmt::format(
        "{} noise variance(s) would be less than half a percent of the variable's (Heywood "
        "cases): there may be fewer causes",
        splits.full.n_at_bound));
  }
  level.noise = splits.full.noise;
  level.noise_errors = noise_errors(splits);
  const MatrixXd columns =
      columns_of(splits, moments, options_for(attempt, options), workers, name);
  const bool as_solved = options.sparsity == Sparsity::algorithm_1;
  level.loadings = as_solved ? loadings_as_solved(splits, columns, options.alpha)
                             : fit_loadings(splits, columns, options.alpha);
  result.level = std::move(level);
  return result;
}

/// Of a number that was given and leaves much unexplained: the simplest columns, or, where these
/// cannot be told apart by their zeros, the sparse ones.
LevelResult try_roughly_first(const MomentSet& moments, Attempt attempt, const Options& options,
                              const Workers& workers, const std::string& name) {
  if (!attempt.is_rough) return try_causes(moments, attempt, options, workers, name);
  try {
    LevelResult result = try_causes(moments, attempt, options, workers, name);
    if (result.level) return result;
  } catch (const InputError&) {
  }
  attempt.is_rough = false;
  return try_causes(moments, attempt, options, workers, name);
}

}  // namespace

LevelResult learn_level(const MomentSet& moments, std::optional<std::uint32_t> causes,
                        const Options& options, const Workers& workers, const std::string& name,
                        bool doubtful_rank) {
  Attempt attempt{.doubtful_rank = doubtful_rank, .is_given = causes.has_value()};
  std::vector<model::RankStep> steps;
  std::vector<std::string> remarks;
  if (causes) {
    attempt.k = static_cast<Index>(*causes);
    steps.push_back(test_rank(moments, attempt.k));
    if (is_rejected(steps[0], moments.exact())) remarks.push_back(more_is_left(steps[0]));
    attempt.is_rough = is_rough(steps[0], moments.exact());
  } else {
    RankChoice choice = choose_rank(moments);
    if (choice.k < 0) return {std::nullopt, {no_rank(choice)}};
    attempt.k = choice.k;
    steps = std::move(choice.steps);
  }
  LevelResult result = try_roughly_first(moments, attempt, options, workers, name);
  if (result.level) {
    result.level->rank_test = std::move(steps);
    result.level->remarks.insert(result.level->remarks.begin(), remarks.begin(), remarks.end());
  }
  return result;
}

namespace {

/// Causes with fewer variables than the three that Condition 2 needs of each.
std::vector<std::string> lone_causes(const Loadings& loadings) {
  std::vector<std::string> lone;
  const std::vector<std::string> names = cause_names(1, loadings.significant.cols());
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto column = loadings.significant.col(static_cast<Index>(j)).array();
    if ((column != 0).count() < 3) lone.push_back(names[j]);
  }
  return lone;
}

struct Approximate {
  std::optional<Level> level;
  std::string reason;  ///< why not
};

/// Of a number of causes that the rank test rejects, or whose number it chose failed.
Approximate try_fewer(const MomentSet& moments, Index k, const Options& options,
                      const Workers& workers) {
  const model::RankStep step = test_rank(moments, k);
  const Attempt attempt{k, is_rejected(step, false), true, false};
  LevelResult result;
  try {
    result = try_causes(moments, attempt, options, workers, fmt::format("programs_{}", k));
  } catch (const InputError& error) {
    return {std::nullopt, fmt::format("{} causes: {}", k, error.what())};
  }
  if (!result.level) return {std::nullopt, std::move(result.failure.reason)};
  const auto lone = lone_causes(result.level->loadings);
  if (k > 1 && !lone.empty()) {
    return {std::nullopt, fmt::format("of {} causes {} have fewer than the three variables that "
                                      "Condition 2 needs of each",
                                      k, learning::list_names(lone))};
  }
  result.level->rank_test.push_back(step);
  return {std::move(result.level), {}};
}

/// The most causes up to `most` that can be told apart; none: no cause.
Level learn_approximately(const MomentSet& moments, Index most, std::string reason,
                          const Options& options, const Workers& workers) {
  for (Index k = most; k > 0; --k) {
    Approximate found = try_fewer(moments, k, options, workers);
    if (found.level) {
      found.level->remarks.insert(
          found.level->remarks.begin(),
          fmt::format("the method's conditions hold only roughly: {}; {} cause(s) are taken, the "
                      "strongest that can be told apart (--causes K asks for another number)",
                      reason, k));
      return std::move(*found.level);
    }
    reason += fmt::format("; {}", found.reason);
  }
  Level none = without_causes(moments);
  none.remarks.push_back(fmt::format("no cause could be estimated: {}", reason));
  return none;
}

/// By rising rank, each once.
void add_steps(const std::vector<model::RankStep>& more, std::vector<model::RankStep>& steps) {
  steps.insert(steps.end(), more.begin(), more.end());
  std::ranges::stable_sort(steps, {}, &model::RankStep::rank);
  const auto same = [](const auto& a, const auto& b) { return a.rank == b.rank; };
  steps.erase(std::unique(steps.begin(), steps.end(), same), steps.end());
}

}  // namespace

LevelResult learn_first_level(const MomentSet& moments, const Options& options,
                              const Workers& workers) {
  if (options.causes || moments.exact() || options.noise == Noise::blocks) {
    return learn_level(moments, options.causes, options, workers, "programs", true);
  }
  RankChoice choice = choose_rank(moments);
  Index most = causes_beyond_noise(moments);
  std::string reason;
  if (choice.k >= 0) {
    try {
      LevelResult result =
          try_causes(moments, {choice.k, false, true, false}, options, workers, "programs");
      if (result.level) {
        result.level->rank_test = std::move(choice.steps);
        return result;
      }
      reason = result.failure.reason;
    } catch (const InputError& error) {
      reason = error.what();
    }
    most = choice.k - 1;
  } else {
    reason = no_rank(choice);
    most = std::max<Index>(most, 1);
  }
  LevelResult result;
  result.level = learn_approximately(moments, most, std::move(reason), options, workers);
  add_steps(choice.steps, result.level->rank_test);
  return result;
}

}  // namespace orrery::linear_latent
