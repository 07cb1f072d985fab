// Words as people type them, each reading written down by hand.
#include "base/typed_words.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using orrery::did_you_mean;
using orrery::parse_whole;
using orrery::whole_digits;

TEST(WholeDigits, an_exponent_is_read_exactly) {
  EXPECT_EQ(whole_digits("1e6"), "1000000");
  EXPECT_EQ(whole_digits("1.5e1"), "15");
  EXPECT_EQ(whole_digits("2.50E+2"), "250");
  EXPECT_EQ(whole_digits("200e-1"), "20");
  EXPECT_EQ(whole_digits("007"), "7");
  EXPECT_EQ(whole_digits("-2.0"), "-2");
  EXPECT_EQ(whole_digits("0e5"), "0");
  EXPECT_EQ(whole_digits("0.000"), "0");
  EXPECT_EQ(whole_digits(".5e1"), "5");
  EXPECT_EQ(whole_digits("9007199254740993"), "9007199254740993");  // 2^53 + 1: no double
  EXPECT_EQ(whole_digits("9.007199254740993e15"), "9007199254740993");
}

TEST(WholeDigits, what_is_not_whole_or_no_number_is_nothing) {
  for (const char* text :
       {"",   "-",  ".",  "e5",    "1e",   "1e+", "1.5", "1e-1",  "15e-2", "1e5x", "x",
        "1 ", " 1", "+1", "1,000", "0x10", "inf", "nan", "1e1.5", "--1",   "1.2.3"}) {
    EXPECT_EQ(whole_digits(text), std::nullopt) << text;
  }
}

TEST(WholeDigits, a_huge_number_takes_no_memory) {
  EXPECT_EQ(whole_digits("1e30")->size(), 31U);
  EXPECT_EQ(whole_digits("1e999999999999999999999")->size(), 101U);
  EXPECT_EQ(whole_digits("1e-999999999999999999999"), std::nullopt);
}

TEST(ParseWhole, the_range_of_the_type_is_kept) {
  EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_whole<std::uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_whole<int>("-2147483648"), -2147483648);
  EXPECT_EQ(parse_whole<int>("2.147483648e9"), std::nullopt);
}

TEST(DidYouMean, a_slip_is_answered_and_a_strange_word_is_not) {
  const std::vector<std::string> commands{"learn", "evaluate", "export", "report"};
  EXPECT_EQ(did_you_mean("lern", commands), "; did you mean learn?");
  EXPECT_EQ(did_you_mean("laern", commands), "; did you mean learn?");
  EXPECT_EQ(did_you_mean("eval", commands), "; did you mean evaluate?");
  EXPECT_EQ(did_you_mean("xyzzy", commands), "");
  EXPECT_EQ(did_you_mean("", commands), "");
  EXPECT_EQ(did_you_mean("anything", {}), "");
  EXPECT_EQ(did_you_mean("sampels", {"samples"}, "--"), "; did you mean --samples?");
}

TEST(DidYouMean, of_several_names_the_nearest_is_first) {
  EXPECT_EQ(did_you_mean("em", {"sem", "vem"}), "; did you mean sem or vem?");
  EXPECT_EQ(did_you_mean("semm", {"vem", "sem"}), "; did you mean sem or vem?");
}

}  // namespace
