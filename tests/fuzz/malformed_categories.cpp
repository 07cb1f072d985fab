// Tables of categories: what makes a column, a row or a cell unusable that bits do not know.
#include <fmt/format.h>

#include <string>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;

void add_columns(MalformedFiles& files) {
  std::string many = "a,b\n";
  std::string words = "a\tb\n";
  for (int i = 0; i < 65; ++i) {
    many += fmt::format("{},{}\n", i, i % 2);
    words += fmt::format("{}\tword {}\n", i % 2, i);
  }
  files.add("categories_65.csv", many);
  files.add("words_65.tsv", words);
  files.add("one_category.csv", "a,b\n1,x\n2,x\n");
  files.add("one_category_and_gaps.csv", "a,b\n1,x\n2,\n1,?\n");
  files.add("column_empty.csv", "a,b\n1,\n2,NA\n");
  files.add("one_number_twice.csv", "a,b\n1,1\n1.0,2\n");
  files.add("one_number_plus.csv", "a,b\n1,1\n+1,2\n");
  files.add("zero_twice.csv", "a,b\n0,1\n-0,2\n");
  files.add("one_row.csv", "a,b\n1,2\n");
  files.add("one_column.csv", "a\n1\n2\n");
  files.add("columns_named_twice.csv", "a,a\n1,2\n2,1\n");
  files.add("column_without_a_name.csv", "a,\n1,2\n2,1\n");
}

void add_category_rows(MalformedFiles& files) {
  files.add("names_alone.csv", "a,b\n");
  files.add("row_empty.csv", "a,b\n1,1\n?,?\n2,2\n");
  files.add("row_of_blanks.csv", "a,b\n1,1\n , \n2,2\n");
  files.add("row_blank.csv", "a,b\n1,1\n\n2,2\n");
  files.add("row_short.csv", "a,b\n1,1\n2\n");
  files.add("row_long.csv", "a,b\n1,1\n2,2,2\n");
  files.add("row_last_short.csv", "a,b\n1,1\n2,2\n1");
  files.add("quote_open.csv", "a,b\n1,1\n2,\"2\n");
}

void add_category_cells(MalformedFiles& files) {
  files.add("cell_latin1.csv", "a,b\n1,M\xFCller\n2,x\n");
  files.add("cell_cut_utf8.csv", "a,b\n1,x\xC3\n2,x\n");
  files.add("cell_escape.csv", "a,b\n1,\x1b[2J\n2,x\n");
  files.add("cell_zero.csv", "a,b\n1,x\0y\n2,x\n"s);
  files.add("cell_of_lines.csv", "a,b\n1,\"x\ny\"\n2,x\n");
  files.add("cell_too_long.csv", fmt::format("a,b\n1,{}\n2,x\n", std::string(5000, 'w')));
}

}  // namespace

void add_malformed_categories(MalformedFiles& files) {
  add_columns(files);
  add_category_rows(files);
  add_category_cells(files);
}

}  // namespace orrery::fuzz
