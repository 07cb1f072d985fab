// SVMlight, ARFF, long tables and documents.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::pair<std::string, std::string>>;  // name, content

/// The gzip stream of a good file, cut and damaged.
void add_bad_streams(MalformedFiles& files, const std::string& extension, const std::string& good) {
  const std::string stream = compressed(good);
  files.add("cut" + extension + ".gz", stream.substr(0, stream.size() - 9));
  std::string damaged = stream;
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x55);
  files.add("damaged" + extension + ".gz", damaged);
}

const Texts svmlight_lines{
    {"word", "1 two"},
    {"number_alone", "1 2"},
    {"no_index", "1 :1"},
    {"no_value", "1 1:"},
    {"two_colons", "1 1:1:1"},
    {"negative_index", "1 -1:1"},
    {"plus_index", "1 +1:1"},
    {"decimal_index", "1 1.0:1"},
    {"hexadecimal_index", "1 0x1:1"},
    {"word_index", "1 age:1"},
    {"index_beyond_most", "1 4194305:1"},
    {"index_beyond_64_bits", "1 18446744073709551617:1"},
    {"index_largest", "1 18446744073709551615:1"},
    {"twice", "1 1:1 2:1 2:0"},
    {"twice_unordered", "1 2:1 1:1 2:1"},
    {"late_qid", "1 1:1 qid:1"},
    {"word_label", "yes 1:1"},
    {"no_labels", ", 1:1"},
    {"half_labels", "1, 1:1"},
    {"label_beyond_range", "1e999 1:1"},
    {"value_beyond_range", "1 1:1e999"},
    {"value_below_range", "1 1:1e-999"},
    {"value_two", "1 1:2"},
    {"value_half", "1 1:.5"},
    {"value_negative", "1 1:-1"},
    {"value_infinite", "1 1:inf"},
    {"value_word", "1 1:true"},
    {"value_comma", "1 1:1,0"},
    {"value_hexadecimal", "1 1:0x1"},
    {"comma_separated", "1,1:1,2:1"},
    {"semicolons", "1 1:1;2:1"},
    {"null", "1 1:1\0 2:1"s},
    {"control", "1 1:\x01"},
    {"not_utf8", "1 \xff:1"},
};

const Texts arff_attributes{
    {"no_name", "@attribute"},
    {"no_type", "@attribute d"},
    {"unknown_type", "@attribute d complex"},
    {"relational", "@attribute d relational"},
    {"number_type", "@attribute d 7"},
    {"quoted_type", "@attribute d 'numeric'"},
    {"open_list", "@attribute d {0,1"},
    {"list_in_list", "@attribute d {0,{1}}"},
    {"two_commas", "@attribute d {0,,1}"},
    {"first_comma_twice", "@attribute d {,,0,1}"},
    {"value_twice", "@attribute d {0,1,0}"},
    {"open_quote", "@attribute 'd {0,1}"},
    {"open_quote_in_list", "@attribute d {'0,1}"},
    {"name_in_braces", "@attribute {d} numeric"},
    {"name_twice", "@attribute a {0,1}"},
    {"empty_name", "@attribute '' {0,1}"},
    {"name_not_utf8", "@attribute \xff {0,1}"},
    {"name_of_a_line_end", "@attribute 'd\\n' {0,1}"},
    {"long_name", "@attribute " + std::string(5000, 'd') + " {0,1}"},
    {"misspelt", "@atribute d {0,1}"},
    {"values", "0,yes,1"},
    {"null", "@attribute\0d {0,1}"s},
};

const Texts arff_rows{
    {"short", "1,yes"},
    {"long", "1,yes,0,1"},
    {"last_cell_empty", "1,yes,"},
    {"cell_empty", "1,,0"},
    {"first_cell_empty", ",yes,0"},
    {"commas_alone", ",,"},
    {"weight", "1,yes,0,{2}"},
    {"weight_without_comma", "1,yes,0 {2}"},
    {"brace", "1,{yes},0"},
    {"closing_brace", "1,yes,0}"},
    {"value_not_declared", "2,yes,0"},
    {"value_of_another_case", "1,Yes,0"},
    {"number_not_binary", "1,yes,2"},
    {"number_infinite", "1,yes,inf"},
    {"number_beyond_range", "1,yes,1e999"},
    {"number_word", "1,yes,many"},
    {"number_hexadecimal", "1,yes,0x1"},
    {"open_quote", "1,'yes,0"},
    {"open_double_quote", "1,\"yes,0"},
    {"quote_after_backslash", "1,'yes\\',0"},
    {"blank_unquoted", "1,yes no,0"},
    {"semicolons", "1;yes;0"},
    {"null", "1,yes\0,0"s},
    {"not_utf8", "1,\xff,0"},
};

const Texts sparse_rows{
    {"sparse_open", "{0 1"},
    {"sparse_open_after_comma", "{0 1,"},
    {"sparse_without_value", "{0}"},
    {"sparse_without_index", "{yes}"},
    {"sparse_negative", "{-1 1}"},
    {"sparse_beyond", "{3 1}"},
    {"sparse_beyond_64_bits", "{18446744073709551616 1}"},
    {"sparse_twice", "{0 1,0 1}"},
    {"sparse_descending", "{1 yes,0 1}"},
    {"sparse_decimal_index", "{0.0 1}"},
    {"sparse_quoted_index", "{'0' 1}"},
    {"sparse_two_commas", "{0 1,,1 yes}"},
    {"sparse_comma_for_blank", "{0,1}"},
    {"sparse_in_sparse", "{{0 1}}"},
    {"sparse_weight", "{0 1},{2}"},
    {"sparse_goes_on", "{0 1} 1"},
    {"sparse_value_not_declared", "{1 maybe}"},
    {"sparse_not_binary", "{2 7}"},
};

}  // namespace

void add_malformed_svmlight(MalformedFiles& files) {
  for (const auto& [name, line] : svmlight_lines) {
    files.add("first_" + name + ".svmlight", line + "\n1 1:1 3:1\n");
    files.add("later_" + name + ".svmlight", "1 1:1 3:1\n0 2:1 # good\n\n" + line + "\n");
  }
  files.add("labels_alone.svmlight", "1\n0\n1\n");
  files.add("one_column.svmlight", "1 1:1\n0\n");
  files.add("comments_alone.svmlight", "# 1 1:1 2:1\n\n");
  files.add("empty.svmlight", "");
  add_bad_streams(files, ".svmlight", "1 1:1 3:1\n0 2:1\n1 1:1 2:1\n");
}

void add_malformed_arff(MalformedFiles& files) {
  const std::string header =
      "@relation r\n@attribute a {0,1}\n@attribute b {no,yes}\n@attribute c numeric\n";
  for (const auto& [name, line] : arff_attributes) {
    files.add("attribute_" + name + ".arff", header + line + "\n@data\n0,no,1,0\n");
  }
  Texts rows = arff_rows;
  rows.insert(rows.end(), sparse_rows.begin(), sparse_rows.end());
  for (const auto& [name, line] : rows) {
    files.add("first_" + name + ".arff", header + "@data\n" + line + "\n1,yes,1\n");
    files.add("later_" + name + ".arff",
              header + "@data\n1,yes,1\n% good\n{1 yes}\n" + line + "\n");
  }
  const std::string good = header + "@data\n1,yes,1\n0,no,?\n";
  files.add("no_data.arff", header);
  files.add("no_rows.arff", header + "@data\n% 1,yes,1\n");
  files.add("no_attributes.arff", "@relation r\n@data\n1\n");
  files.add("one_attribute.arff", "@relation r\n@attribute a {0,1}\n@data\n1\n0\n");
  files.add("comments_alone.arff", "% @relation r\n");
  files.add("empty.arff", "");
  files.add("column_all_missing.arff", header + "@data\n?,yes,1\n?,no,0\n");
  for (const std::size_t length : {5U, 20U, 40U, 60U, 80U}) {
    files.add(fmt::format("cut_at_{}.arff", length), good.substr(0, length));
  }
  add_bad_streams(files, ".arff", good);
}

void add_malformed_long(MalformedFiles& files) {
  const std::string header = "row,column,value,time\n";
  const Texts lines{
      {"short", "a,x,1"},
      {"long", "a,x,1,2020-01-01,1"},
      {"without_row", ",x,1,2020-01-01"},
      {"row_missing", "NA,x,1,2020-01-01"},
      {"value_two", "a,x,2,2020-01-01"},
      {"value_word", "a,x,much,2020-01-01"},
      {"value_infinite", "a,x,inf,2020-01-01"},
      {"value_beyond_range", "a,x,1e999,2020-01-01"},
      {"time_german", "a,x,1,01.02.2020"},
      {"time_american", "a,x,1,01/02/2020"},
      {"time_word", "a,x,1,yesterday"},
      {"time_number", "a,x,1,20200101"},
      {"time_short", "a,x,1,2020-1-1"},
      {"variable_not_utf8", "a,\xff,1,2020-01-01"},
      {"variable_of_a_control", "a,\x01,1,2020-01-01"},
      {"variable_of_a_line_end", "a,\"x\ny\",1,2020-01-01"},
      {"variable_too_long", "a," + std::string(5000, 'x') + ",1,2020-01-01"},
      {"open_quote", "a,\"x,1,2020-01-01"},
      {"semicolons", "a;x;1;2020-01-01"},
      {"blank_line", "\na,x,1,2020-01-01"},
  };
  for (const auto& [name, line] : lines) {
    files.add("first_" + name + ".csv", header + line + "\nb,y,1,2020-01-01\na,z,1,2020-01-01\n");
    files.add("later_" + name + ".csv",
              header + "b,y,1,2020-01-01\nb,x,1,2020-01-01\n" + line + "\nc,z,1,2020-01-01\n");
  }
  const std::string row = "a,x,1,2020-01-01\n";
  files.add("no_lines.csv", header);
  files.add("one_variable.csv", header + row + "b,x,1,2020-01-01\n");
  files.add("no_variable.csv", header + "a,,1,2020-01-01\n");
  files.add("all_earlier.csv", header + "a,x,1,1999-12-31\nb,y,1,1999-12-31\n");
  files.add("no_row_column.csv", "rows,column,value,time\n" + row);
  files.add("no_value_column.csv", "row,column,values,time\n" + row);
  files.add("column_twice.csv", "row,column,row,value,time\na,x,a,1,2020-01-01\n");
  files.add("empty.csv", "");
  add_bad_streams(files, ".csv", header + row + "b,y,1,2020-01-01\n");
}

void add_malformed_text(MalformedFiles& files) {
  const Texts words{
      {"latin1", "caf\xe9 noir"},
      {"lone_continuation", "a\x80 b"},
      {"overlong", "a\xc0\xaf"},
      {"surrogate", "a\xed\xa0\x80"},
      {"beyond_unicode", "a\xf4\x90\x80\x80"},
      {"cut_character", "caf\xc3"},
      {"binary",
       "\x7f"
       "ELF\x02\x01\x01\xff\xfe"},
  };
  for (const auto& [name, line] : words) {
    files.add("first_" + name + ".txt", line + "\nbig cat\nbig cat\n");
    files.add("later_" + name + ".txt", "big cat\nbig cat\n\n" + line + "\n");
  }
  files.add("blank_lines.txt", "\n\n\n");
  files.add("letters.txt", "a b c\nd e f\n");
  files.add("one_word.txt", "word\nword word\n");
  files.add("words_of_many_letters.txt",
            std::string(100, 'x') + " " + std::string(200, 'y') + "\n");
  files.add("empty.txt", "");
  files.add("utf16.txt",
            "\xff\xfe"
            "b\0i\0g\0"s);
  add_bad_streams(files, ".txt", "big cat\nbig dog\nbig cat\n");
}

}  // namespace orrery::fuzz
