// Every quartet of 64 columns x 10,000 rows: counted, and its three rank statistics held against
// tau_q, in the learner's scan (nothing pretested away) and in a plain program: 64-bit popcounts of
// ANDed columns and Eigen's JacobiSVD. Both must accept the same number of quartets. One thread is
// measured by processor time, two by elapsed time; the counts alone are the scan without a test.
#include <omp.h>

#include <Eigen/SVD>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "base/log.hpp"
#include "bench/timing.hpp"
#include "families/noisy_or/quartet/scan/scan.hpp"
#include "kernels/kernels.hpp"
#include "moments/counted_moments.hpp"
#include "orrery/model/generators.hpp"
#include "orrery/model/sampling.hpp"

namespace {

using namespace orrery;

constexpr std::size_t m = 64;
constexpr std::size_t n = 10'000;
constexpr std::size_t n_quartets = 635'376;

#if defined(__x86_64__)
#define ORRERY_POPCNT __attribute__((target("popcnt")))
#else
#define ORRERY_POPCNT
#endif

ORRERY_POPCNT std::uint32_t count(const std::vector<std::uint64_t>& x,
                                  std::span<const std::uint64_t> y) {
  std::uint32_t sum = 0;
  for (std::size_t w = 0; w < x.size(); ++w) {
    sum += static_cast<std::uint32_t>(__builtin_popcountll(x[w] & y[w]));
  }
  return sum;
}

double third_singular_value(const std::array<double, 16>& cells, std::size_t row_first,
                            std::size_t row_second) {
  Eigen::Matrix4d unfolded;
  std::size_t others[2] = {};
  std::size_t found = 0;
  for (std::size_t bit = 1; bit < 16; bit *= 2) {
    if (bit != row_first && bit != row_second) others[found++] = bit;
  }
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 4; ++c) {
      unfolded(r, c) = cells[((r & 1) != 0 ? row_first : 0) + ((r & 2) != 0 ? row_second : 0) +
                             ((c & 1) != 0 ? others[0] : 0) + ((c & 2) != 0 ? others[1] : 0)];
    }
  }
  return Eigen::JacobiSVD<Eigen::Matrix4d>(unfolded).singularValues()(2);
}

/// Accepted quartets, all in plain loops; pair and triple counts are made once, as anybody would.
std::size_t plain(const data::BitColumns& columns, double tau) {
  std::size_t accepted = 0;
  std::vector<std::uint64_t> ab(columns.words_per_column());
  std::vector<std::uint64_t> abc(columns.words_per_column());
  std::vector<std::uint32_t> pairs(m * m);
  std::vector<std::uint32_t> triples(m * m * m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a; b < m; ++b) {
      for (std::size_t w = 0; w < ab.size(); ++w)
        ab[w] = columns.column(a)[w] & columns.column(b)[w];
      pairs[a * m + b] = count(ab, columns.column(b));
      for (std::size_t c = b + 1; c < m; ++c)
        triples[(a * m + b) * m + c] = count(ab, columns.column(c));
    }
  }
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      for (std::size_t w = 0; w < ab.size(); ++w)
        ab[w] = columns.column(a)[w] & columns.column(b)[w];
      for (std::size_t c = b + 1; c < m; ++c) {
        for (std::size_t w = 0; w < ab.size(); ++w) abc[w] = ab[w] & columns.column(c)[w];
        for (std::size_t d = c + 1; d < m; ++d) {
          // on[S]: rows with all of S on; then exactly S on, by inclusion-exclusion.
          std::array<double, 16> on{static_cast<double>(n),
                                    static_cast<double>(pairs[a * m + a]),
                                    static_cast<double>(pairs[b * m + b]),
                                    static_cast<double>(pairs[a * m + b]),
                                    static_cast<double>(pairs[c * m + c]),
                                    static_cast<double>(pairs[a * m + c]),
                                    static_cast<double>(pairs[b * m + c]),
                                    static_cast<double>(triples[(a * m + b) * m + c]),
                                    static_cast<double>(pairs[d * m + d]),
                                    static_cast<double>(pairs[a * m + d]),
                                    static_cast<double>(pairs[b * m + d]),
                                    static_cast<double>(triples[(a * m + b) * m + d]),
                                    static_cast<double>(pairs[c * m + d]),
                                    static_cast<double>(triples[(a * m + c) * m + d]),
                                    static_cast<double>(triples[(b * m + c) * m + d]),
                                    static_cast<double>(count(abc, columns.column(d)))};
          for (std::size_t bit = 1; bit < 16; bit *= 2) {
            for (std::size_t set = 0; set < 16; ++set) {
              if ((set & bit) == 0) on[set] -= on[set | bit];
            }
          }
          for (double& cell : on) cell /= static_cast<double>(n);
          const double statistic =
              std::max({third_singular_value(on, 1, 2), third_singular_value(on, 1, 4),
                        third_singular_value(on, 1, 8)});
          accepted += statistic < tau ? 1 : 0;
        }
      }
    }
  }
  return accepted;
}

/// All counts of the scan, in its order, by one thread; their sum.
double count_all(const data::BitPanels& values) {
  const moments::CountedMoments source(values, moments::count_pairs(values));
  const auto walker = source.walker();
  const std::vector<std::uint64_t> all(1, ~std::uint64_t{0});
  std::vector<moments::TripleSlab> slabs(m);
  for (std::size_t a = 0; a < m; ++a) walker->triples(a, all, slabs[a]);
  double sum = 0;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = a + 1; b < m; ++b) {
      walker->select_pair(a, b, slabs[a], slabs[b], all);
      for (std::size_t c = b + 1; c < m; ++c) sum += walker->quartets(c)[m - 1];
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);  // as the program itself does
#endif
  log::configure(log::Level::quiet, true);
  const parallel::Team team(&argc, &argv);
  const auto network = *model::generate_network("img", 1);
  const data::BitColumns columns = model::sample_rows(network, 1, 0, n);
  data::BitPanels values(m, n);
  values.insert(0, columns);

  for (const double tau : {0.003, 0.01}) {
    quartet::Options options;
    options.test = quartet::Test::rank;
    options.tau_q = tau;
    options.tau_e = -std::numeric_limits<double>::infinity();  // nothing is pretested away
    options.max_candidates = 100;
    std::uint64_t accepted = 0;
    const auto scan = [&](int threads) {
      omp_set_num_threads(threads);
      const moments::CountedMoments source(values, moments::count_pairs(values));
      quartet::ScanState state;
      (void)quartet::scan_quartets(team, threads, source, moments::Subtraction(m), options, 0,
                                   parallel::Team::never, state);
      accepted = state.found.n_accepted;
    };
    std::size_t plain_accepted = 0;
    double sum = 0;
    std::vector<bench::Contestant> fast{{"scan, one thread", [&] { scan(1); }},
                                        {"its counts alone", [&] { sum += count_all(values); }}};
    bench::compete(fast, 21, bench::processor_time_once);
    std::vector<bench::Contestant> two{{"scan, two threads, elapsed", [&] { scan(2); }}};
    bench::compete(two, 21);
    std::vector<bench::Contestant> slow{
        {"plain: 64-bit popcount, Eigen JacobiSVD", [&] { plain_accepted = plain(columns, tau); }}};
    slow[0].seconds.push_back(bench::processor_time_once(slow[0].run));
    fmt::print("{} quartets of {} columns x {} rows, tau_q {}, kernel {}: {} accepted\n",
               n_quartets, m, n, tau, kernels::active().name, accepted);
    bench::print_times(slow);
    bench::print_times(fast);
    bench::print_times(two);
    fmt::print("  plain / one thread {:.0f}   {:.3g} quartets/s\n",
               slow[0].median() / fast[0].median(),
               static_cast<double>(n_quartets) / fast[0].median());
    if (plain_accepted != accepted) {
      fmt::print("  DIFFERENT: the plain program accepts {}\n", plain_accepted);
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
