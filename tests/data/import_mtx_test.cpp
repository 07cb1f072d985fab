// MatrixMarket coordinate files.
#include <gtest/gtest.h>

#include <string>

#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

std::string mtx(const std::string& kind, const std::string& body) {
  return "%%MatrixMarket matrix " + kind + "\n" + body;
}

TEST(ImportMtx, reads_pattern_integer_and_real_entries_in_any_order) {
  const Table expected{"010", "101"};
  for (const std::string& content :
       {mtx("coordinate pattern general", "2 3 3\n2 3\n1 2\n2 1\n"),
        mtx("coordinate integer general", "2 3 4\n2 3 1\n1 2 1\n2 1 1\n1 1 0\n"),
        mtx("coordinate real general", "2 3 4\n2 3 1.0\n1 2 1e0\n2 1 1.\n1 1 0.000E+00\n"),
        mtx("Coordinate PATTERN General", "% c\n%\n\n 2\t3  3 \r\n2 3\r\n1 2 \n\n% c\n2 1")}) {
    EXPECT_EQ(import_content("t.mtx", content).table, expected) << content;
  }
}

TEST(ImportMtx, rows_without_entries_are_zero) {
  EXPECT_EQ(import_content("t.mtx", mtx("coordinate pattern general", "3 2 1\n2 2\n")).table,
            (Table{"00", "01", "00"}));
}

TEST(ImportMtx, several_passes_give_the_same_as_one) {
  const ScratchFolder folder;
  // Three blocks of 8 KiB a column; memory for one, and for two.
  const Table table = random_table(2 * 65'536 + 100, 2);
  const auto path = folder.write_gzip("t.mtx.gz", as_mtx(table));
  for (const std::uint64_t memory : {1U, 2U * 2U * 8192U}) {
    ImportOptions options;
    options.memory_bytes = memory;
    EXPECT_EQ(import_file(path, options).table, table) << memory;
  }
}

TEST(ImportMtx, options_say_what_numbers_mean) {
  const std::string content =
      mtx("coordinate real general", "3 3 5\n1 1 0.5\n1 2 2\n2 1 3.5\n3 3 -1\n3 2 -9\n");
  ImportOptions options;
  options.missing_tokens = {"-9"};
  options.threshold = 0.5;
  EXPECT_EQ(import_content("t.mtx", content, options).table, (Table{"010", "100", "0?0"}));
  options.threshold = -0.5;  // what does not come is 0, and so on
  EXPECT_EQ(import_content("t.mtx", content, options).table, (Table{"111", "111", "1?0"}));
}

TEST(ImportMtx, refuses_other_kinds_with_a_remedy) {
  expect_parts(message_of("t.mtx", mtx("array real general", "2 2\n0\n1\n1\n0\n")),
               {"t.mtx", "'array'", "coordinate", "coo_matrix"});
  expect_parts(message_of("t.mtx", mtx("coordinate complex general", "2 2 1\n1 1 1 0\n")),
               {"'complex'", "pattern"});
  expect_parts(message_of("t.mtx", mtx("coordinate pattern symmetric", "2 2 1\n2 1\n")),
               {"'symmetric'", "symmetry='general'"});
  ImportOptions options;
  options.format = Format::mtx;
  expect_parts(message_of("t.csv", "0,1\n", options), {"line 1", "%%MatrixMarket", "--format"});
}

TEST(ImportMtx, refuses_a_wrong_number_of_entries) {
  const std::string kind = "coordinate pattern general";
  expect_parts(message_of("t.mtx", mtx(kind, "2 2 3\n1 1\n2 2\n")),
               {"announces 3 entries", "has 2"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 2 1\n1 1\n2 2\n")),
               {"announces 1 entries", "has more"});
}

TEST(ImportMtx, refuses_wrong_sizes) {
  const std::string kind = "coordinate pattern general";
  expect_parts(message_of("t.mtx", mtx(kind, "")), {"size line"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 2\n1 1\n")), {"line 2", "'2 2'", "size line"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 x 1\n1 1\n")), {"'2 x 1'", "size line"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 -2 1\n1 1\n")), {"size line"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 2 5\n1 1\n")), {"5 entries do not fit"});
  expect_parts(message_of("t.mtx", mtx(kind, "0 2 0\n")), {"no rows"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 0 0\n")), {"no columns"});
  expect_parts(message_of("t.mtx", mtx(kind, "2 9999999 0\n")), {"4,194,304", "transposed"});
  expect_parts(message_of("t.mtx", mtx(kind, "18446744073709551615 3 1\n1 1\n")), {"32 TiB"});
  expect_parts(message_of("t.mtx", mtx(kind, "99999999999999999999999 3 1\n1 1\n")), {"size line"});
}

TEST(ImportMtx, refuses_wrong_entries) {
  const std::string pattern = "coordinate pattern general";
  const std::string integer = "coordinate integer general";
  for (const char* outside : {"0 1", "1 0", "3 1", "1 3", "18446744073709551615 1"}) {
    expect_parts(message_of("t.mtx", mtx(pattern, std::string("2 2 1\n") + outside + "\n")),
                 {"line 3", "outside the matrix of 2 x 2"});
  }
  expect_parts(message_of("t.mtx", mtx(pattern, "2 2 1\n1 1 1\n")), {"'1 1 1'", "not an entry"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1 1\n")), {"'1 1'", "not an entry"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1.5 1 1\n")), {"not an entry"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1 1 7\n")),
               {"line 3, column 1 ('x0')", "7 is neither 0 nor 1", "--threshold", "--numeric"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1 1 nan\n")), {"nan is not a number"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1 1 seven\n")),
               {"line 3", "'seven'", "not a number"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 1\n1 1 1e999\n")), {"'1e999'", "beyond"});
  expect_parts(message_of("t.mtx", mtx(integer, "2 2 2\n1 1 1\n1 1 1\n")),
               {"line 4", "row 1, column 1", "second entry"});
}

TEST(ImportMtx, refuses_options_that_do_not_apply) {
  const std::string content = mtx("coordinate pattern general", "2 2 1\n1 1\n");
  ImportOptions options;
  options.missing_tokens = {"NA"};
  expect_parts(message_of<UsageError>("t.mtx", content, options), {"--missing 'NA'"});
  options = {};
  options.header = Header::yes;
  expect_parts(message_of<UsageError>("t.mtx", content, options), {"--header yes"});
}

}  // namespace
}  // namespace orrery::data::testing
