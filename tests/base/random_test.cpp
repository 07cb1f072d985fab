#include "base/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace orrery {
namespace {

TEST(RowRandom, a_draw_depends_on_seed_stream_row_and_index_alone) {
  RowRandom first(7, Stream::rows, 123);
  const double a0 = first.uniform();
  const double a1 = first.uniform();
  RowRandom again(7, Stream::rows, 123);
  EXPECT_EQ(again.uniform(), a0);
  EXPECT_EQ(again.uniform(), a1);
  std::set<double> others{a0};
  others.insert(RowRandom(8, Stream::rows, 123).uniform());
  others.insert(RowRandom(7, Stream::structure, 123).uniform());
  others.insert(RowRandom(7, Stream::rows, 124).uniform());
  others.insert(RowRandom(7, Stream::rows, 123 + (std::uint64_t{1} << 32U)).uniform());
  EXPECT_EQ(others.size(), 5U);
}

TEST(RowRandom, uniform_has_the_right_mean_and_bernoulli_its_limits) {
  double sum = 0;
  constexpr int n = 100'000;
  for (int row = 0; row < n; ++row) {
    RowRandom random(1, Stream::check, static_cast<std::uint64_t>(row));
    sum += random.uniform();
    EXPECT_FALSE(random.bernoulli(0));
    EXPECT_TRUE(random.bernoulli(1));
  }
  // Standard deviation of the mean: sqrt(1/12/n) = 9.1e-4; five of them.
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
}

TEST(RowRandom, below_reaches_every_value_and_no_other) {
  std::vector<int> seen(5, 0);
  RowRandom random(3, Stream::check, 0);
  for (int i = 0; i < 1000; ++i) ++seen.at(random.below(5));
  // Binomial(1000, .2): mean 200, standard deviation 12.6; six of them.
  for (const int count : seen) EXPECT_NEAR(count, 200, 76);
}

}  // namespace
}  // namespace orrery
