#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "base/shared_sums.hpp"

namespace orrery {
namespace {

std::vector<double> mixed_terms(std::size_t n) {
  std::vector<double> terms;
  RowRandom random(3, Stream::check, 0);
  for (std::size_t i = 0; i < n; ++i) {
    terms.push_back((random.uniform() - .5) *
                    std::ldexp(1.0, static_cast<int>(random.below(60)) - 30));
  }
  return terms;
}

TEST(ExactSums, any_order_and_split_gives_the_same_bytes) {
  const std::vector<double> terms = mixed_terms(1000);
  ExactSums forward(1);
  for (const double term : terms) forward.add(0, term);
  ExactSums first(1);
  ExactSums second(1);
  for (std::size_t i = terms.size(); i-- > 0;) (i % 3 == 0 ? first : second).add(0, terms[i]);
  second.add(first);
  EXPECT_EQ(forward.value(0), second.value(0));
  long double plain = 0;
  for (const double term : terms) plain += static_cast<long double>(term);
  EXPECT_NEAR(forward.value(0), static_cast<double>(plain),
              1e-9 * std::abs(static_cast<double>(plain)));
}

TEST(ExactSums, terms_that_cancel_leave_nothing) {
  ExactSums sums(2);
  for (const double term : {1e15, 0.1, -3e-9, -1e15, -0.1, 3e-9}) sums.add(1, term);
  EXPECT_EQ(sums.value(1), 0);
  EXPECT_EQ(sums.value(0), 0);
}

TEST(ExactSums, single_terms_are_kept_to_the_last_digit) {
  for (const double term : {1.0, -1.0 / 3, 12345678.9, -1e-10, 0x1p62}) {
    ExactSums sums(1);
    sums.add(0, term);
    EXPECT_EQ(sums.value(0), term);
  }
}

TEST(ExactSums, a_term_out_of_range_makes_the_sum_nan) {
  for (const double term : {std::numeric_limits<double>::infinity(), std::nan(""), -0x1p63}) {
    ExactSums sums(1);
    sums.add(0, term);
    sums.add(0, 1);
    EXPECT_TRUE(std::isnan(sums.value(0)));
  }
}

}  // namespace
}  // namespace orrery
