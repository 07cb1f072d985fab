#include "families/linear/linear_latent/observations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/progress.hpp"
#include "families/linear/network/moments.hpp"
#include "learning/stages.hpp"
#include "linalg/decompositions.hpp"
#include "moments/dense_products.hpp"
#include "moments/matrix_products.hpp"
#include "orrery/base/error.hpp"
#include "orrery/model/linear_network.hpp"
#include "store/tables.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double least_pair_rows = 50;
constexpr double collinear = 1e-9;  // an eigenvalue of correlations that is a rounding error of 0
constexpr double repaired = 1e-6;   // the least eigenvalue of correlations after a repair

void require_shape(const std::string& source, std::uint64_t n_columns, std::uint64_t n_rows) {
  if (n_columns < 3) {
    throw InputError(
        fmt::format("{}: {} column(s); three are needed to tell one cause from noise (Condition 2)",
                    source, n_columns));
  }
  if (n_rows <= n_columns) {
    throw InputError(fmt::format(
        "{}: {} rows of {} columns; covariances need more rows than columns, and standard errors "
        "many more: collect rows, or leave columns out with `orrery import --drop`",
        source, n_rows, n_columns));
  }
}

void require_varying(const std::string& source, const std::vector<std::string>& names,
                     const std::vector<store::DenseColumn>& columns) {
  std::vector<std::string> constant;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].n_present < 2 || columns[i].min == columns[i].max) constant.push_back(names[i]);
  }
  if (constant.empty()) return;
  throw InputError(
      fmt::format("{}: {} column(s) have one value in all rows ({}); leave them out with `orrery "
                  "import --drop`",
                  source, constant.size(), learning::list_names(constant)));
}

/// Squares of very small numbers, by themselves or beside those of other columns, round to 0; those
/// of very large ones are infinite.
void require_variances(const std::string& source, const std::vector<std::string>& names,
                       const VectorXd& variances) {
  std::vector<std::string> lost;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isnormal(variances[static_cast<Index>(i)])) lost.push_back(names[i]);
  }
  if (lost.empty()) return;
  throw InputError(fmt::format(
      "{}: the variance of {} column(s) is too small or too large to reckon with ({}); give these "
      "columns in another unit, or leave them out with `orrery import --drop`",
      source, lost.size(), learning::list_names(lost)));
}

moments::Standard standard_of(const std::vector<store::DenseColumn>& columns, bool standardize) {
  const auto n = static_cast<Index>(columns.size());
  moments::Standard standard{VectorXd(n), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    standard.shift[i] = columns[static_cast<std::size_t>(i)].mean;
    standard.scale[i] = columns[static_cast<std::size_t>(i)].sd;
  }
  // One unit for all, so that numbers are near 1 however small the data's are.
  if (!standardize) standard.scale.setConstant(standard.scale.norm() / std::sqrt(double(n)));
  return standard;
}

/// 0 of a column that does not vary, as one may in the rows without a group.
MatrixXd correlations_of(const MatrixXd& covariance) {
  const VectorXd variances = covariance.diagonal();
  const VectorXd root =
      (variances.array() > 0)
          .select(variances.cwiseSqrt().cwiseInverse(), VectorXd::Zero(variances.size()));
  return root.asDiagonal() * covariance * root.asDiagonal();
}

/// Columns with a part in the combination that does not vary.
void require_independent(const std::string& source, const MomentSet& moments) {
  const linalg::Spectrum spectrum = linalg::spectrum_of(correlations_of(moments.full));
  if (spectrum.values[0] > collinear) return;
  const VectorXd combination = spectrum.vectors.col(0).cwiseAbs();
  std::vector<std::size_t> order(moments.names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return combination[static_cast<Index>(i)]; });
  std::vector<std::string> members;
  for (const std::size_t i : order) {
    if (combination[static_cast<Index>(i)] > 1e-3) members.push_back(moments.names[i]);
  }
  throw InputError(fmt::format(
      "{}: columns are collinear: a combination of {} does not vary; leave one of them out with "
      "`orrery import --drop`",
      source, learning::list_names(members)));
}

/// The nearest correlation matrix that has no negative eigenvalue, but for the scaling back to its
/// diagonal (Rousseeuw, Molenberghs 1993, "shrinking" by eigenvalues). Returns the largest change.
double repair(MatrixXd& covariance) {
  const VectorXd sd = covariance.diagonal().cwiseSqrt();
  const MatrixXd before = correlations_of(covariance);
  const linalg::Spectrum spectrum = linalg::spectrum_of(before);
  if (spectrum.values[0] >= repaired) return 0;
  const VectorXd values = spectrum.values.cwiseMax(repaired);
  const MatrixXd after =
      correlations_of(spectrum.vectors * values.asDiagonal() * spectrum.vectors.transpose());
  covariance = sd.asDiagonal() * after * sd.asDiagonal();
  return (after - before).cwiseAbs().maxCoeff();
}

/// Pairwise covariances of different rows need not be positive definite.
void repair_all(const std::string& source, Observations& observed) {
  const double change = repair(observed.moments.full);
  for (MatrixXd& covariance : observed.moments.without) repair(covariance);
  if (change == 0) return;
  observed.remarks.push_back(fmt::format(
      "{}: the covariances of pairs of columns, from the rows that have both, had no positive "
      "definite matrix; the repair changed a correlation by up to {:.3g}",
      source, change));
}

std::vector<double> sum_products(const store::DenseReader& reader, const Observations& observed,
                                 const Workers& workers) {
  const std::size_t n = reader.names().size();
  const std::uint64_t n_rows = reader.header().n_samples;
  moments::reserve_blas_memory(workers.threads);
  std::vector<moments::ProductSums> sums;
  sums.reserve(static_cast<std::size_t>(workers.threads));
  for (int t = 0; t < workers.threads; ++t) {
    sums.emplace_back(observed.standard, observed.may_miss);
  }
  return learning::unit_values(
      workers,
      {"covariance", "groups of rows", n_groups(n_rows),
       moments::product_sums_size(n, observed.may_miss)},
      [&](std::uint64_t unit, int thread, std::span<double> out) {
        moments::ProductSums& own = sums[static_cast<std::size_t>(thread)];
        const RowRange rows = rows_of_group(unit, n_rows);
        reader.visit(rows.first, rows.last - rows.first,
                     [&](const double* values, std::size_t count) { own.add(values, count); });
        own.move_to(out);
      });
}

/// Of all rows and without each group.
void fill_moments(const std::string& source, const std::vector<double>& sums, MomentSet& moments,
                  bool may_miss) {
  const std::size_t n = moments.names.size();
  const std::size_t size = moments::product_sums_size(n, may_miss);
  const std::size_t groups = sums.size() / size;
  std::vector<double> total(size, 0);
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < size; ++i) total[i] += sums[g * size + i];
  }
  const moments::Covariance all = moments::covariance_from(total, n, may_miss);
  if (all.least_rows < least_pair_rows && may_miss) {
    throw InputError(fmt::format(
        "{}: two columns have only {} rows in which neither is missing; at least {} are needed: "
        "leave out the columns that miss most (`orrery info` counts them)",
        source, all.least_rows, least_pair_rows));
  }
  moments.full = all.matrix;
  moments.without.resize(groups);
#pragma omp parallel for schedule(dynamic) default(shared)
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<double> rest(size);
    for (std::size_t i = 0; i < size; ++i) rest[i] = total[i] - sums[g * size + i];
    moments.without[g] = moments::covariance_from(rest, n, may_miss).matrix;
  }
}

void require_memory(const learning::DataContext& context, const store::DenseHeader& header) {
  const double needed =
      learning::total(memory_to_observe(header.n_columns, header.n_samples, header.n_missing > 0));
  if (context.memory_bytes == 0 || needed <= static_cast<double>(context.memory_bytes)) return;
  throw UsageError(fmt::format(
      "--memory {}: the covariances of {} columns take at least {} a rank; give as much, or leave "
      "columns out with `orrery import --drop`",
      format_bytes(static_cast<double>(context.memory_bytes)), header.n_columns,
      format_bytes(needed)));
}

Observations observe_rows(const learning::DataContext& context, const Options& options,
                          const Workers& workers) {
  const auto reader =
      context.team.root_first([&] { return std::make_unique<store::DenseReader>(context.path); });
  const store::DenseHeader& header = reader->header();
  require_shape(context.path, header.n_columns, header.n_samples);
  require_varying(context.path, reader->names(), reader->columns());
  require_memory(context, header);
  Observations observed;
  observed.may_miss = header.n_missing > 0;
  observed.digest = header.digest;
  observed.n_samples = header.n_samples;
  observed.standard = standard_of(reader->columns(), options.standardize);
  require_variances(context.path, reader->names(), observed.standard.scale);
  observed.moments.names = reader->names();
  observed.moments.n_rows = static_cast<double>(header.n_samples);
  fill_moments(context.path, sum_products(*reader, observed, workers), observed.moments,
               observed.may_miss);
  require_variances(context.path, reader->names(), observed.moments.full.diagonal());
  if (observed.may_miss) {
    observed.remarks.push_back(fmt::format(
        "{}: {} of {} values are missing; each covariance is taken from the rows in which both "
        "columns are there, as if values were missing completely at random",
        context.path, header.n_missing, header.n_samples * header.n_columns));
    repair_all(context.path, observed);
  } else {
    require_independent(context.path, observed.moments);
  }
  return observed;
}

Observations observe_network(const model::AnyModel& exact, const Options& options) {
  const auto* learned = exact.as<model::LearnedLinear>();
  if (learned == nullptr) {
    throw InputError(
        "--moments: `learn linear` takes the exact moments of a linear network, and this is a "
        "network of binary variables; give linear:..., or a file with a linear network");
  }
  const model::LinearNetwork& network = learned->network;
  require_shape("--moments", network.n_observed(), network.n_observed() + 1);
  Observations observed;
  observed.moments.names = network.names();
  const MatrixXd covariance = model::exact_covariance(network);
  observed.standard.shift = network.means();
  observed.standard.scale = covariance.diagonal().cwiseSqrt();
  for (Index i = 0; i < covariance.rows(); ++i) {
    if (observed.standard.scale[i] > 0) continue;
    throw InputError(fmt::format("--moments: variable '{}' has variance 0: leave it out",
                                 network.names()[static_cast<std::size_t>(i)]));
  }
  if (!options.standardize) observed.standard.scale.setOnes();
  const VectorXd inverse = observed.standard.scale.cwiseInverse();
  observed.moments.full = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  return observed;
}

}  // namespace

learning::Parts memory_to_observe(std::size_t n_columns, std::uint64_t n_rows, bool may_miss) {
  const auto groups = static_cast<double>(n_groups(n_rows));
  const auto width = static_cast<double>(n_columns);
  return {{"sums",
           2 * 8 * groups * static_cast<double>(moments::product_sums_size(n_columns, may_miss))},
          {"covariances", 8 * groups * width * width},
          {"rank_test", 8 * (groups + 8) * width * width / 2}};
}

Observations observe(const learning::DataContext& context, const Options& options,
                     const Workers& workers) {
  return context.exact != nullptr ? observe_network(*context.exact, options)
                                  : observe_rows(context, options, workers);
}

}  // namespace orrery::linear_latent
