// SVMlight and LIBSVM files.
#include <gtest/gtest.h>

#include <string>

#include "text_formats_support.hpp"

namespace orrery::data::testing {
namespace {

ImportOptions svmlight() { return with_format(Format::svmlight); }

constexpr std::string_view from_one = "# by hand\n+1 1:1 3:1 # a\n\n-1 qid:4 2:1\n1\n0 3:1 1:0\n";

TEST(ImportSvmlight, an_index_that_is_not_written_is_zero) {
  EXPECT_EQ(bits_of(from_one, svmlight()), (Table{"101", "010", "000", "001"}));
  EXPECT_EQ(names_of(from_one, svmlight()), (Names{"x0", "x1", "x2"}));
  EXPECT_EQ(numbers_of("1 1:2.5 3:-1e3\n0 2:nan\n", svmlight()), (Names{"2.5 0 -1000", "0 ? 0"}));
}

TEST(ImportSvmlight, the_first_index_is_zero_if_zero_occurs) {
  const std::string from_zero = "1 0:1 2:1\n0 1:1\n";
  ImportOptions options = svmlight();
  EXPECT_EQ(bits_of(from_zero, options), (Table{"101", "010"}));
  options.is_zero_based = true;
  EXPECT_EQ(bits_of(from_zero, options), (Table{"101", "010"}));
  EXPECT_EQ(bits_of("1 1:1 2:1\n0 1:1\n", options), (Table{"011", "010"}));
  options.is_zero_based = false;
  expect_parts(bits_refusal(from_zero, options),
               {"t.txt", "line 1", "index 0", "--zero-based yes"});
}

TEST(ImportSvmlight, labels_become_a_column_if_they_are_named) {
  ImportOptions options = svmlight();
  options.label = "class";
  EXPECT_EQ(numbers_of(from_one, options), (Names{"1 1 0 1", "-1 0 1 0", "1 0 0 0", "0 0 0 1"}));
  options.on_tokens = {"1"};
  options.off_tokens = {"-1", "0"};
  EXPECT_EQ(bits_of(from_one, options), (Table{"1101", "0010", "1000", "0001"}));
  EXPECT_EQ(names_of(from_one, options), (Names{"class", "x0", "x1", "x2"}));
  expect_parts(bits_refusal("1,3 1:1 2:1\n", options), {"line 1", "2 labels", "'1,3'", "--label"});
  options = svmlight();
  options.label = "class";
  EXPECT_EQ(numbers_of(" 1:1 2:1\n3 1:0\n", options), (Names{"? 1 1", "3 0 0"}));
}

TEST(ImportSvmlight, several_labels_and_none_are_passed_over) {
  EXPECT_EQ(bits_of("1,3 1:1 2:1\n 2:1\n2.5 1:1\n", svmlight()), (Table{"11", "01", "10"}));
}

TEST(ImportSvmlight, it_is_recognised_by_name_and_by_its_first_line) {
  const ScratchFolder folder;
  EXPECT_EQ(import_file(folder.write("t.svm", "1\n0 1:1 2:1\n")).table, (Table{"00", "11"}));
  EXPECT_EQ(import_file(folder.write("t.data", "#\n1 qid:1 1:1 2:1\n")).table, (Table{"11"}));
  EXPECT_EQ(import_file(folder.write_gzip("t.libsvm.gz", from_one)).table.size(), 4U);
}

TEST(ImportSvmlight, columns_are_dropped_and_numbers_have_a_threshold) {
  ImportOptions options = svmlight();
  options.drop_columns = {"x1"};
  EXPECT_EQ(bits_of("1 1:1 2:7 3:1\n", options), (Table{"11"}));
  options = svmlight();
  options.threshold = 2;
  EXPECT_EQ(bits_of("1 1:3 2:2\n1 2:2.5\n", options), (Table{"10", "01"}));
}

TEST(ImportSvmlight, bad_lines_are_refused_with_their_place) {
  const auto refused = [](const std::string& line, const std::vector<std::string>& parts) {
    std::vector<std::string> all = parts;
    all.insert(all.end(), {"t.txt", "row 2 (line 3)"});
    expect_parts(bits_refusal("1 1:1 2:1\n#\n" + line + "\n", svmlight()), all);
  };
  refused("1 2", {"'2' is not index:value"});
  refused("1 two:1", {"'two:1' is not index:value"});
  refused("1 :1", {"':1' is not index:value"});
  refused("1 -1:1", {"'-1:1' is not index:value"});
  refused("1 1:1 qid:3", {"'qid:3' is not index:value"});
  refused("1 1:", {"'1:' holds no number"});
  refused("1 1:one", {"'1:one' holds no number"});
  refused("1 1:1e999", {"'1:1e999'", "beyond what a double holds"});
  refused("yes 1:1", {"'yes' holds no number"});
  refused("1 4194305:1", {"4194305:1", "4,194,304"});
  refused("1 99999999999999999999:1", {"beyond 4,194,304"});
  refused("1 2:1 2:1", {"index 2 has two values"});
  refused("1 1:7", {"column 1 ('x0')", "neither 0 nor 1", "--threshold"});
  refused("1 1:inf", {"column 1 ('x0')", "inf"});
}

TEST(ImportSvmlight, tables_without_columns_are_refused) {
  expect_parts(bits_refusal("1\n0\n", svmlight()), {"no columns"});
  expect_parts(bits_refusal("1 1:1\n", svmlight()), {"one column only"});
  expect_parts(bits_refusal("# nothing\n", svmlight()), {"no columns"});
}

TEST(ImportSvmlight, options_of_other_formats_are_refused) {
  ImportOptions options = svmlight();
  options.header = Header::yes;
  expect_parts(bits_refusal<UsageError>(from_one, options), {"--header yes", "svmlight"});
  options = svmlight();
  options.vocabulary = 7;
  expect_parts(bits_refusal<UsageError>(from_one, options), {"--vocabulary", "svmlight"});
  options = with_format(Format::csv);
  options.label = "class";
  expect_parts(bits_refusal<UsageError>("a,b\n0,1\n", options), {"--label", "csv"});
}

}  // namespace
}  // namespace orrery::data::testing
