// Tables of numbers: what makes a cell, a row or an array unusable that bits do not know.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;

constexpr std::size_t number_rows = 6;
constexpr std::size_t number_columns = 4;

double good_value(std::size_t row, std::size_t column) {
  return static_cast<double>(row * 10 + column) / 4 - 3;
}

std::string table_with(std::size_t row, std::size_t column, const std::string& cell,
                       char delimiter = ',') {
  std::string text;
  for (std::size_t r = 0; r <= number_rows; ++r) {
    for (std::size_t c = 0; c < number_columns; ++c) {
      const std::string good =
          r == 0 ? fmt::format("name{}", c) : fmt::format("{}", good_value(r, c));
      text += r == row && c == column ? cell : good;
      text += c + 1 < number_columns ? delimiter : '\n';
    }
  }
  return text;
}

void add_number_cells(MalformedFiles& files) {
  const std::vector<std::string> cells{"x",
                                       "1.5x",
                                       "1,5",
                                       "\"1,5\"",
                                       "1.5.5",
                                       "--1",
                                       "+-1",
                                       "-+1",
                                       "++1",
                                       "- 1",
                                       "1 000",
                                       "1_000",
                                       "0x1p3",
                                       "0x10",
                                       "1e",
                                       "1e+",
                                       "1e5.5",
                                       "e5",
                                       "1.2.",
                                       "..",
                                       "+",
                                       "-",
                                       "inf",
                                       "-inf",
                                       "+inf",
                                       "INF",
                                       "infinity",
                                       "-Infinity",
                                       "1e309",
                                       "-1e309",
                                       "1e99999",
                                       "1e-400",
                                       "-1e-9999",
                                       "true",
                                       "yes",
                                       "$5",
                                       "5%",
                                       "1/2",
                                       "(5)",
                                       "1\"5",
                                       "\"1\n5\"",
                                       "\"\"\"1\"\"\"",
                                       "#N/A",
                                       "none",
                                       "NaNN",
                                       "na n",
                                       "\xE2\x88\x92"
                                       "5",
                                       "\xD9\xA1",
                                       "1\0"s,
                                       "\0"s,
                                       "\x01",
                                       "\xFF",
                                       "\xEF\xBB\xBF"
                                       "5",
                                       "1\r5",
                                       "2024-01-01",
                                       "12:30",
                                       std::string(400, '9'),
                                       "0." + std::string(400, '0') + "1",
                                       std::string(70000, '1'),
                                       "-" + std::string(310, '9')};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::size_t row = 2 + i % (number_rows - 1);
    files.add(fmt::format("cell_{}.csv", i), table_with(row, i % number_columns, cells[i]));
    if (i < 8) {
      files.add(fmt::format("cell_{}.tsv", i), table_with(row, i % number_columns, cells[i], '\t'));
    }
  }
}

void add_number_rows(MalformedFiles& files) {
  const std::string good = table_with(0, 0, "name0");
  files.add("row_too_short.csv", good + "1.5,2,3\n");
  files.add("row_too_long.csv", good + "1.5,2,3,4,5\n");
  files.add("trailing_comma.csv", good + "1.5,2,3,4,\n");
  files.add("blank_line.csv", good + "\n1,2,3,4\n");
  files.add("cut_in_a_row.csv", good.substr(0, good.size() - 9));
  files.add("open_quote.csv", good + "\"1.5,2,3,4\n");
  files.add("names_alone.csv", good.substr(0, good.find('\n') + 1));
  files.add("name_taken.csv", table_with(0, 2, "name1"));
  files.add("a_number_among_names.csv", table_with(0, 2, "2024"));
  files.add("a_missing_name.csv", table_with(0, 1, ""));
  files.add("units_below_the_names.csv", "a,b\nkg,m\n1,2\n");
  files.add("one_column.csv", "1.5\n2.5\n");
  files.add("semicolons.csv", "1,5;2,5\n1,5;3,5;4,5\n");
  files.add("blanks.txt", "1.5 2.5\n3.5 4.5 1\n");
  files.add("no_value_in_a_column.csv", "a,b\n1.5,NA\n2.5,?\n");
  files.add("empty.csv", "");
  files.add("rows_of_bits.txt", "0101\n1101\n");
  files.add("matrix.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n");
  files.add("cut.csv.gz", compressed(good).substr(0, 60));
}

template <class T>
std::string bytes_of(T value, bool is_big_endian) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof(T));
  if (is_big_endian) std::reverse(raw.begin(), raw.end());
  return {raw.data(), raw.size()};
}

std::string array(const std::string& dtype, const std::string& order, const std::string& shape,
                  const std::string& values) {
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", dtype, order, shape);
  header.resize(117, ' ');
  return "\x93NUMPY\x01\0"s + static_cast<char>(118) + '\0' + header + '\n' + values;
}

template <class T>
void add_values(MalformedFiles& files, const std::string& kind) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (const char order : {'<', '>'}) {
    for (const auto& [name, odd] : std::vector<std::pair<std::string, T>>{
             {"nan", nan}, {"inf", infinity}, {"-inf", -infinity}}) {
      std::string values;
      for (int i = 0; i < 12; ++i) {
        values += bytes_of(i == 7 ? odd : static_cast<T>(i), order == '>');
      }
      for (const std::string layout : {"False", "True"}) {
        files.add(
            fmt::format("{}_{}_{}_{}.npy", name, kind, order == '<' ? "little" : "big", layout),
            array(order + kind, layout, "(3, 4)", values));
      }
    }
  }
}

void add_arrays(MalformedFiles& files) {
  add_values<float>(files, "f4");
  add_values<double>(files, "f8");
  const std::string values(96, '\0');
  const std::vector<std::string> dtypes{"<f2",  "<f16", "<c16", "|S8", "<U2",    "|O",   "|V8",
                                        "<M8",  "<i3",  "<f6",  "f",   "8",      "<<f8", "<f8 ",
                                        "<f80", "<b8",  "",     "<",   "float64"};
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    files.add(fmt::format("dtype_{}.npy", i), array(dtypes[i], "False", "(3, 4)", values));
  }
  for (const std::string shape :
       {"(12,)", "(3, 2, 2)", "(3, 5)", "(2, 4)", "(12, 1)", "(0, 4)", "(3, 0)",
        "(2305843009213693952, 4)", "(4, 2305843009213693955)"}) {
    files.add(fmt::format("shape_{}.npy", files.size()), array("<f8", "False", shape, values));
  }
  for (const std::size_t n : {0U, 1U, 8U, 88U, 95U}) {
    files.add(fmt::format("only_{}_bytes.npy", n),
              array("<f8", "True", "(3, 4)", values.substr(0, n)));
  }
  files.add("bytes_more.npy", array("<i4", "False", "(3, 4)", values));
  files.add("compressed.npy.gz", compressed(array("<f8", "False", "(3, 4)", values)));
}

}  // namespace

void add_malformed_numbers(MalformedFiles& files) {
  add_number_cells(files);
  add_number_rows(files);
  add_arrays(files);
}

}  // namespace orrery::fuzz
