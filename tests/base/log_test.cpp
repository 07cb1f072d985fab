// What messages do to names that somebody else chose.
#include "base/log.hpp"

#include <gtest/gtest.h>

namespace {

using orrery::log::printable;

TEST(Log, control_characters_are_shown_and_not_obeyed) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(printable("one\ntwo\rthree\tfour\x7f"), "one\\x0atwo\\x0dthree\\x09four\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // U+009B begins a sequence as ESC [ does
}

TEST(Log, letters_of_every_language_stay_as_they_are) {
  EXPECT_EQ(printable("f\xc3\xa9v\xc2\xa0re 右 \\x1b"), "f\xc3\xa9v\xc2\xa0re 右 \\x1b");
  EXPECT_EQ(printable("cut off: \xc2"), "cut off: \xc2");
  EXPECT_EQ(printable(""), "");
}

}  // namespace
