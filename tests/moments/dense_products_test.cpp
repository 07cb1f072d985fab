#include "moments/dense_products.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "moments/matrix_products.hpp"

namespace orrery::moments {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Rows as the class takes them: a row after the other.
std::vector<double> random_rows(std::size_t n_rows, std::size_t n, double missing) {
  std::vector<double> rows;
  for (std::size_t r = 0; r < n_rows; ++r) {
    RowRandom random(5, Stream::rows, r);
    for (std::size_t c = 0; c < n; ++c) {
      const double value = 100 + random.uniform() * static_cast<double>(c + 1);
      rows.push_back(random.bernoulli(missing) ? nan : value);
    }
  }
  return rows;
}

/// From the definition: the mean of each pair's own rows.
double covariance_of_pair(const std::vector<double>& rows, std::size_t n, std::size_t a,
                          std::size_t b, double scale) {
  double sum_a = 0;
  double sum_b = 0;
  double count = 0;
  const auto each = [&](const auto& use) {
    for (std::size_t r = 0; r < rows.size() / n; ++r) {
      const double x = rows[r * n + a];
      const double y = rows[r * n + b];
      if (!std::isnan(x) && !std::isnan(y)) use(x, y);
    }
  };
  each([&](double x, double y) {
    sum_a += x;
    sum_b += y;
    ++count;
  });
  double products = 0;
  each([&](double x, double y) { products += (x - sum_a / count) * (y - sum_b / count); });
  return products / (count - 1) / scale;
}

void expect_covariances(double missing) {
  constexpr std::size_t n = 5;
  const std::vector<double> rows = random_rows(83, n, missing);
  const Standard standard{VectorXd::Constant(n, 101), VectorXd::LinSpaced(n, 1, 2)};
  const bool may_miss = missing > 0;
  ProductSums first(standard, may_miss);
  ProductSums second(standard, may_miss);
  first.add(rows.data(), 20);  // any pieces
  first.add(rows.data() + 20 * n, 13);
  second.add(rows.data() + 33 * n, 50);
  std::vector<double> sums(product_sums_size(n, may_miss), 0);
  second.move_to(sums);
  first.move_to(sums);
  first.move_to(sums);  // it has started anew
  const Covariance covariance = covariance_from(sums, n, may_miss);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      const double scale =
          standard.scale[static_cast<Index>(a)] * standard.scale[static_cast<Index>(b)];
      EXPECT_NEAR(covariance.matrix(static_cast<Index>(a), static_cast<Index>(b)),
                  covariance_of_pair(rows, n, a, b, scale), 1e-12)
          << a << ' ' << b;
    }
  }
  if (may_miss) {
    EXPECT_LT(covariance.least_rows, 83);
  } else {
    EXPECT_EQ(covariance.least_rows, 83);
  }
}

TEST(dense_products, sums_in_parts_give_the_covariance) { expect_covariances(0); }

TEST(dense_products, each_pair_is_taken_from_the_rows_that_have_both) { expect_covariances(.2); }

/// From here on the process gets no more memory than it has.
void take_no_more() {
  std::size_t n_pages = 0;
  std::ifstream("/proc/self/statm") >> n_pages;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = n_pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  setrlimit(RLIMIT_AS, &limit);
}

/// Threads that multiply at once, all of whose memory but the BLAS's own is there from the start.
[[noreturn]] void multiply_without_more_memory() {
  constexpr int n = 256;
  constexpr int k = 8192;
  constexpr int n_threads = 4;
  alarm(60);  // a BLAS that has no room for its buffers tries for ever
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::size_t{1} << 40U;
  setrlimit(RLIMIT_AS, &limit);
  use_one_blas_thread();
  const std::vector<double> a(std::size_t{n} * k, 1);
  std::vector<MatrixXd> sums(n_threads, MatrixXd::Zero(n, n));
  std::barrier together(n_threads + 1);
  std::vector<std::thread> threads;
  for (MatrixXd& sum : sums) {
    threads.emplace_back([&] {
      together.arrive_and_wait();
      add_outer_products(n, k, a.data(), sum);
    });
  }
  reserve_blas_memory(n_threads);
  take_no_more();
  together.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
  const bool is_right = std::ranges::all_of(sums, [](const MatrixXd& s) { return s(3, 4) == k; });
  std::_Exit(is_right ? 0 : 1);
}

TEST(MatrixProducts, the_blas_has_its_buffers_before_other_memory_takes_their_place) {
#ifdef ORRERY_SANITIZED
  GTEST_SKIP() << "a sanitizer maps terabytes";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(multiply_without_more_memory(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace orrery::moments
