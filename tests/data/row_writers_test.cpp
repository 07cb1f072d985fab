// Rows as CSV and NPY, byte by byte.
#include "data/row_writers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace orrery::data {
namespace {

BitColumns bits_of(const std::vector<std::string>& rows, char one) {
  BitColumns bits(rows.front().size(), rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] == one) bits.set(r, c);
    }
  }
  return bits;
}

std::string csv_of(const std::vector<std::string>& names, const std::vector<std::string>& rows) {
  std::string text;
  CsvRows csv(names, [&](std::string_view piece) { text += piece; });
  const BitColumns missing = bits_of(rows, '?');
  csv.append(bits_of(rows, '1'), &missing);
  csv.finish();
  return text;
}

TEST(CsvRows, a_missing_value_is_an_empty_field_and_never_a_blank_line) {
  EXPECT_EQ(csv_of({"a", "b"}, {"10", "?1", "??"}), "a,b\n1,0\n,1\n,\n");
  EXPECT_EQ(csv_of({"a"}, {"1", "?"}), "a\n1\n\"\"\n");
}

TEST(CsvRows, names_of_rows_are_a_first_column_without_a_name) {
  RowNames names;
  for (const char* name : {"ann", "b,c", "dan"}) names.add(name);
  std::string text;
  CsvRows csv(
      {"x"}, [&](std::string_view piece) { text += piece; }, names);
  const std::vector<double> values = {1.5, 2, 3};
  csv.append(values.data(), 2);
  csv.append(values.data() + 2, 1);
  csv.finish();
  EXPECT_EQ(text, ",x\nann,1.5\n\"b,c\",2\ndan,3\n");
}

TEST(CsvRows, quotes_what_would_be_misread) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("a\nb"), "\"a\nb\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("end "), "\"end \"");
}

TEST(CsvRows, pieces_join_to_the_same_text) {
  const std::vector<std::string> row = {std::string(1000, '1')};
  std::vector<std::string> names(1000);
  for (std::size_t c = 0; c < names.size(); ++c) names[c] = fmt::format("x{}", c);
  std::string text;
  int n_pieces = 0;
  CsvRows csv(names, [&](std::string_view piece) {
    text += piece;
    ++n_pieces;
  });
  for (int i = 0; i < 600; ++i) csv.append(bits_of(row, '1'), nullptr);
  csv.finish();
  EXPECT_EQ(n_pieces, 2);  // 1.2 MB
  const std::size_t header = text.find('\n') + 1;
  EXPECT_EQ(text.size(), header + 600 * 2000);
  EXPECT_EQ(text.find('0', header), std::string::npos);
}

TEST(NpyRows, header_is_aligned_and_values_follow) {
  std::string file;
  NpyRows npy(NpyRows::Item::bit, 2, 3, [&](std::string_view piece) { file += piece; });
  EXPECT_EQ(file.size() % 64, 0U);
  EXPECT_EQ(file.back(), '\n');
  EXPECT_NE(file.find("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }"),
            std::string::npos);
  const std::size_t header = file.size();
  npy.append(bits_of({"101", "010"}, '1'));
  EXPECT_EQ(file.substr(header), std::string("\1\0\1\0\1\0", 6));
}

TEST(NpyRows, a_missing_bit_is_minus_one) {
  std::string file;
  NpyRows npy(NpyRows::Item::bit_or_missing, 2, 2, [&](std::string_view piece) { file += piece; });
  EXPECT_NE(file.find("{'descr': '|i1'"), std::string::npos);
  const BitColumns missing = bits_of({"1?", "?0"}, '?');
  npy.append(bits_of({"1?", "?0"}, '1'), &missing);
  EXPECT_EQ(file.substr(file.size() - 4), std::string("\1\xFF\xFF\0", 4));
}

TEST(NpyRows, numbers_are_their_bytes) {
  std::string file;
  NpyRows npy(NpyRows::Item::number, 1, 2, [&](std::string_view piece) { file += piece; });
  const std::vector<double> row = {-0.5, std::numeric_limits<double>::quiet_NaN()};
  npy.append(row.data(), 1);
  EXPECT_EQ(std::memcmp(file.data() + file.size() - 16, row.data(), 16), 0);
}

TEST(PlainHeader, names_that_import_would_take_for_values) {
  EXPECT_TRUE(is_plain_header({"yes", "fever"}, RowKind::bits));
  EXPECT_FALSE(is_plain_header({"yes", "no"}, RowKind::bits));
  EXPECT_TRUE(is_plain_header({"height", "weight"}, RowKind::numbers));
  EXPECT_FALSE(is_plain_header({"height", "2001"}, RowKind::numbers));
  EXPECT_TRUE(is_plain_header({"1", "2"}, RowKind::categories));
  EXPECT_TRUE(reads_as_missing("NA"));
  EXPECT_FALSE(reads_as_missing("no"));
}

}  // namespace
}  // namespace orrery::data
