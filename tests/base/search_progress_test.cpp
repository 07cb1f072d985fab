// What the line of a search says.
#include <gtest/gtest.h>

#include "base/log.hpp"
#include "base/progress.hpp"

namespace {

using orrery::SearchProgress;

TEST(SearchProgress, a_line_has_causes_score_last_gain_and_pass) {
  orrery::log::configure(orrery::log::Level::quiet, true);
  SearchProgress progress("refine");
  EXPECT_EQ(progress.describe().substr(0, 20), "0 causes, last gain ");
  progress.pass(7, -5123.44);
  progress.pass(7, -5123.44);
  const std::string line = progress.describe();
  EXPECT_EQ(line.substr(0, 36), "7 causes, score -5123.4, last gain 0") << line;
  EXPECT_NE(line.find(" s ago, pass 2"), std::string::npos) << line;
  progress.pass(12, std::nullopt);
  EXPECT_EQ(progress.describe().substr(0, 21), "12 causes, last gain ");
}

}  // namespace
