// The linear learner's covariance against one dsyrk of the linked BLAS on the same numbers (10^6
// rows of 500 columns, 4 GB; all threads), and its linear programs from the last basis against each
// from scratch (n = 300 variables, k = 30 causes).
#include <omp.h>

#include <cstdlib>
#include <vector>

#include "base/random.hpp"
#include "bench/timing.hpp"
#include "families/linear/linear_latent/observations.hpp"
#include "families/linear/linear_latent/sparse_vectors.hpp"
#include "families/linear/network/generators.hpp"
#include "moments/dense_products.hpp"
#include "moments/matrix_products.hpp"
#include "orrery/data/dense_block.hpp"

extern "C" {
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* beta, double* c, const int* ldc);
__attribute__((weak)) void openblas_set_num_threads(int n_threads);
}

namespace {

using namespace orrery;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<double> random_rows(std::size_t n_rows, std::size_t n) {
  std::vector<double> rows(n_rows * n);
#pragma omp parallel for default(shared)
  for (std::size_t r = 0; r < n_rows; ++r) {
    RowRandom random(1, Stream::check, r);
    for (std::size_t c = 0; c < n; ++c) rows[r * n + c] = random.uniform() - .5;
  }
  return rows;
}

/// As the learner: 64 groups of rows, in the blocks that a file has.
double covariance(const std::vector<double>& rows, std::size_t n_rows, std::size_t n) {
  const auto width = static_cast<Index>(n);
  const moments::Standard standard{VectorXd::Zero(width), VectorXd::Constant(width, .29)};
  const std::size_t size = moments::product_sums_size(n, false);
  const std::uint64_t groups = linear_latent::n_groups(n_rows);
  std::vector<double> sums(groups * size, 0);
#pragma omp parallel default(shared)
  {
    moments::ProductSums own(standard, false);
#pragma omp for schedule(dynamic)
    for (std::uint64_t g = 0; g < groups; ++g) {
      const auto range = linear_latent::rows_of_group(g, n_rows);
      const std::size_t block = data::dense_block_rows(n);
      for (std::uint64_t r = range.first; r < range.last; r += block) {
        own.add(rows.data() + r * n, std::min<std::uint64_t>(block, range.last - r));
      }
      own.move_to(std::span(sums).subspan(g * size, size));
    }
  }
  std::vector<double> total(size, 0);
  for (std::uint64_t g = 0; g < groups; ++g) {
    for (std::size_t i = 0; i < size; ++i) total[i] += sums[g * size + i];
  }
  return moments::covariance_from(total, n, false).matrix(0, 0);
}

double one_dsyrk(const std::vector<double>& rows, std::size_t n_rows, std::size_t n) {
  const int width = static_cast<int>(n);
  const int depth = static_cast<int>(n_rows);
  const double one = 1;
  const double zero = 0;
  MatrixXd products(width, width);
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(omp_get_max_threads());
  dsyrk_("U", "N", &width, &depth, &one, rows.data(), &width, &zero, products.data(), &width);
  moments::use_one_blas_thread();
  return products(0, 0);
}

void compete_covariances() {
  constexpr std::size_t n_rows = 1'000'000;
  constexpr std::size_t n = 500;
  const std::vector<double> rows = random_rows(n_rows, n);
  double sink = 0;
  std::vector<bench::Contestant> contestants{
      {"one dsyrk of the BLAS", [&] { sink += one_dsyrk(rows, n_rows, n); }},
      {"covariance, standardised, in 64 groups", [&] { sink += covariance(rows, n_rows, n); }}};
  bench::compete(contestants, 5);
  fmt::print("covariance of 500 columns x 1,000,000 rows, {} threads\n", omp_get_max_threads());
  bench::print_times(contestants);
  fmt::print("  ratio {:.2f} (sum {:.3g})\n", contestants[1].median() / contestants[0].median(),
             sink);
}

void compete_programs() {
  const auto network = *model::generate_linear("linear:bipartite:300,30,.1", 1);
  const MatrixXd& basis = network.loadings();
  const VectorXd ones = VectorXd::Ones(basis.rows());
  double sink = 0;
  const auto solve_all = [&](bool warm) {
    linear_latent::SparsePrograms programs(basis);
    for (Index i = 0; i < basis.rows(); ++i) {
      if (basis.row(i).norm() == 0) continue;
      if (!warm) programs.forget();
      sink += programs.solve(basis.row(i), ones).w.sum();
    }
  };
  std::vector<bench::Contestant> contestants{
      {"each program from scratch", [&] { solve_all(false); }},
      {"from the last basis", [&] { solve_all(true); }}};
  bench::compete(contestants, 5);
  fmt::print("300 linear programs of 300 variables and 30 causes, one thread\n");
  bench::print_times(contestants);
  fmt::print("  {:.0f} and {:.0f} programs/s, ratio {:.2f} (sum {:.3g})\n",
             300 / contestants[0].median(), 300 / contestants[1].median(),
             contestants[0].median() / contestants[1].median(), sink);
}

}  // namespace

int main() {
  compete_programs();
  compete_covariances();
  return EXIT_SUCCESS;
}
