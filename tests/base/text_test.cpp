#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace orrery {
namespace {

TEST(Text, GoesToTheEnd) {
  std::string text = "rows";
  append_text(text, ": {}", 3);
  append_text(text, ", {:.2f} of {}", .5, "all");
  EXPECT_EQ(text, "rows: 3, 0.50 of all");
}

TEST(Text, MayBeLongerThanABuffer) {
  std::string text;
  const std::string names(5000, 'x');
  append_text(text, "{}{}", names, names);
  EXPECT_EQ(text, names + names);
}

TEST(Text, MayFormatItself) {
  std::string text = "ab";
  append_text(text, "{}{}", text, text);
  EXPECT_EQ(text, "ababab");
}

}  // namespace
}  // namespace orrery
