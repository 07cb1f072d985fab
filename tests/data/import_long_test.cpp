// Long tables: a line says that a row has a variable.
#include <gtest/gtest.h>

#include <string>

#include "data/name_index.hpp"
#include "text_formats_support.hpp"

namespace orrery::data::testing {
namespace {

ImportOptions long_table(const std::string& value = {}) {
  ImportOptions options = with_format(Format::long_table);
  options.row_column = "patient";
  options.variable_column = "code";
  options.value_column = value;
  return options;
}

constexpr std::string_view visits =
    "date,patient,code\n"
    "2020-01-05,ann,J45\n"
    "2020-02-01,bob,I10\n"
    "2020-02-01,ann,E11\n"
    "2021-03-09,ann,J45\n"
    "2021-03-10T08:30,cid,\n"
    ",bob,J45\n";

TEST(ImportLong, rows_by_first_line_and_variables_by_name) {
  EXPECT_EQ(names_of(visits, long_table()), (Names{"E11", "I10", "J45"}));
  EXPECT_EQ(bits_of(visits, long_table()), (Table{"101", "011", "000"}));
  EXPECT_EQ(numbers_of(visits, long_table()), (Names{"1 0 2", "0 1 1", "0 0 0"}));
}

TEST(ImportLong, names_that_are_all_numbers_are_sorted_as_numbers) {
  const std::string_view content = "patient\tcode\na\t10\na\t9\nb\t100\n";
  EXPECT_EQ(names_of(content, long_table()), (Names{"9", "10", "100"}));
  EXPECT_EQ(bits_of(content, long_table()), (Table{"110", "001"}));
}

TEST(ImportLong, the_order_of_lines_decides_the_order_of_rows_alone) {
  const std::string_view other = "patient,code\nbob,I10\nann,J45\nbob,J45\nann,E11\nann,E11\n";
  EXPECT_EQ(names_of(other, long_table()), (Names{"E11", "I10", "J45"}));
  EXPECT_EQ(bits_of(other, long_table()), (Table{"011", "101"}));
}

TEST(ImportLong, values_are_added_up_or_one_is_enough) {
  const std::string_view content =
      "patient,code,n\na,x,1\na,y,0\na,x,2.5\nb,y,NA\nb,x,?\nb,y,4\nc,x,\nc,y,-1\n";
  EXPECT_EQ(numbers_of(content, long_table("n")), (Names{"3.5 0", "? 4", "? -1"}));
  ImportOptions options = long_table("n");
  options.threshold = 2;
  EXPECT_EQ(bits_of(content, options), (Table{"10", "?1", "?0"}));
  const std::string_view words = "patient,code,n\na,x,pos\na,y,neg\na,y,pos\nb,y,neg\nb,x,n.d.\n";
  options = long_table("n");
  options.on_tokens = {"pos"};
  options.off_tokens = {"neg"};
  options.missing_tokens = {"n.d."};
  EXPECT_EQ(bits_of(words, options), (Table{"11", "?0"}));
}

TEST(ImportLong, between_semicolons_commas_are_decimal) {
  const std::string_view content = "patient;code;n\na;x;1,5\na;x;0,25\nb;y;1,0\n";
  EXPECT_EQ(numbers_of(content, long_table("n")), (Names{"1.75 0", "0 1"}));
  ImportOptions options = long_table("n");
  options.threshold = 1.25;
  EXPECT_EQ(bits_of(content, options), (Table{"10", "00"}));
}

TEST(ImportLong, lines_of_an_interval_of_time_are_kept) {
  ImportOptions options = long_table();
  options.time_column = "date";
  options.from = "2020-02-01";
  EXPECT_EQ(bits_of(visits, options), (Table{"010", "101", "000"}));
  options.before = "2021";
  EXPECT_EQ(names_of(visits, options), (Names{"E11", "I10"}));
  options.from = "2020";
  EXPECT_EQ(bits_of(visits, options), (Table{"101", "010"}));
  options.from.clear();
  options.before = "2021-03-10T08";
  EXPECT_EQ(bits_of(visits, options), (Table{"101", "010"}));
  const std::string_view days = "patient,code,date\na,x,10\na,y,9\nb,y,9.5\nb,x,-1\n";
  options.from = "9";
  options.before = "1e1";
  expect_parts(bits_refusal(days, options), {"1 of the 1 variables"});
  options.from = "-1";
  EXPECT_EQ(bits_of(days, options), (Table{"01", "11"}));
  options.from = "11";
  options.before.clear();
  expect_parts(bits_refusal(days, options), {"no line", "--from"});
}

TEST(ImportLong, limits_of_time_are_checked) {
  ImportOptions options = long_table();
  options.from = "2020-01-01";
  expect_parts(bits_refusal<UsageError>(visits, options), {"--time"});
  options.time_column = "date";
  options.before = "12";
  expect_parts(bits_refusal<UsageError>(visits, options), {"'2020-01-01' and '12'", "one kind"});
  options.before = "tomorrow";
  expect_parts(bits_refusal<UsageError>(visits, options), {"'tomorrow'", "dates (ISO 8601"});
  options.from = options.before = "";
  expect_parts(bits_refusal<UsageError>(visits, options), {"--from or --before"});
  options.from = "2020-01-01";
  expect_parts(bits_refusal("patient,code,date\na,x,05.01.2020\n", options),
               {"row 1 (line 2), column 3 ('date')", "'05.01.2020'", "ISO 8601", "--missing"});
}

TEST(ImportLong, variables_of_few_rows_are_left_out) {
  // x is in 2 rows but 4 lines, y in 3, z in 1; a line of value 0 does not count.
  const std::string_view content =
      "patient,code,n\na,x,1\na,x,1\na,x,1\nb,x,1\na,y,1\nb,y,1\nc,y,1\nd,z,1\nd,x,0\n";
  ImportOptions options = long_table("n");
  options.min_documents = 2;
  EXPECT_EQ(names_of(content, options), (Names{"x", "y"}));
  EXPECT_EQ(bits_of(content, options), (Table{"11", "11", "01", "00"}));
  options.min_documents = 3;
  expect_parts(bits_refusal(content, options),
               {"1 of the 3 variables in column 'code' is in 3 rows", "--min-documents lower"});
  options.min_documents.reset();
  options.vocabulary = 2;
  EXPECT_EQ(names_of(content, options), (Names{"x", "y"}));
}

/// n lines of a pseudo-random table, and how often each row has each variable.
struct RandomLines {
  explicit RandomLines(std::size_t n) {
    std::uint64_t state = 7;
    const auto draw = [&](std::uint64_t most) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      return (state >> 33U) % most;
    };
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t row = i < 50 ? i : draw(50);
      const std::uint64_t column = i < 8 ? i : draw(8);
      text += fmt::format("p{},c{}\n", row, column);
      ++counts[row][column];
    }
  }
  std::string text = "patient,code\n";
  std::vector<std::vector<int>> counts = std::vector(50, std::vector<int>(8, 0));
};

TEST(ImportLong, little_memory_gives_the_same) {
  const RandomLines lines(3000);
  Names expected;
  for (const auto& row : lines.counts) expected.push_back(fmt::format("{}", fmt::join(row, " ")));
  for (const std::uint64_t memory :
       {std::uint64_t{1}, std::uint64_t{700}, std::uint64_t{1} << 30}) {
    ImportOptions options = long_table();
    options.memory_bytes = memory;
    EXPECT_EQ(numbers_of(lines.text, options), expected) << memory;
    options.min_documents = 1;
    options.vocabulary = 8;
    EXPECT_EQ(numbers_of(lines.text, options), expected) << memory;
  }
}

TEST(ImportLong, bad_tables_are_refused) {
  ImportOptions options = long_table();
  options.row_column.clear();
  expect_parts(bits_refusal<UsageError>(visits, options), {"--row", "--column"});
  options.row_column = "person";
  expect_parts(bits_refusal(visits, options),
               {"t.txt", "--row 'person'", "'date', 'patient', 'code'"});
  options.row_column = "code";
  expect_parts(bits_refusal<UsageError>(visits, options), {"--column 'code'", "once"});
  expect_parts(bits_refusal("patient,code\n", long_table()), {"no line"});
  expect_parts(bits_refusal("patient,code\na,x\n,y\n", long_table()),
               {"row 2 (line 3), column 1 ('patient')", "names no row"});
  expect_parts(bits_refusal("patient,code\na,x\nb\n", long_table()), {"row 2 (line 3)", "1 col"});
  expect_parts(bits_refusal("patient,code\na,x\nb,x\n", long_table()), {"1 of the 1 variables"});
  expect_parts(bits_refusal("patient,code,n\na,x,1\na,y,3\n", long_table("n")),
               {"row 2 (line 3), column 3 ('n')", "'3' is not binary", "--threshold"});
  expect_parts(numbers_refusal("patient,code,n\na,x,1\na,y,1e999\n", long_table("n")),
               {"row 2 (line 3), column 3 ('n')", "'1e999'"});
  expect_parts(bits_refusal("patient,code\na,x\na,\xff\n", long_table()), {"not UTF-8"});
  expect_parts(bits_refusal<UsageError>(visits,
                                        [] {
                                          ImportOptions with_words = long_table();
                                          with_words.stop_words = "english";
                                          return with_words;
                                        }()),
               {"--stop-words", "long"});
}

TEST(NameIndex, numbers_names_as_they_come) {
  NameIndex index;
  EXPECT_EQ(index.find("a"), NameIndex::none);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    EXPECT_EQ(index.add(std::to_string(i * i)), i);
  }
  EXPECT_EQ(index.add(""), 10'000U);
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    ASSERT_EQ(index.find(std::to_string(i * i)), i);
    ASSERT_EQ(index[i], std::to_string(i * i));
    ASSERT_EQ(index.add(std::to_string(i * i)), i);
  }
  EXPECT_EQ(index.find("2"), NameIndex::none);
  EXPECT_EQ(index.find(""), 10'000U);
  EXPECT_EQ(index.size(), 10'001U);
}

}  // namespace
}  // namespace orrery::data::testing
