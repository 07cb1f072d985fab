// Delimited tables, and rows of characters.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;

constexpr std::size_t csv_rows = 8;
constexpr std::size_t csv_columns = 5;

/// Row 0 holds the names.
using Table = std::vector<std::vector<std::string>>;

Table good_table() {
  Table table{{"ann", "bob", "cat", "dan", "eve"}};
  for (std::size_t row = 0; row < csv_rows; ++row) {
    table.emplace_back();
    for (std::size_t c = 0; c < csv_columns; ++c) {
      table.back().emplace_back(1, (row * 7 + c * 3) % 5 < 2 ? '1' : '0');
    }
  }
  return table;
}

std::string text_of(const Table& table, char delimiter = ',', const std::string& line_end = "\n") {
  std::string text;
  for (const auto& row : table) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += delimiter;
      text += row[c];
    }
    text += line_end;
  }
  return text;
}

std::string with_cell(std::size_t row, std::size_t column, const std::string& cell,
                      char delimiter = ',') {
  Table table = good_table();
  table[row][column] = cell;
  return text_of(table, delimiter);
}

void add_ragged_rows(MalformedFiles& files) {
  for (std::size_t row = 1; row <= csv_rows; ++row) {
    Table shorter = good_table();
    shorter[row].pop_back();
    files.add(fmt::format("row_{}_too_short.csv", row), text_of(shorter));
    Table longer = good_table();
    longer[row].emplace_back("1");
    files.add(fmt::format("row_{}_too_long.csv", row), text_of(longer));
  }
  Table longer_names = good_table();
  longer_names[0].emplace_back("fay");
  files.add("a_name_too_many.csv", text_of(longer_names));
  Table shorter_names = good_table();
  shorter_names[0].pop_back();
  files.add("a_name_too_few.csv", text_of(shorter_names));
  Table trailing = good_table();
  trailing[4].emplace_back("");
  files.add("a_trailing_comma.csv", text_of(trailing));
  Table tabs = good_table();
  tabs[5].emplace_back("0");
  files.add("row_5_too_long.tsv", text_of(tabs, '\t'));
  files.add("a_row_of_commas.tsv", text_of(good_table(), '\t') + "0,1,0,1,0\n");
  files.add("a_row_of_tabs.csv", text_of(good_table()) + "0\t1\t0\t1\t0\n");
  files.add("cut_in_a_row.csv", text_of(good_table()).substr(0, 57));
  files.add("semicolons_in_a_row.csv", text_of(good_table()) + "0;1;0;1;0\n");
}

void add_odd_cells(MalformedFiles& files) {
  const std::vector<std::string> cells{"2",
                                       "-1",
                                       "0.5",
                                       "1e0",
                                       "0x1",
                                       "01",
                                       "+1",
                                       "O",
                                       "l",
                                       "truee",
                                       "yess",
                                       "1.01",
                                       "\"0,5\"",
                                       "inf",
                                       "-0",
                                       "\xE2\x88\x92"s,
                                       "1\0"s,
                                       "\0"s,
                                       "\x01",
                                       "\xFF\xFE"s,
                                       "1 0",
                                       "'1'",
                                       "1\r0",
                                       "1.0.0",
                                       "\"1\n0\"",
                                       "on",
                                       "#N/A",
                                       "-",
                                       "\xEF\xBB\xBF"
                                       "1",
                                       "\x1B[31m1",
                                       "99999999999999999999",
                                       std::string(5000, 'a'),
                                       std::string(70000, '1')};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    files.add(fmt::format("odd_cell_{}.csv", i),
              with_cell(1 + i % csv_rows, i % csv_columns, cells[i]));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    files.add(fmt::format("odd_cell_{}.tsv", i), with_cell(8 - i, i % csv_columns, cells[i], '\t'));
  }
  for (std::size_t c = 0; c < csv_columns; ++c) {
    Table table = good_table();
    for (std::size_t row = 1; row <= csv_rows; ++row) table[row][c] = row % 2 == 0 ? "?" : "NA";
    files.add(fmt::format("column_{}_all_missing.csv", c + 1), text_of(table));
  }
}

void add_odd_names(MalformedFiles& files) {
  const std::vector<std::pair<std::string, std::string>> names{
      {"empty", ""},
      {"of_blanks", "\"  \""},
      {"taken", "eve"},
      {"with_newline", "\"a\nb\""},
      {"with_null", "a\0b"s},
      {"with_escape", "a\x1B[2Jb"},
      {"with_delete", "a\x7F"},
      {"lone_continuation", "a\x80"s},
      {"overlong", "\xC0\xAF"s},
      {"overlong_three", "\xE0\x80\xAF"s},
      {"surrogate", "\xED\xA0\x80"s},
      {"cut_sequence", "abc\xE2\x82"s},
      {"beyond_unicode", "\xF4\x90\x80\x80"s},
      {"five_bytes", "\xF8\x88\x80\x80\x80"s},
      {"latin1", "M\xFCller"s},
      {"longer_than_stored", std::string(5000, 'n')},
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    files.add(fmt::format("name_{}.csv", names[i].first), with_cell(0, i % 4, names[i].second));
  }
  files.add("name_taken.tsv", with_cell(0, 1, "eve", '\t'));
}

void add_broken_lines(MalformedFiles& files) {
  const std::string good = text_of(good_table());
  for (const std::size_t row : {1U, 2U, 5U, 8U}) {
    Table blank = good_table();
    blank.insert(blank.begin() + static_cast<std::ptrdiff_t>(row), {""});
    files.add(fmt::format("blank_line_before_row_{}.csv", row), text_of(blank));
    files.add(fmt::format("open_quote_in_row_{}.csv", row), with_cell(row, 2, "\"1"));
  }
  files.add("open_quote_in_names.csv", with_cell(0, 4, "\"eve"));
  files.add("open_quote_at_the_end.csv", good + "\"");
  files.add("open_quote_in_rest.csv", good + "0,1,0,1,\"" + std::string(2000000, '1'));
  files.add("blank_line_of_carriage_return.csv", "a,b\n1,0\n \r\n0,1\n");
}

void add_too_little(MalformedFiles& files) {
  const std::vector<std::pair<std::string, std::string>> contents{
      {"empty", ""},
      {"a_line_end", "\n"},
      {"line_ends", "\n\n\r\n\n"},
      {"blanks", "   \n  \n"},
      {"a_byte_order_mark", "\xEF\xBB\xBF"s},
      {"names_alone", "a,b,c\n"},
      {"names_and_blank_lines", "a,b,c\n\n\n"},
      {"one_column", "1\n0\n1\n"},
      {"one_named_column", "a\n0\n1\n"},
      {"a_null", "\0"s},
      {"nulls", std::string(4096, '\0')},
  };
  for (const auto& [name, content] : contents) files.add(fmt::format("{}.csv", name), content);
  files.add("empty.tsv", "\t");
}

void add_other_formats(MalformedFiles& files) {
  const std::string good = text_of(good_table());
  std::string utf16_little = "\xFF\xFE"s;
  std::string utf16_big = "\xFE\xFF"s;
  for (const char c : good) {
    utf16_little += {c, '\0'};
    utf16_big += {'\0', c};
  }
  files.add("utf16_little.csv", utf16_little);
  files.add("utf16_big.csv", utf16_big);
  files.add("utf16_without_mark.csv", utf16_big.substr(2));
  files.add("zip.csv", "PK\x03\x04\x14\0\0\0\x08\0"s + good);
  files.add("hdf5.csv", "\x89HDF\r\n\x1a\n"s + good);
  files.add("json.csv", R"({"a": [1, 0], "b": [0, 1]})");
  files.add("html.csv", "<!DOCTYPE html>\n<html><body>404, not found</body></html>\n");
  files.add("pdf.csv", "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n"s);
  files.add("git_lfs_pointer.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
}

void add_broken_streams(MalformedFiles& files) {
  std::string long_text;
  for (int i = 0; i < 200; ++i) long_text += text_of(good_table()).substr(20);
  const std::string stream = compressed(long_text);
  for (const std::size_t length :
       {11UL, 20UL, stream.size() / 2, stream.size() - 8, stream.size() - 1}) {
    files.add(fmt::format("cut_at_{}.csv.gz", length), stream.substr(0, length));
  }
  const auto damaged = [&](std::size_t position) {
    std::string bytes = stream;
    bytes[position] = static_cast<char>(~bytes[position]);
    files.add(fmt::format("damaged_at_{}.csv.gz", position), bytes);
  };
  damaged(2);                  // method
  damaged(3);                  // flags
  damaged(10);                 // first block
  damaged(stream.size() / 2);  // values
  damaged(stream.size() - 6);  // checksum
  damaged(stream.size() - 2);  // length
  files.add("odd_cell.csv.gz", compressed(with_cell(3, 3, "x")));
  files.add("compressed_twice.csv.gz", compressed(compressed(long_text)));
}

}  // namespace

void add_malformed_csv(MalformedFiles& files) {
  add_ragged_rows(files);
  add_odd_cells(files);
  add_odd_names(files);
  add_broken_lines(files);
  add_too_little(files);
  add_other_formats(files);
  add_broken_streams(files);
}

void add_malformed_rows(MalformedFiles& files) {
  const std::string good = "01011\n11010\n00111\n10100\n";
  for (const std::size_t at : {0U, 4U, 8U, 13U, 22U}) {
    std::string missing_cell = good;
    missing_cell.erase(at, 1);
    files.add(fmt::format("short_at_{}.rows", at), missing_cell);
    std::string odd = good;
    odd[at] = "2ax-\xFF"[at % 5];
    files.add(fmt::format("odd_at_{}.rows", at), odd);
    std::string null = good;
    null[at] = '\0';
    files.add(fmt::format("null_at_{}.rows", at), null);
    std::string longer = good;
    longer.insert(at, 1, '1');
    files.add(fmt::format("long_at_{}.rows", at), longer);
  }
  files.add("blank_line.rows", "01011\n\n11010\n");
  files.add("empty.rows", "");
  files.add("line_ends.rows", "\n\n");
  files.add("one_column.rows", "0\n1\n0\n");
  files.add("column_all_missing.rows", "0?0\n1?1\n");
  files.add("delimited.rows", "0,1,0\n1,1,0\n");
}

}  // namespace orrery::fuzz
