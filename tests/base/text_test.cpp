#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/near_names.hpp"

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

TEST(NearNames, AreAFewLettersOff) {
  using Names = std::vector<std::string>;
  const Names names{"fever", "cough", "ache", "FEVER_high", "x1", "x2"};
  EXPECT_EQ(near_names("fevre", names), (Names{"fever"}));
  EXPECT_EQ(near_names("Cough", names), (Names{"cough"}));
  EXPECT_EQ(near_names("feve", names), (Names{"fever", "FEVER_high"}));
  EXPECT_EQ(near_names("x3", names), (Names{"x1", "x2"}));
  EXPECT_TRUE(near_names("rash", names).empty());
  EXPECT_TRUE(near_names("", names).empty());
  EXPECT_TRUE(near_names("y", {"x"}).empty());
  EXPECT_TRUE(near_names(std::string(100'000, 'f'), names).empty());
}

}  // namespace
}  // namespace orrery
