// CSV and TSV.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

using Names = std::vector<std::string>;

TEST(ImportDelimited, reads_every_word_for_zero_and_one) {
  const Imported imported = import_content(
      "t.csv",
      "0,1\n0.0,1.0\nfalse,true\nFALSE,True\nf,T\nno,yes\nNo,YES\nn,Y\n0.,1.\n0.000,1.000\n");
  EXPECT_EQ(imported.table, Table(10, "01"));
  EXPECT_EQ(imported.summary.names, (Names{"x0", "x1"}));
}

TEST(ImportDelimited, reads_every_word_for_missing) {
  const Imported imported =
      import_content("t.csv", "1,0,1\n?,0,NA\nN/A,1,NaN\nnull,1,.\nnan,0,\n,1,n/a\n  ,1,NULL\n");
  EXPECT_EQ(imported.table, (Table{"101", "?0?", "?1?", "?1?", "?0?", "?1?", "?1?"}));
  EXPECT_EQ(imported.summary.n_missing, 12U);
}

TEST(ImportDelimited, a_missing_token_of_the_user_wins_over_the_words) {
  ImportOptions options;
  options.missing_tokens = {"n", "unknown", "-9"};
  EXPECT_EQ(import_content("t.csv", "y,n,0\nunknown,1,-9\n0,0,1\n", options).table,
            (Table{"1?0", "?1?", "001"}));
}

TEST(ImportDelimited, line_ends_do_not_matter) {
  const Table expected{"01", "1?"};
  for (const char* content :
       {"a,b\n0,1\n1,\n", "a,b\r\n0,1\r\n1,\r\n", "a,b\n0,1\n1,", "a,b\r\n0,1\r\n1,\r\n\r\n\n  \n",
        "\xEF\xBB\xBF"
        "a,b\n0,1\n1,\n"}) {
    const Imported imported = import_content("t.csv", content);
    EXPECT_EQ(imported.table, expected) << content;
    EXPECT_EQ(imported.summary.names, (Names{"a", "b"})) << content;
  }
}

TEST(ImportDelimited, quoted_cells_hold_delimiters_quotes_and_line_ends) {
  ImportOptions options;
  options.drop_columns = {"a \"note\""};
  const Imported imported = import_content(
      "t.csv",
      "\"a \"\"note\"\"\",\"fever, high\" , pain\n\"x, y\",\"1\",0\n\"two\r\nlines\n\",0,\" 1 \"\n",
      options);
  EXPECT_EQ(imported.summary.names, (Names{"fever, high", "pain"}));
  EXPECT_EQ(imported.table, (Table{"10", "01"}));
}

TEST(ImportDelimited, blanks_around_cells_do_not_matter) {
  EXPECT_EQ(import_content("t.csv", " a , b,c\n 0,1 ,\t1\n").table, (Table{"011"}));
  EXPECT_EQ(import_content("t.tsv", "a\tb\n 0\t1 \n\t1\n").table, (Table{"01", "?1"}));
}

TEST(ImportDelimited, words_among_runs_of_digits_keep_their_place) {
  // Each row leaves the four-cell path at another cell, and crosses words of 64 bits.
  Table expected = random_table(140, 140);
  std::string text;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 0; c < expected[r].size(); ++c) {
      const bool one = expected[r][c] == '1';
      text += c == r ? (one ? "true" : "no") : (one ? "1" : "0");
      text += c + 1 < expected[r].size() ? "," : "\n";
    }
  }
  EXPECT_EQ(import_content("t.csv", text).table, expected);
}

TEST(ImportDelimited, header_is_decided_by_the_first_row) {
  EXPECT_EQ(import_content("t.csv", "0,1\n1,1\n").table.size(), 2U);
  EXPECT_EQ(import_content("t.csv", "yes,?\n1,1\n").table.size(), 2U);
  EXPECT_EQ(import_content("t.csv", "0,2\n1,1\n").summary.names, (Names{"0", "2"}));
  ImportOptions options;
  options.header = Header::yes;
  EXPECT_EQ(import_content("t.csv", "0,1\n1,1\n", options).summary.names, (Names{"0", "1"}));
}

TEST(ImportDelimited, header_no_takes_the_first_row_for_values) {
  ImportOptions options;
  options.header = Header::no;
  options.drop_columns = {"x0"};
  EXPECT_EQ(import_content("t.csv", "whig,1,0\ntory,0,1\n", options).table, (Table{"10", "01"}));
  expect_parts(message_of("t.csv", "a,b,c\n0,1,1\n", options),
               {"row 1 (line 1)", "column 2 ('x1')", "'b'"});
}

TEST(ImportDelimited, names_the_place_and_the_value_that_is_not_binary) {
  expect_parts(message_of("t.csv", "a,b,c\n0,1,0\n0,2.5,1\n"),
               {"t.csv", "row 2 (line 3)", "column 2 ('b')", "'2.5'",
                "two values, '1' (1 row) and '2.5' (1 row)", "--drop 'b'"});
  // On one line whatever the cell holds.
  expect_parts(message_of("t.csv", "a,b\n0,1\n0,\"1\n2\"\n"), {"row 2 (line 3)", "'1\\x0a2'"});
  expect_parts(message_of("t.csv", "a,b\n0," + std::string(500, 'z') + "\n"), {"zzz...'"});
}

TEST(ImportDelimited, refuses_ragged_rows) {
  expect_parts(message_of("t.csv", "a,b,c\n0,1,1\n0,1\n"),
               {"row 2 (line 3)", "has 2 columns", "has 3"});
  expect_parts(message_of("t.csv", "a,b,c\n0,1,1,0,0\n"), {"row 1 (line 2)", "has 5 columns"});
  expect_parts(message_of("t.csv", "a,b,c\n0,1,1,\n"), {"row 1 (line 2)", "has 4 columns"});
  expect_parts(message_of("t.csv", "0,1,1,0,1,0,1,0,1,0\n0,1,1,0,1,0,1,0,1\n"),
               {"row 2 (line 2)", "has 9 columns", "has 10"});
  expect_parts(message_of("t.csv", "0,1,1,0,1,0,1,0\n0,1,1,0,1,0,1,0,1,1,1,1,1\n"),
               {"row 2 (line 2)", "has 13 columns", "has 8"});
}

TEST(ImportDelimited, refuses_a_blank_line_amid_the_rows) {
  expect_parts(message_of("t.csv", "a,b\n0,1\n\n\n1,1\n"), {"line 3 is blank", "line 5"});
}

TEST(ImportDelimited, refuses_a_header_only) {
  expect_parts(message_of("t.csv", "a,b,c\n"), {"t.csv", "no rows"});
}

TEST(ImportDelimited, refuses_unusable_names) {
  expect_parts(message_of("t.csv", "a,b,a\n0,1,1\n"), {"columns 1 and 3", "'a'", "--header no"});
  expect_parts(message_of("t.csv", "a,,c\n0,1,1\n"), {"column 2", "no name", "--header no"});
  expect_parts(message_of("t.csv", ",b,c\n0,1,1\n0,1,0\n"),
               {"first column has no name", "rows 1 and 2", "'0'", "--drop 'row names'"});
  expect_parts(message_of("t.csv", "a,caf\xE9\n0,1\n"), {"column 2", "UTF-8", "iconv"});
  expect_parts(message_of("t.csv", "a,\"b\nc\"\n0,1\n"), {"column 2", "control character"});
  EXPECT_EQ(import_content("t.csv", "a,caf\xC3\xA9\n0,1\n").summary.names[1], "caf\xC3\xA9");
  const std::string longest(4096, 'n');
  expect_parts(message_of("t.csv", "a,n" + longest + "\n0,1\n"),
               {"t.csv", "column 2", "4097", "4096"});
  EXPECT_EQ(import_content("t.csv", "a," + longest + "\n0,1\n").summary.names[1], longest);
}

TEST(ImportDelimited, refuses_a_quote_that_is_never_closed) {
  expect_parts(message_of("t.csv", "a,b\n0,1\n0,\"1\n1,1\n"), {"line 3", "never closed"});
}

TEST(ImportDelimited, reads_lines_longer_than_the_buffer) {
  // 700,000 columns are lines of 1.4 MB; the buffer begins with 1 MiB.
  const Table table = random_table(3, 700'000);
  EXPECT_EQ(import_content("t.csv", as_delimited(table, ',')).table, table);
}

TEST(ImportDelimited, reads_a_file_of_many_buffers) {
  const Table table = random_table(20'000, 101, true);  // 4 MB
  EXPECT_EQ(import_content("t.tsv", as_delimited(table, '\t')).table, table);
}

TEST(ImportDelimited, refuses_more_columns_than_a_block_holds) {
  expect_parts(message_of("t.csv", std::string(4'194'304, ',').append("\n")),
               {"4,194,304 columns", "transposed"});
}

TEST(ImportDelimited, refuses_a_line_without_end) {
  // 300 MB of one line, as gzip of zeros it is small on disk.
  const ScratchFolder folder;
  const auto path = folder.path() / "t.csv.gz";
  gzFile file = gzopen(path.c_str(), "wb1");
  const std::string piece(std::size_t{1} << 20U, 'a');
  for (int i = 0; i < 300; ++i) {
    gzwrite(file, piece.data(), static_cast<unsigned>(piece.size()));
  }
  gzclose(file);
  expect_parts(message_from<InputError>(path, {}), {"line 1", "longer than"});
}

}  // namespace
}  // namespace orrery::data::testing
