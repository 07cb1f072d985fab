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

/// The digits of a term one by one, the highest first.
void cut_into_digits(double term, std::vector<std::uint64_t>& digits) {
  double rest = std::abs(term) * 0x1p-32;
  for (std::size_t k = 5; k-- > 0; rest = (rest - std::floor(rest)) * 0x1p32) {
    const auto digit = static_cast<std::uint64_t>(rest);
    digits[k] += term < 0 ? std::uint64_t{0} - digit : digit;
  }
}

// Every exponent, and mantissas that end, begin and fill up their digits.
TEST(ExactSums, digits_of_every_exponent_are_those_cut_one_by_one) {
  RowRandom random(3, Stream::check, 1);
  for (int exponent = -1074; exponent < 63; ++exponent) {
    for (const double mantissa : {1.0, 2 - 0x1p-52, 1 + 0x1p-52, 1 + random.uniform()}) {
      const double term = std::ldexp(mantissa, exponent) * (random.below(2) == 0 ? 1 : -1);
      if (!(std::abs(term) < 0x1p63)) continue;
      ExactSums sums(1);
      std::vector<std::uint64_t> digits(6, 0);
      for (int i = 0; i < 3; ++i) {
        sums.add(0, term);
        cut_into_digits(term, digits);
      }
      EXPECT_EQ(sums.words(), digits) << term;
    }
  }
  ExactSums nothing(1);
  for (const double term : {0.0, -0.0}) nothing.add(0, term);
  EXPECT_EQ(nothing.words(), std::vector<std::uint64_t>(6, 0));
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
