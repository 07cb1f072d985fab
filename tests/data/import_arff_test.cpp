// ARFF files, dense and sparse.
#include <gtest/gtest.h>

#include <string>

#include "text_formats_support.hpp"

namespace orrery::data::testing {
namespace {

ImportOptions arff() { return with_format(Format::arff); }

/// A file of these attributes and rows.
std::string file(const std::string& attributes, const std::string& rows) {
  return "% a comment\n\n@RELATION 'a b'\n" + attributes + "@Data\n" + rows;
}

const std::string three =
    "@attribute fever {no,yes}\n"
    "@ATTRIBUTE \"dry cough\" { f , t }\n"
    "  @Attribute age numeric\n";

CategoricalImport categories_of(const std::string& content, const ImportOptions& options = {},
                                const GivenCategories& given = {}) {
  const ScratchFolder folder;
  return import_categorical(folder.write("t.arff", content), options, given);
}

TEST(ImportArff, nominal_values_are_bits_by_the_words_of_csv) {
  const std::string content = file(three, "yes,f,0\n% between\n\nno, t ,1\n?,'t',1.0\nno\tf\t?\n");
  EXPECT_EQ(bits_of(content, arff()), (Table{"100", "011", "?11", "00?"}));
  EXPECT_EQ(names_of(content, arff()), (Names{"fever", "dry cough", "age"}));
}

TEST(ImportArff, other_values_are_bits_by_options) {
  const std::string content = file(
      "@attribute sex {male,female}\n@attribute dose real\n@attribute note string\n"
      "@attribute day date 'yyyy-MM-dd'\n",
      "male,2.5,'x, y',2020-01-01\nfemale,0.5,z,?\n");
  ImportOptions options = arff();
  options.drop_columns = {"note", "day"};
  expect_parts(bits_refusal(content, options),
               {"row 1 (line 9)", "column 1 ('sex')", "'male' is not binary",
                "--on 'female' --off 'male'", "--drop 'sex'"});
  options.on_tokens = {"female"};
  options.off_tokens = {"male"};
  expect_parts(bits_refusal(content, options), {"column 2 ('dose')", "'2.5'", "--threshold"});
  options.threshold = 1;
  EXPECT_EQ(bits_of(content, options), (Table{"01", "10"}));
  options.drop_columns = {"day"};
  expect_parts(bits_refusal(content, options),
               {"column 3 ('note')", "'x, y'", "--categorical", "--drop 'note'"});
}

TEST(ImportArff, sparse_rows_hold_the_first_value_where_nothing_is_written) {
  const std::string content = file(three, "{0 yes, 2 1}\n{ 1 t }\n{}\n{2 ?}\nno,f,1\n");
  EXPECT_EQ(bits_of(content, arff()), (Table{"101", "010", "000", "00?", "001"}));
  const std::string on_first =
      file("@attribute a {1,0}\n@attribute b {yes,no}\n", "{}\n{0 0}\n{1 no}\n{0 0,1 no}\n");
  EXPECT_EQ(bits_of(on_first, arff()), (Table{"11", "01", "10", "00"}));
  const std::string odd =
      file("@attribute a {low,1}\n@attribute b {0,1}\n@attribute c {0,1}\n", "{0 1,2 1}\n{1 1}\n");
  expect_parts(bits_refusal(odd, arff()), {"row 2 (line 9)", "column 1 ('a')", "'low'"});
  ImportOptions options = arff();
  options.drop_columns = {"a"};
  EXPECT_EQ(bits_of(odd, options), (Table{"01", "10"}));
}

TEST(ImportArff, numbers_are_read_and_other_attributes_refused) {
  const std::string content =
      file("@attribute a real\n@attribute b INTEGER [0,9]\n@attribute c {1,2}\n",
           "1.5,-3,2\n?,1e3,1\n{1 7}\n{0 -0.25,2 2}\n");
  EXPECT_EQ(numbers_of(content, arff()), (Names{"1.5 -3 2", "? 1000 1", "0 7 1", "-0.25 0 2"}));
  expect_parts(numbers_refusal(file(three, "yes,f,0\n"), arff()),
               {"row 1", "column 1 ('fever')", "'yes' is not a number", "--drop 'fever'"});
  expect_parts(numbers_refusal(file("@attribute a real\n@attribute b real\n", "1,1e999\n"), arff()),
               {"column 2 ('b')", "beyond what a double holds"});
  expect_parts(numbers_refusal(file("@attribute a real\n@attribute b real\n", "inf,1\n"), arff()),
               {"'inf' is infinite"});
}

TEST(ImportArff, categories_are_those_declared_in_their_order) {
  const std::string content =
      file("@attribute grade {low,medium,high}\n@attribute n numeric\n@attribute s {NA,b}\n",
           "high,2,b\nlow,10,NA\n?,2,?\n{1 10}\n{0 medium}\n");
  const CategoricalImport found = categories_of(content);
  EXPECT_EQ(found.format, Format::arff);
  EXPECT_EQ(found.table.categories[0], (Names{"low", "medium", "high"}));
  EXPECT_EQ(found.table.categories[1], (Names{"0", "2", "10"}));
  EXPECT_EQ(found.table.categories[2], (Names{"NA", "b"}));
  const auto no = missing_code;
  EXPECT_EQ(found.table.codes,
            (std::vector<std::uint8_t>{2, 1, 1, 0, 2, 0, no, 1, no, 0, 2, 0, 1, 0, 0}));
  GivenCategories given;
  given.of_columns["grade"] = {"high", "medium", "low"};
  EXPECT_EQ(categories_of(content, {}, given).table.categories[0],
            (Names{"high", "medium", "low"}));
}

TEST(ImportArff, quotes_hold_blanks_commas_braces_and_quotes) {
  const std::string content =
      file("@attribute 'it\\'s' {'a b','c,d','{e}',\"f\\\"g\"}\n@attribute other {x,'?'}\n",
           "'a b',x\n'c,d','?'\n'{e}',?\n\"f\\\"g\",x\n");
  const CategoricalImport found = categories_of(content);
  EXPECT_EQ(found.table.names, (Names{"it's", "other"}));
  EXPECT_EQ(found.table.categories[0], (Names{"a b", "c,d", "{e}", "f\"g"}));
  EXPECT_EQ(found.table.codes, (std::vector<std::uint8_t>{0, 0, 1, 1, 2, missing_code, 3, 0}));
}

TEST(ImportArff, it_is_recognised_by_its_first_word) {
  const ScratchFolder folder;
  EXPECT_EQ(import_file(folder.write("t.txt", file(three, "yes,f,0\n"))).table, (Table{"100"}));
  EXPECT_EQ(import_file(folder.write_gzip("t.gz", file(three, "no,t,0\n"))).table, (Table{"010"}));
}

TEST(ImportArff, numbers_that_mean_bits_are_written_in_any_way) {
  EXPECT_EQ(bits_of(file("@attribute a real\n@attribute b real\n", "1e0,+0.0\n-0,10E-1\n"), arff()),
            (Table{"10", "01"}));
}

TEST(ImportArff, it_is_turned_round) {
  ImportOptions options = arff();
  options.transpose = true;
  options.drop_columns = {"x1"};
  const std::string content = file(three, "yes,f,0\nno,t,1\nyes,t,?\n");
  EXPECT_EQ(bits_of(content, options), (Table{"11", "01", "0?"}));
  EXPECT_EQ(names_of(content, options), (Names{"x0", "x2"}));
}

TEST(ImportArff, bad_headers_are_refused) {
  const auto refused = [](const std::string& attribute, const std::vector<std::string>& parts) {
    const std::string content = "@relation r\n@attribute a {0,1}\n" + attribute + "\n@data\n0,1\n";
    std::vector<std::string> all = parts;
    all.insert(all.end(), {"t.txt: line 3: "});
    expect_parts(bits_refusal(content, arff()), all);
  };
  refused("@attribute", {"no name"});
  refused("@attribute b", {"no type", "@attribute NAME numeric"});
  refused("@attribute b complex", {"type that is not read", "numeric, real"});
  refused("@attribute b relational", {"type that is not read"});
  refused("@attribute b {0,1", {"not a list of nominal values"});
  refused("@attribute b {0,{1}}", {"not a list of nominal values"});
  refused("@attribute b {0,,1}", {"not a list of nominal values"});
  refused("@attribute b {0,0}", {"declares the value '0' twice"});
  refused("@attribute 'b {0,1}", {"quote that is not closed"});
  refused("0,1", {"no part of an ARFF header"});
  expect_parts(bits_refusal("@relation r\n@attribute a {0,1}\n", arff()),
               {"before a line of @data"});
  expect_parts(bits_refusal("@relation r\n@data\n", arff()), {"no columns"});
  expect_parts(bits_refusal(file("@attribute a {0,1}\n@attribute a {0,1}\n", ""), arff()),
               {"same name 'a'"});
  expect_parts(bits_refusal(file("@attribute a {0,1}\n@attribute b {0,1}\n", ""), arff()),
               {"no rows"});
}

TEST(ImportArff, bad_rows_are_refused_with_their_place) {
  const auto refused = [](const std::string& row, const std::vector<std::string>& parts) {
    std::vector<std::string> all = parts;
    all.emplace_back("line 9");
    expect_parts(bits_refusal(file(three, "no,f,0\n" + row + "\n"), arff()), all);
  };
  refused("yes,f", {"row 2", "2 values", "3 attributes"});
  refused("yes,f,1,1", {"4 values"});
  refused("yes,f,", {"cell of column 3 is empty", "write ?"});
  refused("yes,,1", {"cell of column 2 is empty"});
  refused(",f,1", {"cell of column 1 is empty"});
  refused("yes,f,1,{5}", {"weight"});
  refused("yes,f,1 {5}", {"weight"});
  refused("yes,{f},1", {"brace"});
  refused("maybe,f,1", {"column 1 ('fever')", "'maybe' is not among the values declared, 'no'"});
  refused("yes,'f,1", {"quote that is not closed"});
  refused("{0 yes", {"no index", "closed in the same line"});
  refused("{0 yes,0 yes}", {"index 0 follows index 0"});
  refused("{1 t,0 yes}", {"index 0 follows index 1"});
  refused("{3 1}", {"index 3 is beyond the 3 attributes"});
  refused("{99999999999999999999 1}", {"beyond the 3 attributes"});
  refused("{-1 1}", {"'-1' is no index"});
  refused("{0}", {"index 0 has no value"});
  refused("{0 yes}, {3}", {"weight"});
  refused("{0 yes} x", {"goes on after its row"});
}

TEST(ImportArff, categories_beyond_the_most_are_refused) {
  std::string many = "@attribute a {";
  for (int i = 0; i < 65; ++i) many += std::to_string(i) + (i < 64 ? "," : "}\n");
  const std::string content = file(many + "@attribute b {0,1}\n@attribute c {0,1}\n", "0,1,0\n");
  try {
    (void)categories_of(content);
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    expect_parts(error.what(), {"t.arff", "'a' declares 65 categories", "64", "--drop 'a'"});
  }
  ImportOptions options;
  options.drop_columns = {"a"};
  EXPECT_EQ(categories_of(content, options).table.codes, (std::vector<std::uint8_t>{1, 0}));
}

}  // namespace
}  // namespace orrery::data::testing
