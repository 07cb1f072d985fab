// Covariances and eigendecompositions are timed on a matrix of the file's width; the programs are
// counted, and one is timed on random loadings of as many causes.
#include "families/linear/linear_latent/plan.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "families/linear/linear_latent/observations.hpp"
#include "families/linear/linear_latent/programs.hpp"
#include "linalg/decompositions.hpp"
#include "moments/blas_threads.hpp"
#include "moments/dense_products.hpp"
#include "orrery/model/linear_network.hpp"
#include "store/dense.hpp"

namespace orrery::linear_latent {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double measuring_seconds = .1;
constexpr double programs_a_start = 12;  // with those that make it sparser, about
constexpr double rank_fits = 5;          // hypotheses tried
constexpr double decompositions_a_fit = 10;

MatrixXd random_matrix(Index rows, Index columns) {
  RowRandom random(1, Stream::check, 0);
  MatrixXd matrix(rows, columns);
  for (double& entry : matrix.reshaped()) entry = 2 * random.uniform() - 1;
  return matrix;
}

void time_covariance(std::size_t n, std::uint64_t n_rows, bool may_miss, learning::Timing& timing) {
  const auto width = static_cast<Index>(n);
  const std::size_t rows = data::dense_block_rows(n);
  const moments::Standard standard{VectorXd::Zero(width), VectorXd::Ones(width)};
  moments::require_blas_memory(1);
  moments::ProductSums sums(standard, may_miss);
  const MatrixXd block = random_matrix(width, static_cast<Index>(rows));
  const double seconds = timing.measure(measuring_seconds, [&] { sums.add(block.data(), rows); });
  timing.shared("covariance", seconds * static_cast<double>(n_rows) / static_cast<double>(rows));
}

void time_fits(Index n, std::uint64_t groups, const Options& options, learning::Timing& timing) {
  const MatrixXd half = random_matrix(n, n);
  const MatrixXd matrix = half * half.transpose();
  const double seconds =
      timing.measure(measuring_seconds, [&] { (void)linalg::spectrum_of(matrix); });
  const double fits = options.causes ? 1 : rank_fits;
  timing.alone("rank_test", fits * seconds * (decompositions_a_fit + 1));
  timing.shared("programs_errors", seconds * 2 * static_cast<double>(groups));
}

void time_programs(Index n, Index k, const Options& options, learning::Timing& timing) {
  SparsePrograms programs(random_matrix(n, k));
  Index next = 0;
  const VectorXd ones = VectorXd::Ones(n);
  const double seconds = timing.measure(measuring_seconds, [&] {
    VectorXd direction = VectorXd::Constant(k, .1);
    direction[next++ % k] = 1;
    (void)programs.solve(direction, ones);
  });
  const double starts =
      static_cast<double>(n) + (options.polish ? 4.0 * static_cast<double>(k) : 0);
  timing.shared("programs", seconds * starts * (options.polish ? programs_a_start : 1));
}

}  // namespace

learning::Plan predict(const learning::DataPlanContext& context, const Options& options) {
  std::uint64_t n_columns = 0;
  std::uint64_t n_rows = 0;
  bool may_miss = false;
  if (context.exact != nullptr) {
    if (const auto* learned = context.exact->as<model::LearnedLinear>()) {
      n_columns = learned->network.n_observed();
    }
  } else {
    const store::DenseReader reader(context.path);
    n_columns = reader.header().n_columns;
    n_rows = reader.header().n_samples;
    may_miss = reader.header().n_missing > 0;
  }
  const auto n = static_cast<Index>(n_columns);
  const Index k = options.causes ? static_cast<Index>(*options.causes)
                                 : std::clamp<Index>(n / 10, 1, std::max<Index>(n / 3, 1));
  const std::uint64_t groups = n_groups(n_rows);
  learning::Plan plan;
  if (n > 0) {
    if (n_rows > 0) time_covariance(n_columns, n_rows, may_miss, context.timing);
    time_fits(n, groups, options, context.timing);
    time_programs(n, k, options, context.timing);
  }
  plan.memory = learning::memory_of_program(context.resources);
  for (auto& part : memory_to_observe(n_columns, n_rows, may_miss)) plan.memory.push_back(part);
  plan.memory_bytes = learning::total(plan.memory);
  plan.units = groups + (n_columns + 15) / 16;
  plan.unit = "groups of rows and of programs";
  return plan;
}

}  // namespace orrery::linear_latent
