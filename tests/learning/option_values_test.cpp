// What learners' options may be, bounds included, and what is said of the rest.
#include "learning/option_values.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/variables_map.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "orrery/base/error.hpp"

namespace orrery::learning {
namespace {

namespace po = boost::program_options;

po::variables_map parsed(const std::string& option, const std::string& value) {
  po::options_description options;
  options.add_options()("count", po::value<std::int32_t>())("level", po::value<double>())(
      "word", po::value<std::string>());
  const std::vector<std::string> arguments{"--" + option + "=" + value};
  po::variables_map values;
  po::store(po::command_line_parser(arguments).options(options).run(), values);
  return values;
}

template <class Read>
std::string refusal(const std::string& option, const std::string& value, const Read& read) {
  try {
    (void)read(parsed(option, value));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(OptionValues, both_ends_of_a_range_belong_to_it) {
  const auto read = [](const po::variables_map& values) {
    return value_within<std::int32_t>(values, "count", -1, 8);
  };
  EXPECT_EQ(read(parsed("count", "-1")), -1);
  EXPECT_EQ(read(parsed("count", "8")), 8);
  EXPECT_EQ(refusal("count", "9", read), "--count 9: from -1 to 8");
  EXPECT_EQ(refusal("count", "-2", read), "--count -2: from -1 to 8");
}

TEST(OptionValues, nan_is_in_no_range) {
  const auto within = [](const po::variables_map& values) {
    return value_within<double>(values, "level", 0, 1);
  };
  const auto positive = [](const po::variables_map& values) {
    return positive_value(values, "level", 1);
  };
  const auto level = [](const po::variables_map& values) { return level_value(values, "level"); };
  EXPECT_EQ(refusal("level", "nan", within), "--level nan: from 0 to 1");
  EXPECT_EQ(refusal("level", "nan", positive),
            "--level nan: a positive number, at most 1, is needed");
  EXPECT_EQ(refusal("level", "nan", level), "--level nan: more than 0, less than 1");
}

TEST(OptionValues, a_positive_number_may_be_the_most_but_not_0) {
  const auto read = [](const po::variables_map& values) {
    return positive_value(values, "level", 10);
  };
  EXPECT_EQ(read(parsed("level", "10")), 10);
  EXPECT_NE(refusal("level", "0", read), "");
  EXPECT_NE(refusal("level", "10.5", read), "");
  EXPECT_NE(refusal("level", "inf", read), "");
}

TEST(OptionValues, a_level_is_neither_0_nor_1) {
  const auto read = [](const po::variables_map& values) { return level_value(values, "level"); };
  EXPECT_EQ(read(parsed("level", ".01")), .01);
  EXPECT_NE(refusal("level", "0", read), "");
  EXPECT_NE(refusal("level", "1", read), "");
}

TEST(OptionValues, a_word_that_is_not_known_is_answered_with_all_that_are) {
  constexpr std::array words{std::pair{"tree", 1}, std::pair{"forest", 2}, std::pair{"any", 3}};
  const auto read = [&](const po::variables_map& values) {
    return value_of_word(values, "word", words);
  };
  EXPECT_EQ(read(parsed("word", "forest")), 2);
  EXPECT_EQ(read(parsed("word", "any")), 3);
  EXPECT_EQ(refusal("word", "bush", read), "--word bush: tree, forest or any");
}

}  // namespace
}  // namespace orrery::learning
