#include "data/text_table.hpp"

#include <gtest/gtest.h>

#include "data/import_support.hpp"

namespace orrery::data {
namespace {

using Cells = std::vector<std::string>;

class TextTable : public ::testing::Test {
 protected:
  std::vector<TextRow> read(const std::string& content, std::size_t n_columns = 2) {
    return read_text_table(folder_.write("t", content), n_columns);
  }
  // What follows the file's name in the error.
  std::string refusal(const std::string& content) {
    try {
      (void)read(content);
    } catch (const InputError& error) {
      return std::string(error.what()).substr((folder_.path() / "t: ").string().size());
    }
    return "";
  }
  testing::ScratchFolder folder_;
};

TEST_F(TextTable, cells_are_split_as_csv_has_them) {
  const auto rows = read("\xEF\xBB\xBF a ,b\r\n\n\"x, \"\"y\"\"\" , 2\n,\n \t\nlast,line");
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].cells, (Cells{"a", "b"}));
  EXPECT_EQ(rows[1].cells, (Cells{"x, \"y\"", "2"}));
  EXPECT_EQ(rows[1].line, 3U);
  EXPECT_EQ(rows[2].cells, (Cells{"", ""}));
  EXPECT_EQ(rows[3].cells, (Cells{"last", "line"}));
  EXPECT_EQ(rows[3].line, 6U);
}

TEST_F(TextTable, a_tab_in_the_first_line_separates_everywhere) {
  const auto rows = read("a, b\tc\nd\te, f\n");
  EXPECT_EQ(rows[0].cells, (Cells{"a, b", "c"}));
  EXPECT_EQ(rows[1].cells, (Cells{"d", "e, f"}));
  EXPECT_EQ(read("a,b\nc,\td\n")[1].cells, (Cells{"c", "d"}));
}

TEST_F(TextTable, compressed_files_are_the_same) {
  const auto rows = read_text_table(folder_.write_gzip("t.gz", "a,b,c\n1,2,3\n"), 3);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1].cells, (Cells{"1", "2", "3"}));
}

TEST_F(TextTable, what_is_no_table_is_refused) {
  EXPECT_EQ(refusal(""), "the file is empty; was it written completely?");
  EXPECT_EQ(refusal("\n \n"), "the file is empty; was it written completely?");
  const std::string remedy =
      " is not the 2 columns of this table, separated by commas; complete the line, or quote a "
      "name that holds the separator";
  EXPECT_EQ(refusal("a,b\nc\n"), "line 2: 'c'" + remedy);
  EXPECT_EQ(refusal("a,b\n\nc,d,e\n"), "line 3: 'c,d,e'" + remedy);
  EXPECT_EQ(refusal("a,b\n\"c,d\n"), "a quote opened in line 2 is never closed; close it");
  EXPECT_EQ(refusal("a,\"b\nc\"\n"),
            "line 1: 'b\\x0ac' holds a line end or another control character; remove it");
  EXPECT_EQ(refusal("a,b\na,\xE9\n"),
            "line 2: '\xE9' is not UTF-8; convert the file, e.g. `iconv -f latin1 -t utf-8`");
  EXPECT_EQ(refusal("a," + std::string(5000, 'n')).substr(0, 60),
            "line 1: '" + std::string(40, 'n') + "...' has 50");
}

}  // namespace
}  // namespace orrery::data
