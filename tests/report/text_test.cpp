#include "report/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace orrery::report;
using namespace std::string_literals;

TEST(escape, replaces_every_character_with_a_meaning) {
  EXPECT_EQ(escape("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(clean_text, keeps_valid_utf8) {
  const std::string text = "fi\u00e8vre \u20ac \U0001F600";
  EXPECT_EQ(clean_text(text), text);
}

TEST(clean_text, replaces_what_is_not_utf8) {
  EXPECT_EQ(clean_text("a\xFFz"), "a\uFFFDz");
  EXPECT_EQ(clean_text("\xC3"), "\uFFFD");                                // cut short
  EXPECT_EQ(clean_text("\xC0\xAF"), "\uFFFD\uFFFD");                      // overlong '/'
  EXPECT_EQ(clean_text("\xE0\x80\xAF"), "\uFFFD\uFFFD\uFFFD");            // overlong '/'
  EXPECT_EQ(clean_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");            // surrogate
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");  // beyond U+10FFFF
}

TEST(clean_text, replaces_control_characters) {
  EXPECT_EQ(clean_text("a\tb\nc\rd"), "a b c d");
  EXPECT_EQ(clean_text("\0\x1B\x7F"s), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(clean_text("\xC2\x85\xEF\xBF\xBF"), "\uFFFD\uFFFD");  // U+0085, U+FFFF
}

TEST(shorten, cuts_between_characters) {
  EXPECT_EQ(shorten("\u00e8\u00e8\u00e8\u00e8", 4), "\u00e8\u00e8\u00e8\u00e8");
  EXPECT_EQ(shorten("\u00e8\u00e8\u00e8\u00e8\u00e8", 4), "\u00e8\u00e8\u00e8\u2026");
  EXPECT_EQ(count_characters(shorten(std::string(1000, 'a'), 28)), 28U);
}

TEST(short_number, is_short_at_every_size) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(.2513), "0.251");
  EXPECT_EQ(short_number(1), "1.000");
  EXPECT_EQ(short_number(.00421), "0.0042");
  EXPECT_EQ(short_number(.000123), "1.2e-4");
  EXPECT_EQ(short_number(1e-12), "1.0e-12");
  EXPECT_EQ(short_number(1.5e300), "1.5e300");
  EXPECT_EQ(short_number(2.5e6), "2.5e6");
}

TEST(count_of, knows_the_singular) {
  EXPECT_EQ(count_of(1, "cause"), "1 cause");
  EXPECT_EQ(count_of(0, "cause"), "0 causes");
  EXPECT_EQ(count_of(10000, "sample"), "10,000 samples");
}

}  // namespace
