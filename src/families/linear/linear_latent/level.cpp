#include "families/linear/linear_latent/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "families/linear/linear_latent/low_rank_split.hpp"
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

/// Without a group the fit moves by little: one step from where it is with all rows.
FactorSplit split_without(const MatrixXd& covariance, Index k, const Options& options,
                          const Partition& partition, const FactorSplit& full) {
  if (options.maximum_likelihood) return fit_noise(covariance, k, full.noise, 1);
  const VectorXd least = 1e-3 * covariance.diagonal();
  return split_at(covariance, k, noise_by_blocks(covariance, k, partition).cwiseMax(least));
}

/// Of all rows, and, as units, without each group.
Splits split_all(const MomentSet& moments, Index k, const Options& options,
                 const Partition& partition, const Workers& workers, const std::string& name) {
  Splits splits;
  const VectorXd least = 1e-3 * moments.full.diagonal();
  const VectorXd by_blocks = noise_by_blocks(moments.full, k, partition).cwiseMax(least);
  splits.full = options.maximum_likelihood ? fit_noise(moments.full, k, by_blocks)
                                           : split_at(moments.full, k, by_blocks);
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

std::string no_rank(const RankChoice& choice) {
  const model::RankStep& last = choice.steps.back();
  return fmt::format(
      "no number of causes up to a third of the variables explains the covariances (with {} there "
      "is {:.4g} left where sampling leaves {:.4g} +- {:.2g})",
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
      "three blocks no covariances between blocks have rank {} beyond sampling errors; the noise "
      "is that of maximum likelihood from the best of them, and more rows would tell whether one "
      "cause is another's double",
      partition.n_tried, n, k);
}

}  // namespace

LevelResult learn_level(const MomentSet& moments, std::optional<std::uint32_t> causes,
                        const Options& options, const Workers& workers, const std::string& name,
                        bool doubtful_rank) {
  LevelResult result;
  Level level;
  const Index n = moments.n_variables();
  const bool given = causes.has_value();
  if (causes) {
    level.rank_test.push_back(test_rank(moments, *causes));
    if (is_rejected(level.rank_test[0], moments.exact())) {
      level.remarks.push_back(more_is_left(level.rank_test[0]));
    }
  } else {
    RankChoice choice = choose_rank(moments);
    if (choice.k < 0) {
      result.failure.reason = no_rank(choice);
      return result;
    }
    causes = static_cast<std::uint32_t>(choice.k);
    level.rank_test = std::move(choice.steps);
  }
  const auto k = static_cast<Index>(*causes);
  if (k == 0) {
    level.loadings.estimates = level.loadings.significant = MatrixXd(n, 0);
    level.loadings.covariance = MatrixXd(0, 0);
    level.noise = moments.full.diagonal();
    result.level = std::move(level);
    return result;
  }
  const Partition partition =
      find_partition(moments, k, static_cast<int>(options.partitions), options.seed);
  if (!has_clear_rank(partition)) {
    // Of a number that was given: fewer causes must not do.
    const auto is_needed = [&] {
      return !given || is_rejected(test_rank(moments, static_cast<std::uint32_t>(k - 1)), false);
    };
    const bool goes_on = doubtful_rank && has_rank(partition) && !moments.exact() &&
                         options.maximum_likelihood && is_needed();
    if (!goes_on) {
      result.failure.reason = no_partition(partition, n, k);
      return result;
    }
    level.remarks.push_back(doubtful_partition(partition, n, k));
  }
  const Splits splits = split_all(moments, k, options, partition, workers, name);
  if (splits.full.n_at_bound > 0) {
    level.remarks.push_back(fmt::format(
        "{} noise variance(s) would be less than half a percent of the variable's (Heywood "
        "cases): there may be fewer causes",
        splits.full.n_at_bound));
  }
  level.noise = splits.full.noise;
  level.noise_errors = noise_errors(splits);

  ColumnSearch search;
  search.basis = splits.full.basis;
  search.noise_level = noise_errors_of_a_search * noise_level(splits);
  search.explained = explained_by(splits, noise_level(splits));
  search.polish = options.polish;
  search.seed = options.seed;
  search.name = name;
  level.loadings =
      fit_loadings(splits, find_columns(search, workers, moments.names), options.alpha);
  result.level = std::move(level);
  return result;
}

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

// ---- the number of causes

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-9;  // size of what an exact fit leaves

/// Correlations that the fit does not explain, in the metric of D.
VectorXd residual_of(const MatrixXd& covariance, const FactorSplit& split) {
  const VectorXd root = split.noise.cwiseSqrt().cwiseInverse();
  const MatrixXd left =
      root.asDiagonal() * (covariance - split.basis * split.basis.transpose()) * root.asDiagonal();
  const Index n = covariance.rows();
  VectorXd entries(n * (n - 1) / 2);
  Index next = 0;
  for (Index b = 0; b < n; ++b) {
    for (Index a = 0; a < b; ++a) entries[next++] = left(a, b);
  }
  return entries;
}

/// Where a walk begins: eigenvalues of the correlation matrix beyond the largest that independent
/// columns have, (1 + sqrt(n / N))^2 (Marchenko, Pastur 1967); with exact moments beyond 1.
Index first_guess(const MomentSet& moments) {
  const VectorXd root = moments.full.diagonal().cwiseSqrt().cwiseInverse();
  const MatrixXd correlations = root.asDiagonal() * moments.full * root.asDiagonal();
  const auto n = static_cast<double>(moments.n_variables());
  const double edge =
      moments.exact() ? 1 : std::pow(1 + std::sqrt(n / std::max(moments.n_rows, 1.0)), 2);
  return (linalg::eigenvalues_of(correlations).array() > edge).count();
}

}  // namespace

model::RankStep test_rank(const MomentSet& moments, Index k) {
  const FactorSplit split = fit_noise(moments.full, k, first_noise(moments.full, k));
  model::RankStep step;
  step.rank = static_cast<std::uint32_t>(k);
  step.statistic = residual_of(moments.full, split).squaredNorm();
  if (moments.exact()) return step;

  const ResidualMap map(split);
  const auto groups = static_cast<Index>(moments.without.size());
  const auto count = static_cast<double>(groups);
  MatrixXd residuals(moments.n_variables() * (moments.n_variables() - 1) / 2, groups);
#pragma omp parallel for schedule(dynamic) default(shared)
  for (Index g = 0; g < groups; ++g) {
    // A group's own covariance differs from all rows' by -(G - 1) times what leaving it out does.
    residuals.col(g) =
        map((1 - count) * (moments.without[static_cast<std::size_t>(g)] - moments.full));
  }
  residuals.colwise() -= residuals.rowwise().mean().eval();
  const MatrixXd products = residuals.transpose() * residuals;
  const double trace = products.trace() / (count - 1);
  // Centred vectors of different groups have products of mean -trace / (G - 1) and of mean square
  // tr C^2 beyond its square.
  const double squares =
      (products.squaredNorm() - products.diagonal().squaredNorm()) / (count * (count - 1));
  const double mean = trace / (count - 1);
  step.expected = trace / count;
  step.error = std::sqrt(2 * std::max(squares - mean * mean, 0.0)) / count;
  return step;
}

bool is_rejected(const model::RankStep& step, bool exact) {
  // Three variables of one cause leave nothing but rounding errors, of any sample.
  if (step.statistic <= rounding * rounding) return false;
  return exact || step.statistic - step.expected > rejects * step.error;
}

RankChoice choose_rank(const MomentSet& moments) {
  const Index most = moments.n_variables() / 3;
  std::map<Index, model::RankStep> tried;
  const auto fails = [&](Index k) {
    const auto [at, is_new] = tried.try_emplace(k);
    if (is_new) at->second = test_rank(moments, k);
    return is_rejected(at->second, moments.exact());
  };
  Index k = std::min(first_guess(moments), most);
  while (k < most && fails(k)) ++k;
  RankChoice choice;
  if (!fails(k)) {
    while (k > 0 && !fails(k - 1)) --k;
    choice.k = k;
  }
  for (const auto& [rank, step] : tried) choice.steps.push_back(step);
  return choice;
}

}  // namespace orrery::linear_latent
