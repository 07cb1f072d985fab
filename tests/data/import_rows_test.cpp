// Rows of 0/1 characters.
#include <gtest/gtest.h>

#include <string>

#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

TEST(ImportRows, reads_every_width_around_words_of_64_bits) {
  for (const std::size_t n_columns : {2U, 7U, 8U, 9U, 63U, 64U, 65U, 127U, 128U, 129U}) {
    const Table table = random_table(65, n_columns, true);
    EXPECT_EQ(import_content("t.rows", as_rows(table)).table, table) << n_columns;
  }
}

TEST(ImportRows, line_ends_and_blanks_around_rows_do_not_matter) {
  const Table expected{"010", "1?1"};
  for (const char* content : {"010\n1?1\n", "010\r\n1.1\r\n", "010\n1?1", " 010 \n1?1\t\n\n\n",
                              "\xEF\xBB\xBF"
                              "010\n1?1"}) {
    EXPECT_EQ(import_content("t.rows", content).table, expected) << content;
  }
}

TEST(ImportRows, a_missing_token_of_one_character_may_stand_in_a_row) {
  ImportOptions options;
  options.missing_tokens = {"9", "y"};
  EXPECT_EQ(import_content("t.txt", "019\n1y1\n001\n", options).table,
            (Table{"01?", "1?1", "001"}));
  options.missing_tokens = {"NA"};
  expect_parts(message_of<UsageError>("t.rows", "01\n", options), {"--missing 'NA'"});
}

TEST(ImportRows, a_dropped_column_may_hold_anything) {
  ImportOptions options;
  options.format = Format::rows;
  options.drop_columns = {"x0"};
  EXPECT_EQ(import_content("t.txt", "R01\nD11\n", options).table, (Table{"01", "11"}));
}

TEST(ImportRows, names_the_place_and_the_character_that_is_not_binary) {
  expect_parts(message_of("t.rows", "0101010101\n0101012101\n"),
               {"t.rows", "row 2 (line 2)", "column 7 ('x6')", "'2'", "--missing '2'"});
}

TEST(ImportRows, refuses_ragged_and_blank_rows) {
  expect_parts(message_of("t.rows", "010\n01\n"), {"row 2 (line 2)", "has 2", "has 3"});
  expect_parts(message_of("t.rows", "010\n\n011\n"), {"line 2 is blank"});
}

TEST(ImportRows, has_no_header) {
  ImportOptions options;
  options.header = Header::yes;
  expect_parts(message_of<UsageError>("t.rows", "01\n10\n", options), {"--header yes"});
}

}  // namespace
}  // namespace orrery::data::testing
