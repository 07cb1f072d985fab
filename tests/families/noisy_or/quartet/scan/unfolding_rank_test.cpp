// The rank statistics and the screen of every instruction set against Eigen's singular values.
#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "families/noisy_or/quartet/svd_oracle.hpp"
#include "linalg/decompositions.hpp"

namespace orrery::quartet {
namespace {

using learning::planted::integer;
using learning::planted::uniform;
using moments::QuartetCells;

std::vector<const RankKernel*> kernels_of_this_machine() {
  std::vector<const RankKernel*> found;
  for (const auto isa : {kernels::Isa::scalar, kernels::Isa::avx2, kernels::Isa::avx512}) {
    if (const RankKernel* kernel = find_rank_kernel(isa)) found.push_back(kernel);
  }
  return found;
}

/// Mixtures of 1 to 4 classes, exact or with noise of size 1e-1 to 1e-6; some with cells of zero,
/// all zero or near the smallest double.
std::vector<QuartetCells> random_tables(std::size_t n) {
  std::mt19937_64 random(17);
  std::vector<QuartetCells> tables;
  for (std::size_t i = 0; i < n; ++i) {
    QuartetCells cells = oracle::product_mixture(random, 1 + i % 4);
    const double noise = i % 7 == 0 ? 0 : std::pow(10, -static_cast<double>(i % 7));
    for (double& cell : cells) cell += noise * uniform(random, -1, 1);
    if (i % 11 == 0) {
      for (int zeros = 0; zeros < 6; ++zeros) cells[integer(random, 0, 15)] = 0;
    }
    if (i % 101 == 0) cells.fill(0);
    if (i % 103 == 0) {
      for (double& cell : cells) cell *= 1e-308;
    }
    if (i % 107 == 0) {
      for (double& cell : cells) cell *= 1e-160;  // squares underflow
    }
    tables.push_back(cells);
  }
  return tables;
}

std::vector<double> statistics_of(const RankKernel& kernel,
                                  const std::vector<QuartetCells>& tables) {
  std::vector<double> statistics(tables.size());
  for (std::size_t first = 0; first < tables.size(); first += statistic_lanes) {
    std::array<double, 16 * statistic_lanes> cells{};
    std::array<double, statistic_lanes> values{};
    const std::size_t lanes = std::min(statistic_lanes, tables.size() - first);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      for (std::size_t set = 0; set < 16; ++set) {
        cells[statistic_lanes * set + lane] = tables[first + lane][set];
      }
    }
    kernel.statistics(cells.data(), values.data());
    std::copy_n(values.begin(), lanes, statistics.begin() + static_cast<long>(first));
  }
  return statistics;
}

bool same_bits(const std::vector<double>& x, const std::vector<double>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), 8 * x.size()) == 0;
}

TEST(RankStatistic, matches_eigen_on_random_tables) {
  const std::vector<QuartetCells> tables = random_tables(2000);
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    const std::vector<double> statistics = statistics_of(*kernel, tables);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      EXPECT_NEAR(statistics[i], oracle::rank_statistic(tables[i]), 1e-14) << i;
    }
  }
}

TEST(RankStatistic, has_the_same_bits_from_every_instruction_set) {
  const std::vector<QuartetCells> tables = random_tables(2000);
  const std::vector<double> baseline =
      statistics_of(*find_rank_kernel(kernels::Isa::scalar), tables);
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    EXPECT_TRUE(same_bits(statistics_of(*kernel, tables), baseline));
  }
}

TEST(RankStatistic, does_not_depend_on_the_tables_in_the_other_lanes) {
  const std::vector<QuartetCells> tables = random_tables(400);
  QuartetCells not_numbers;
  not_numbers.fill(std::numeric_limits<double>::quiet_NaN());
  std::mt19937_64 random(3);
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    const std::vector<double> expected = statistics_of(*kernel, tables);
    // Any lane, among random other tables and lanes that never converge.
    for (std::size_t i = 0; i < tables.size(); ++i) {
      std::vector<QuartetCells> block(statistic_lanes, not_numbers);
      for (QuartetCells& other : block) {
        if (integer(random, 0, 2) > 0) other = tables[integer(random, 0, tables.size() - 1)];
      }
      const std::size_t lane = integer(random, 0, statistic_lanes - 1);
      block[lane] = tables[i];
      const double value = statistics_of(*kernel, block)[lane];
      EXPECT_TRUE(same_bits({value}, {expected[i]})) << i;
    }
  }
}

TEST(RankStatistic, does_not_depend_on_the_order_of_the_variables) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 200; ++i) {
    const QuartetCells cells = oracle::product_mixture(random, 4);
    std::array<std::size_t, 4> order{0, 1, 2, 3};
    for (std::size_t k = 0; k < 3; ++k) std::swap(order[k], order[integer(random, k, 3)]);
    QuartetCells permuted{};
    for (std::size_t set = 0; set < 16; ++set) {
      std::size_t mask = 0;
      for (std::size_t k = 0; k < 4; ++k) mask |= ((set >> k) & 1U) << order[k];
      permuted[mask] = cells[set];
    }
    EXPECT_NEAR(rank_statistic(permuted), rank_statistic(cells), 1e-14);
  }
}

/// Cells of the first four variables of a network in which every cause has all four as children.
QuartetCells coupled_quartet(std::mt19937_64& random, std::size_t n_causes) {
  learning::planted::Ranges ranges;
  ranges.min_causes = ranges.max_causes = n_causes;
  ranges.min_observed = ranges.max_observed = 4;
  ranges.min_children = ranges.max_children = 4;
  ranges.min_prior = .2;
  ranges.max_failure = .5;
  const auto network = learning::planted::network(random, ranges);
  std::vector<std::size_t> causes(n_causes);
  for (std::size_t u = 0; u < n_causes; ++u) causes[u] = u;
  moments::QuartetMoments negative{};
  for (std::size_t set = 0; set < 16; ++set) {
    std::vector<std::size_t> members;
    for (std::size_t k = 0; k < 4; ++k) {
      if (((set >> k) & 1U) != 0) members.push_back(k);
    }
    negative[set] = learning::planted::negative_moment(network, causes, members);
  }
  return moments::cells_from_negative(negative);
}

TEST(RankStatistic, is_rounding_for_singly_and_far_from_it_for_doubly_coupled_quartets) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 300; ++i) {
    EXPECT_LT(rank_statistic(coupled_quartet(random, 1)), 1e-15);
    EXPECT_GT(rank_statistic(coupled_quartet(random, 2)), 1e-5);
  }
}

/// Tables with statistics of all sizes from 1e-5 to 1e-1 that share what they say of a and b:
/// mixtures of up to four classes, the last ones rare, with noise that leaves P(a, b) as it is.
/// Every other pair comes with variables that are rarely on.
class TablesOfPair {
 public:
  explicit TablesOfPair(std::mt19937_64& random)
      : weights_(integer(random, 1, 4)), rare_(integer(random, 0, 1) != 0) {
    double total = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      total += weights_[i] = i < 2 ? 1 : std::pow(10, uniform(random, -4, 0));
      off_.push_back({off(random), off(random)});
    }
    for (double& weight : weights_) weight /= total;
  }

  [[nodiscard]] QuartetCells draw(std::mt19937_64& random) const {
    const double noise = std::pow(10, uniform(random, -6, -1.5));
    QuartetCells cells{};
    for (double& cell : cells) cell = noise * uniform(random, 0, 1);
    for (std::size_t ab = 0; ab < 4; ++ab) {
      const double mean = (cells[ab] + cells[ab + 4] + cells[ab + 8] + cells[ab + 12]) / 4;
      for (std::size_t cd = 0; cd < 16; cd += 4) cells[ab + cd] -= mean;
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double p[4] = {off_[i][0], off_[i][1], off(random), off(random)};
      for (std::size_t set = 0; set < 16; ++set) {
        double product = weights_[i];
        for (std::size_t k = 0; k < 4; ++k) product *= ((set >> k) & 1U) != 0 ? p[k] : 1 - p[k];
        cells[set] += product;
      }
    }
    return cells;
  }

 private:
  [[nodiscard]] double off(std::mt19937_64& random) const {
    return rare_ ? 1 - std::pow(10, uniform(random, -3, 0)) : uniform(random, 0, 1);
  }

  std::vector<double> weights_;
  bool rare_;
  std::vector<std::array<double, 2>> off_;
};

/// Puts a table into a lane; those of a batch share what they say of a and b.
void put(QuartetBatch& batch, std::size_t lane, const moments::QuartetMoments& negative) {
  for (std::size_t set = 0; set < 16; ++set) {
    const auto value = static_cast<float>(negative[set]);
    (set < 4 ? batch.of_pair[set] : batch.negative[set - 4][lane]) = value;
  }
}

/// A full batch and the statistics of its lanes by Eigen.
struct Block {
  QuartetBatch batch;
  std::array<double, QuartetBatch::lanes> statistic{};

  explicit Block(std::mt19937_64& random) {
    const TablesOfPair tables(random);
    batch.size = QuartetBatch::lanes;
    for (std::size_t lane = 0; lane < QuartetBatch::lanes; ++lane) {
      const auto negative = moments::negative_from_cells(tables.draw(random));
      put(batch, lane, negative);
      statistic[lane] = oracle::rank_statistic(moments::cells_from_negative(negative));
    }
  }
};

class Screen : public testing::Test {
 protected:
  static constexpr double taus[] = {1e-2, 3e-3, 1e-3, 3e-4};

  static void SetUpTestSuite() {
    std::mt19937_64 random(23);
    for (int i = 0; i < 2000; ++i) blocks_.emplace_back(random);
  }
  static void TearDownTestSuite() { blocks_.clear(); }

  static inline std::vector<Block> blocks_;
};

TEST_F(Screen, never_decides_against_the_singular_values) {
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    for (const double tau : taus) {
      for (const double bar : {tau, .9 * tau, tau / 10}) {
        const ScreenLimits limits = screen_limits(tau, bar);
        for (const Block& block : blocks_) {
          const ScreenResult result = kernel->screen(block.batch, limits);
          for (std::size_t lane = 0; lane < QuartetBatch::lanes; ++lane) {
            const double statistic = block.statistic[lane];
            const auto has = [&](std::uint64_t bits) { return ((bits >> lane) & 1U) != 0; };
            if (has(result.rejected)) {
              ASSERT_GE(statistic, tau);
            } else if (has(result.only_counted)) {
              ASSERT_LT(statistic, tau);
              ASSERT_GE(statistic, bar);
            }
          }
        }
      }
    }
  }
}

TEST_F(Screen, decides_nine_in_ten_of_the_clear_cases) {
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    for (const double tau : taus) {
      const ScreenLimits limits = screen_limits(tau, tau / 2);
      double clearly_above = 0;
      double rejected = 0;
      double clearly_between = 0;
      double only_counted = 0;
      for (const Block& block : blocks_) {
        const ScreenResult result = kernel->screen(block.batch, limits);
        for (std::size_t lane = 0; lane < QuartetBatch::lanes; ++lane) {
          const double statistic = block.statistic[lane];
          if (statistic > 1.2 * tau) {
            clearly_above += 1;
            rejected += static_cast<double>((result.rejected >> lane) & 1U);
          }
          if (statistic > .6 * tau && statistic < .8 * tau) {
            clearly_between += 1;
            only_counted += static_cast<double>((result.only_counted >> lane) & 1U);
          }
        }
      }
      EXPECT_GT(clearly_above, 5000);
      EXPECT_GE(rejected, .9 * clearly_above) << tau;
      EXPECT_GT(clearly_between, 500);
      // A bar below single precision's reach counts as one at it.
      if (tau > 4e-4) {
        EXPECT_GE(only_counted, .9 * clearly_between) << tau;
      }
    }
  }
}

TEST_F(Screen, leaves_thresholds_beyond_single_precision_to_the_statistics) {
  for (const double tau : {1e-9, 1e-5, .3, 2.0}) {
    const ScreenLimits limits = screen_limits(tau, tau / 2);
    for (const RankKernel* kernel : kernels_of_this_machine()) {
      for (std::size_t i = 0; i < 200; ++i) {
        const ScreenResult result = kernel->screen(blocks_[i].batch, limits);
        EXPECT_EQ(result.rejected, 0U);
        EXPECT_EQ(result.only_counted, 0U);
      }
    }
  }
}

TEST_F(Screen, leaves_what_is_no_table_of_probabilities_to_the_statistics) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const ScreenLimits limits = screen_limits(3e-3, 1e-3);
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    for (const double value : {nan, -nan, infinite, -infinite, 1e30, -1e30, 10.0}) {
      for (std::size_t set = 4; set < 16; ++set) {
        QuartetBatch batch = blocks_[0].batch;
        const ScreenResult before = kernel->screen(batch, limits);
        batch.negative[set - 4][20] = static_cast<float>(value);
        const ScreenResult result = kernel->screen(batch, limits);
        const std::uint64_t lane = std::uint64_t{1} << 20;
        EXPECT_EQ(result.rejected, before.rejected & ~lane) << value << " in " << set;
        EXPECT_EQ(result.only_counted, before.only_counted & ~lane) << value << " in " << set;
      }
    }
  }
}

/// A table of which one unfolding has nearly equal second to third or to fourth singular values: a
/// multiple root of the screen's polynomial, where rounding moves it most. It need not be a
/// probability table. Empty if rescaling to sum 1 would leave the range of such tables.
std::optional<QuartetCells> tied_table(std::mt19937_64& random, double third, bool fourth_too) {
  QuartetCells cells = oracle::product_mixture(random, 4);
  Eigen::Matrix4d unfolded;
  for (std::size_t set = 0; set < 16; ++set) {
    unfolded(static_cast<long>(set & 3U), static_cast<long>(set >> 2U)) = cells[set];
  }
  const auto svd = linalg::singular_decomposition_of(unfolded);
  const auto beside = [&](double sign) {
    return third * (1 + sign * std::pow(10, uniform(random, -7, -3)));
  };
  const Eigen::Vector4d values(svd.values(0), beside(1), third,
                               fourth_too ? beside(-1) : third * uniform(random, 0, .9));
  unfolded = svd.left * values.asDiagonal() * svd.right.transpose();
  unfolded /= unfolded.sum();
  if (!(unfolded.norm() > .25 && unfolded.norm() < 1)) return std::nullopt;
  for (std::size_t set = 0; set < 16; ++set) {
    cells[set] = unfolded(static_cast<long>(set & 3U), static_cast<long>(set >> 2U));
  }
  return cells;
}

TEST(ScreenLimits, hold_where_singular_values_tie_at_the_threshold) {
  std::mt19937_64 random(41);
  for (int i = 0; i < 20'000; ++i) {
    const double size = std::pow(10, uniform(random, -3.5, -1.1));
    const auto cells = tied_table(random, size, i % 2 == 0);
    if (!cells) continue;
    const auto negative = moments::negative_from_cells(*cells);
    const double statistic = oracle::rank_statistic(*cells);
    QuartetBatch batch;
    batch.size = QuartetBatch::lanes;
    for (std::size_t lane = 0; lane < QuartetBatch::lanes; ++lane) put(batch, lane, negative);
    for (const RankKernel* kernel : kernels_of_this_machine()) {
      // A threshold just above the statistic, and one just below with nothing above it kept.
      const double above = statistic * (1 + 1e-9);
      ASSERT_EQ(kernel->screen(batch, screen_limits(above, above)).rejected, 0U) << statistic;
      const double below = statistic * (1 - 1e-9);
      const ScreenResult result = kernel->screen(batch, screen_limits(below, below / 2));
      ASSERT_EQ(result.only_counted & ~result.rejected, 0U) << statistic;
    }
  }
}

TEST(Batch, append_copies_runs_of_any_length_behind_one_another) {
  constexpr std::size_t m = 144;
  std::mt19937_64 random(5);
  std::array<std::vector<double>, 8> with_d;
  QuartetRows rows{};
  for (std::size_t set = 0; set < 8; ++set) {
    rows.without_d[set] = uniform(random, 0, 1);
    for (std::size_t d = 0; d < m + QuartetBatch::vector; ++d) {
      with_d[set].push_back(uniform(random, 0, 1));
    }
    rows.with_d[set] = with_d[set].data();
  }
  for (const RankKernel* kernel : kernels_of_this_machine()) {
    for (std::size_t first = 0; first <= QuartetBatch::lanes; ++first) {
      QuartetBatch batch;
      const std::size_t second = QuartetBatch::lanes - first;
      kernel->append(batch, rows, 5, first);
      ASSERT_EQ(batch.size, first);
      kernel->append(batch, rows, 79, second);
      ASSERT_EQ(batch.size, QuartetBatch::lanes);
      for (std::size_t lane = 0; lane < QuartetBatch::lanes; ++lane) {
        const std::size_t d = lane < first ? 5 + lane : 79 + lane - first;
        for (std::size_t set = 0; set < 8; ++set) {
          const double without = set < 4 ? batch.of_pair[set] : batch.negative[set - 4][lane];
          ASSERT_EQ(without, static_cast<float>(rows.without_d[set]));
          ASSERT_EQ(batch.negative[set + 4][lane], static_cast<float>(with_d[set][d]));
        }
        ASSERT_EQ(batch.all_off[lane], with_d[7][d]);
      }
    }
  }
}

}  // namespace
}  // namespace orrery::quartet
