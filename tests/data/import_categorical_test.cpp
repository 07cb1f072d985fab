// Tables of categories: CSV and TSV into codes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/import_tables.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

using Names = std::vector<std::string>;
using Codes = std::vector<std::uint8_t>;
constexpr std::uint8_t no_code = missing_code;

CategoricalImport read(std::string_view content, const ImportOptions& options = {},
                       const GivenCategories& given = {}) {
  const ScratchFolder folder;
  return import_categorical(folder.write("t.csv", content), options, given);
}

template <class Expected = InputError>
void expect_refused(std::string_view content, const std::vector<std::string>& parts,
                    const ImportOptions& options = {}, const GivenCategories& given = {}) {
  try {
    (void)read(content, options, given);
    ADD_FAILURE() << "accepted: " << content;
  } catch (const Expected& error) {
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }
}

TEST(ImportCategorical, categories_are_found_and_numbers_sorted_as_numbers) {
  const CategoricalImport found =
      read("level,grade,\"odd, name\"\n10,b,-1\n9, a ,1e1\n100,b,+2\n9,\"a\",2.5\n");
  EXPECT_EQ(found.format, Format::csv);
  EXPECT_EQ(found.table.names, (Names{"level", "grade", "odd, name"}));
  EXPECT_EQ(found.table.n_rows, 4U);
  EXPECT_EQ(found.table.categories[0], (Names{"9", "10", "100"}));
  EXPECT_EQ(found.table.categories[1], (Names{"a", "b"}));
  EXPECT_EQ(found.table.categories[2], (Names{"-1", "+2", "2.5", "1e1"}));
  EXPECT_EQ(found.table.codes, (Codes{1, 1, 0, 0, 0, 3, 2, 1, 1, 0, 0, 2}));
  EXPECT_EQ(found.n_missing, 0U);
}

TEST(ImportCategorical, a_column_with_a_word_is_sorted_as_text) {
  const CategoricalImport found = read("a,b\n10,1\n9,2\nmany,1\n");
  EXPECT_EQ(found.table.categories[0], (Names{"10", "9", "many"}));
  EXPECT_EQ(found.table.categories[1], (Names{"1", "2"}));
}

TEST(ImportCategorical, missing_values_are_those_of_bits_and_the_users) {
  ImportOptions options;
  options.missing_tokens = {"-9"};
  const CategoricalImport found = read("a,b\n1,?\n,2\nNA,1\n2,-9\n-9.0,2\n", options);
  EXPECT_EQ(found.table.codes, (Codes{0, no_code, no_code, 1, no_code, 0, 1, no_code, no_code, 1}));
  EXPECT_EQ(found.n_missing, 5U);
}

TEST(ImportCategorical, given_categories_keep_their_order) {
  GivenCategories given = parse_categories("negative, low,medium,\"very, high\"");
  EXPECT_EQ(given.all, (Names{"negative", "low", "medium", "very, high"}));
  const CategoricalImport found = read("a,b\nlow,negative\n\"very, high\",low\n", {}, given);
  EXPECT_EQ(found.table.categories[0], given.all);
  EXPECT_EQ(found.table.codes, (Codes{1, 0, 3, 1}));
  const ScratchFolder folder;
  given = parse_categories(folder.write("c.csv", "b,2,1\r\n\n\"a\",x,y\n").string());
  const CategoricalImport own = read("a,b,c\ny,1,q\ny,1,p\n", {}, given);
  EXPECT_EQ(own.table.categories, (std::vector<Names>{{"x", "y"}, {"2", "1"}, {"p", "q"}}));
  EXPECT_EQ(own.table.codes, (Codes{1, 1, 1, 1, 1, 0}));
}

TEST(ImportCategorical, columns_may_be_left_out_and_the_header_too) {
  ImportOptions options;
  options.drop_columns = {"id"};
  const CategoricalImport found = read("a,id,b\n1,7,2\n2,8,1\n", options);
  EXPECT_EQ(found.table.names, (Names{"a", "b"}));
  EXPECT_EQ(found.table.codes, (Codes{0, 1, 1, 0}));
  ImportOptions bare;
  bare.header = Header::no;
  EXPECT_EQ(read("1,2\n2,1\n", bare).table.names, (Names{"x0", "x1"}));
}

TEST(ImportCategorical, as_many_categories_as_there_may_be) {
  std::string content = "a,b\n";
  for (int i = 0; i < 64; ++i) content += fmt::format("{},{}\n", i, i % 2);
  EXPECT_EQ(read(content).table.categories[0].size(), 64U);
  expect_refused(content + "64,1\n", {"t.csv: row 65 (line 66), column 1 ('a')", "'64'",
                                      "beyond the 64", "--numeric", "--drop 'a'"});
}

TEST(ImportCategorical, columns_that_say_nothing_or_too_much_are_refused) {
  expect_refused("a,b\n1,x\n2,x\n", {"column 'b' has one category, 'x'", "--drop 'b'"});
  expect_refused("a,b\n1,\n2,NA\n", {"column 'b' has no value", "--drop 'b'"});
  expect_refused("a,b\n1,1\n2,1.0\n", {"column 'b' holds '1' and '1.0', which are one number"});
}

TEST(ImportCategorical, rows_that_cannot_be_are_refused_with_their_place) {
  expect_refused("a,b\n1,1\n,?\n2,2\n", {"row 2 (line 3) has no value in any of its 2 columns"});
  expect_refused("a,b\n1,1\n2\n", {"row 2 (line 3) has 1 columns, the first row has 2"});
  expect_refused("a,b\n1,1,1\n", {"row 1 (line 2) has 3 columns"});
  expect_refused("a,b\n", {"no rows of values"});
  expect_refused("a,a\n1,2\n", {"the same name"});
  expect_refused("a,b\n1,\xFF\n2,3\n", {"row 1 (line 2), column 2 ('b')", "UTF-8"});
  expect_refused("a,b\n1,x\ty\n2,3\n", {"without control characters"});
}

TEST(ImportCategorical, values_that_were_not_given_are_refused) {
  const GivenCategories given = parse_categories("no,yes");
  expect_refused("a,b\nno,yes\nno,maybe\n",
                 {"row 2 (line 3), column 2 ('b')", "'maybe' is not among", "'no', 'yes'",
                  "--missing 'maybe'"},
                 {}, given);
  const ScratchFolder folder;
  expect_refused("a,b\n1,2\n", {"c.csv: column 'c' is not among those imported"}, {},
                 parse_categories(folder.write("c.csv", "c,1,2\n").string()));
  ImportOptions options;
  options.missing_tokens = {"yes"};
  expect_refused<UsageError>("a,b\n1,2\n", {"category 'yes' stands for a missing value"}, options,
                             given);
}

TEST(ImportCategorical, lists_that_are_none_are_refused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      (void)parse_categories(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  const ScratchFolder folder;
  const auto of_file = [&](std::string_view content) {
    return refusal(folder.write("c.csv", content).string());
  };
  const auto expect_part = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect_part(refusal("word"), "neither a file nor a list");
  expect_part(refusal("a,"), "category[1] has 0 bytes");
  expect_part(refusal("a,b,a"), "category[2] repeats the name 'a'");
  std::string many = "0";
  for (int i = 1; i <= 64; ++i) many += fmt::format(",{}", i);
  expect_part(refusal(many), "65 categories; give 2 to 64");
  expect_part(of_file(""), "the file is empty");
  expect_part(of_file("a,1,2\na,3,4\n"), "line 2: column 'a' was given categories before");
  expect_part(of_file("a,1\n"), "line 1: 1 category; give 2 to 64");
  expect_part(of_file(",1,2\n"), "no column before the first comma");
}

TEST(ImportCategorical, formats_of_bits_are_refused) {
  expect_refused("0101\n1110\n", {"one column only"});
  ImportOptions options;
  options.format = Format::npy;
  expect_refused("a,b\n", {"npy file holds bits or numbers"}, options);
}

}  // namespace
}  // namespace orrery::data::testing
