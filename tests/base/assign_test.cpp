// The assignment against every injection of rows into columns.
#include "base/assign.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "base/random.hpp"

namespace {

using orrery::assign;
using orrery::RowRandom;
using orrery::Stream;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Forbidden pairs first, then the finite sum.
struct Total {
  int forbidden = 0;
  double finite = 0;
  bool operator<(const Total& other) const {
    return forbidden != other.forbidden ? forbidden < other.forbidden : finite < other.finite;
  }
};

template <class Columns>
Total total_of(const std::vector<double>& cost, std::size_t n, std::size_t m,
               const Columns& columns) {
  Total total;
  for (std::size_t r = 0; r < n; ++r) {
    const double c = cost[r * m + columns[r]];
    if (std::isfinite(c)) {
      total.finite += c;
    } else {
      ++total.forbidden;
    }
  }
  return total;
}

/// The first n entries of every permutation of m columns.
Total brute_force(const std::vector<double>& cost, std::size_t n, std::size_t m) {
  std::vector<std::size_t> columns(m);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  Total best{std::numeric_limits<int>::max(), 0};
  do {
    best = std::min(best, total_of(cost, n, m, columns));
  } while (std::next_permutation(columns.begin(), columns.end()));
  return best;
}

void expect_optimal(const std::vector<double>& cost, std::size_t n, std::size_t m) {
  const std::vector<std::size_t> columns = assign(cost, n, m);
  ASSERT_EQ(columns.size(), n);
  EXPECT_EQ(std::set<std::size_t>(columns.begin(), columns.end()).size(), n);
  for (const std::size_t c : columns) ASSERT_LT(c, m);
  const Total found = total_of(cost, n, m, columns);
  const Total best = brute_force(cost, n, m);
  EXPECT_EQ(found.forbidden, best.forbidden);
  EXPECT_NEAR(found.finite, best.finite, 1e-12 * std::max(1.0, std::abs(best.finite)));
}

template <class Draw>
void check_random_tables(std::uint64_t seed, const Draw& draw) {
  for (std::uint64_t trial = 0; trial < 150; ++trial) {
    RowRandom random(seed, Stream::check, trial);
    const std::size_t m = 1 + random.below(6);
    const std::size_t n = 1 + random.below(m);
    std::vector<double> cost(n * m);
    for (double& c : cost) c = draw(random);
    SCOPED_TRACE(testing::Message() << "trial " << trial << ", " << n << " x " << m);
    expect_optimal(cost, n, m);
  }
}

TEST(assign, finds_the_least_sum_of_random_costs) {
  check_random_tables(1, [](RowRandom& random) { return random.uniform() * 14; });
}

TEST(assign, finds_the_least_sum_of_negative_costs) {
  check_random_tables(2, [](RowRandom& random) { return random.uniform() * 4 - 3; });
}

TEST(assign, finds_the_least_sum_of_tied_costs) {
  check_random_tables(3, [](RowRandom& random) { return static_cast<double>(random.below(3)); });
}

TEST(assign, takes_as_few_infinite_costs_as_possible) {
  check_random_tables(
      4, [](RowRandom& random) { return random.bernoulli(.5) ? infinite : random.uniform(); });
}

TEST(assign, is_not_confused_by_huge_costs) {
  check_random_tables(5, [](RowRandom& random) {
    return random.bernoulli(.4) ? 1e280 * static_cast<double>(1 + random.below(3)) : 0;
  });
}

TEST(assign, treats_not_a_number_as_forbidden) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(assign({nan, 9, 1, nan}, 2, 2), (std::vector<std::size_t>{1, 0}));
}

TEST(assign, gives_equal_costs_to_the_lowest_columns) {
  EXPECT_EQ(assign(std::vector<double>(4 * 6, 2.5), 4, 6), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(assign(std::vector<double>(3 * 3, infinite), 3, 3),
            (std::vector<std::size_t>{0, 1, 2}));
}

TEST(assign, follows_an_alternating_path_over_all_rows) {
  // Greedy takes the zeros of the diagonal above and strands the last row: 0 1 2 | 9.
  const std::vector<double> cost{0, 1, 9, 9,  //
                                 9, 0, 1, 9,  //
                                 9, 9, 0, 1,  //
                                 0, 9, 9, 9};
  EXPECT_EQ(assign(cost, 4, 4), (std::vector<std::size_t>{1, 2, 3, 0}));
}

TEST(assign, takes_no_rows) { EXPECT_TRUE(assign({}, 0, 3).empty()); }

TEST(assign, permuting_columns_permutes_the_result) {
  RowRandom random(7, Stream::check, 0);
  std::vector<double> cost(40 * 50);
  for (double& c : cost) c = random.uniform();
  std::vector<double> reversed(cost.size());
  for (std::size_t r = 0; r < 40; ++r) {
    for (std::size_t c = 0; c < 50; ++c) reversed[r * 50 + 49 - c] = cost[r * 50 + c];
  }
  const auto columns = assign(cost, 40, 50);
  const auto mirrored = assign(reversed, 40, 50);
  for (std::size_t r = 0; r < 40; ++r) EXPECT_EQ(columns[r], 49 - mirrored[r]);
}

TEST(assign_partners, leaves_rows_over_where_columns_are_fewer) {
  // Rows x columns: the cheapest pairs are (1, 0) and (2, 1).
  EXPECT_EQ(orrery::assign_partners({5, 5, 1, 5, 5, 2}, 3, 2),
            (std::vector<std::int64_t>{-1, 0, 1}));
  EXPECT_EQ(orrery::assign_partners({5, 1, 5, 5, 5, 2}, 2, 3), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(orrery::assign_partners({}, 2, 0), (std::vector<std::int64_t>{-1, -1}));
  EXPECT_TRUE(orrery::assign_partners({}, 0, 2).empty());
}

}  // namespace
