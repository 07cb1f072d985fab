#include "data/dialect.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/columns.hpp"
#include "data/row_names.hpp"
#include "orrery/base/error.hpp"

namespace {

using namespace orrery;
using data::Format;

data::Dialect found(const std::string& content, Format format = Format::csv) {
  return data::dialect_of(content, format, {}, '\0');
}

TEST(Dialect, is_what_stands_equally_often_in_the_first_rows) {
  EXPECT_EQ(found("a,b\n1,0\n").delimiter, ',');
  EXPECT_EQ(found("a;b\n1,5;0,25\n2;3,5\n").delimiter, ';');
  EXPECT_EQ(found("1,5;2,5\n1,5;2,5\n").delimiter, ';');
  EXPECT_EQ(found("a\tb\n1,0\t2\n").delimiter, '\t');
  EXPECT_EQ(found("a|b|c\n1|0|1\n").delimiter, '|');
  EXPECT_EQ(found("id,diag;code,z\n1,x,0\n").delimiter, ',');
  EXPECT_EQ(found("\"a;b\",c\n\"x;y\",1\n").delimiter, ',');
  EXPECT_EQ(found("a  b   c\n 1 0  1\n").delimiter, ' ');
  EXPECT_EQ(found("\"a b\" c\n1 0\n").delimiter, ' ');
  EXPECT_EQ(found("one line of prose\nand another line\n").delimiter, '\0');
  EXPECT_EQ(found("0101\n1100\n").delimiter, '\0');
  EXPECT_EQ(found("").delimiter, '\0');
  EXPECT_EQ(found("a,b\n1,0\n", Format::tsv).delimiter, '\t');
  EXPECT_EQ(found("a,b\r1,0\r").delimiter, ',');
  EXPECT_EQ(found("\"two\nlines\",b\n1,0\n").delimiter, ',');
}

TEST(Dialect, of_r_has_a_header_without_the_name_of_row_names) {
  EXPECT_TRUE(found("\"a\" \"b\"\n\"1\" 0 1\n\"2\" 1 1\n").has_short_header);
  EXPECT_TRUE(found("a\tb\n1\t0\t1\n2\t1\t1\n").has_short_header);
  EXPECT_FALSE(found("a,b\n1,0,1\n").has_short_header);
  EXPECT_FALSE(found("a,b\n1,0,\n1,1,\n").has_short_header);
  EXPECT_EQ(found(" a ,b\n0 ,\t1\n").delimiter, ',');
  EXPECT_FALSE(found("a,b\n0,1\n").has_short_header);
  EXPECT_FALSE(found("a,b\n0,1,1\n0,1\n").has_short_header);
}

TEST(Dialect, a_delimiter_is_one_character_that_no_number_has) {
  EXPECT_EQ(data::parse_delimiter("tab"), '\t');
  EXPECT_EQ(data::parse_delimiter("space"), ' ');
  EXPECT_EQ(data::parse_delimiter("#"), '#');
  for (const char* wrong : {"", "ab", "1", ".", "-", "\"", "\n"}) {
    EXPECT_THROW((void)data::parse_delimiter(wrong), UsageError) << wrong;
  }
}

TEST(Patterns, stars_stand_for_any_characters) {
  const auto is = [](const char* name, const char* pattern) {
    return data::matches(name, pattern);
  };
  EXPECT_TRUE(is("fever", "fever"));
  EXPECT_TRUE(is("fever", "f*"));
  EXPECT_TRUE(is("fever", "*e*r"));
  EXPECT_TRUE(is("fever", "f?v?r"));
  EXPECT_TRUE(is("fever", "fever*"));
  EXPECT_TRUE(is("", "*"));
  EXPECT_TRUE(is("aab", "*ab"));
  EXPECT_FALSE(is("fever", "f"));
  EXPECT_FALSE(is("fever", "f?r"));
  EXPECT_FALSE(is("fever", "?fever"));
  EXPECT_FALSE(is("", "?"));
}

TEST(Columns, are_kept_and_dropped_by_name_and_pattern) {
  data::ImportOptions options;
  options.keep_columns = {"a*", "b"};
  options.drop_columns = {"a2"};
  const auto kept = [&] {
    return data::select_columns("t", {"id", "a1", "a2", "b", "c"}, options, 0).kept_names();
  };
  EXPECT_EQ(kept(), (std::vector<std::string>{"a1", "b"}));
  options.keep_columns = {"z*"};
  EXPECT_THROW((void)kept(), InputError);
  options.keep_columns = {"b"};
  EXPECT_THROW((void)kept(), InputError);
  options.keep_columns.clear();
  options.like_columns = {"c", "none", "a2"};
  options.drop_columns.clear();
  EXPECT_EQ(kept(), (std::vector<std::string>{"a2", "c"}));
  options.like_columns = {"none"};
  EXPECT_THROW((void)kept(), InputError);
}

TEST(RowNames, are_told_apart_or_the_first_two_alike_are_named) {
  data::RowNames names;
  for (const char* name : {"ann", "bob", "cat"}) names.add(name);
  EXPECT_EQ(names.at(1), "bob");
  EXPECT_EQ(names.longest(), 3U);
  EXPECT_EQ(unfit_as_row_names(names), "");
  names.add("bob");
  names.add("ann");
  EXPECT_EQ(unfit_as_row_names(names), "rows 2 and 4 are both called 'bob'");
  data::RowNames empty;
  empty.add("x");
  empty.add("");
  EXPECT_EQ(unfit_as_row_names(empty), "row 2 has none");
}

}  // namespace
