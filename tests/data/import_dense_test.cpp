// Tables of numbers: CSV, TSV and NPY into rows of doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "data/import_tables.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

using Names = std::vector<std::string>;

struct ImportedDense {
  DenseImportSummary summary;
  NumberTable rows;
};

ImportedDense import_numbers(const std::filesystem::path& path, const ImportOptions& options = {}) {
  DenseRows sink;
  ImportedDense result{import_dense(path, options, sink), {}};
  EXPECT_EQ(result.summary.names, sink.names);
  EXPECT_EQ(result.summary.n_samples, sink.rows.size());
  result.rows = std::move(sink.rows);
  return result;
}

ImportedDense import_numbers(const std::string& name, std::string_view content,
                             const ImportOptions& options = {}) {
  const ScratchFolder folder;
  return import_numbers(folder.write(name, content), options);
}

template <class E = InputError>
std::string numbers_error(const std::string& name, std::string_view content,
                          const ImportOptions& options = {}) {
  const ScratchFolder folder;
  try {
    import_numbers(folder.write(name, content), options);
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << content << ": imported without the error that was expected";
  return {};
}

TEST(ImportDense, reads_every_way_to_write_a_number) {
  const ImportedDense imported = import_numbers(
      "t.csv",
      "0,1\n-2.5,+3\n1e3,1.5E-3\n.5,7.\n -0.25 ,\t12\n\"4.5\",-1e-300\n4.9e-324,1.7e308\n");
  const NumberTable expected = {{0, 1},      {-2.5, 3},      {1000, 0.0015},     {0.5, 7},
                                {-0.25, 12}, {4.5, -1e-300}, {4.9e-324, 1.7e308}};
  EXPECT_EQ(imported.rows, expected);
  EXPECT_EQ(imported.summary.names, (Names{"x0", "x1"}));
  EXPECT_EQ(imported.summary.format, Format::csv);
  EXPECT_EQ(imported.summary.n_missing, 0U);
}

TEST(ImportDense, numbers_come_back_to_the_last_bit) {
  std::string text;
  NumberTable expected;
  std::uint64_t state = 12345;
  for (int i = 0; i < 2000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    double value = 0;
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    text += std::string(digits) + "\t0\n";
    expected.push_back({value, 0});
  }
  EXPECT_EQ(import_numbers("t.tsv", text).rows, expected);
}

TEST(ImportDense, missing_words_and_tokens_become_nan) {
  ImportOptions options;
  options.missing_tokens = {"-999", "inf", "0", "1e-400", " gone "};
  const ImportedDense imported = import_numbers(
      "t.csv",
      "a,b,c\n?,1,NA\nN/A,2,NaN\nnull,3,.\n-nan,4,\n-999,5,inf\n-9.99e2,6,0.0\n1e-400,7,gone\n"
      "7,-99,7\n",
      options);
  EXPECT_TRUE(same(imported.rows, {{no_value, 1, no_value},
                                   {no_value, 2, no_value},
                                   {no_value, 3, no_value},
                                   {no_value, 4, no_value},
                                   {no_value, 5, no_value},
                                   {no_value, 6, no_value},
                                   {no_value, 7, no_value},
                                   {7, -99, 7}}));
  EXPECT_EQ(imported.summary.n_missing, 14U);
  EXPECT_EQ(imported.summary.missing, (std::vector<std::uint64_t>{7, 0, 7}));
}

TEST(ImportDense, a_header_has_no_cell_that_is_a_number_or_missing) {
  EXPECT_EQ(import_numbers("t.csv", "a,b\n1,2\n").summary.names, (Names{"a", "b"}));
  EXPECT_EQ(import_numbers("t.csv", "3,4\n1,2\n").rows.size(), 2U);
  EXPECT_EQ(import_numbers("t.csv", "3,NA\n1,2\n").rows.size(), 2U);
  expect_parts(numbers_error("t.csv", "a,2000\n1,2\n"),
               {"row 1 (line 1)", "column 1 ('x0')", "'a' is not a number", "--header yes"});
  EXPECT_EQ(numbers_error("t.csv", "1,2\na,3\n").find("--header"), std::string::npos);
  ImportOptions options;
  options.header = Header::yes;
  EXPECT_EQ(import_numbers("t.csv", "a,2000\n1,2\n", options).summary.names, (Names{"a", "2000"}));
  options.header = Header::no;
  const std::string error = numbers_error("t.csv", "a,b\n1,2\n", options);
  expect_parts(error, {"row 1 (line 1)", "'a' is not a number"});
  EXPECT_EQ(error.find("--header"), std::string::npos);
}

TEST(ImportDense, quotes_gzip_and_dropped_columns_are_as_for_bits) {
  ImportOptions options;
  options.drop_columns = {"the \"id\""};
  const std::string text = "\"the \"\"id\"\"\",\"a,b\",c\n\"two\nlines\",\"1.5\",2\nx,3,4\r\n\n";
  const ImportedDense imported = import_numbers("t.csv", text, options);
  EXPECT_EQ(imported.summary.names, (Names{"a,b", "c"}));
  EXPECT_EQ(imported.rows, (NumberTable{{1.5, 2}, {3, 4}}));
  const ScratchFolder folder;
  EXPECT_EQ(import_numbers(folder.write_gzip("t.csv.gz", text), options).rows, imported.rows);
}

TEST(ImportDense, names_the_place_and_what_is_wrong) {
  expect_parts(numbers_error("t.csv", "a,b\n1,2\n3,4x\n"),
               {"t.csv", "row 2 (line 3)", "column 2 ('b')", "'4x' is not a number",
                "--missing '4x'", "--drop 'b'"});
  for (const char* wrong :
       {"1,5e", "--1", "+-1", "0x10", "1 2", "1_000", "true", "1e+", "+", "-"}) {
    expect_parts(numbers_error("t.tsv", "a\tb\n1\t" + std::string(wrong) + "\n"),
                 {"row 1 (line 2)", "is not a number"});
  }
  for (const char* wrong : {"inf", "-Infinity", "+inf"}) {
    expect_parts(numbers_error("t.csv", "a,b\n1," + std::string(wrong) + "\n"),
                 {"is infinite", "--missing"});
  }
  for (const char* wrong : {"1e309", "-1e400", "1e-400"}) {
    expect_parts(numbers_error("t.csv", "a,b\n1," + std::string(wrong) + "\n"),
                 {wrong, "beyond what a double holds", "scale"});
  }
}

TEST(ImportDense, refuses_tables_as_import_of_bits_does) {
  expect_parts(numbers_error("t.csv", ""), {"empty"});
  expect_parts(numbers_error("t.csv", "a,b\n"), {"no rows"});
  expect_parts(numbers_error("t.csv", "a\n1.5\n"), {"one column"});
  expect_parts(numbers_error("t.csv", "a,b\n1,2\n1\n"),
               {"row 2 (line 3)", "has 1 columns", "has 2"});
  expect_parts(numbers_error("t.csv", "a,b\n1,2,3,4\n"), {"has 4 columns"});
  expect_parts(numbers_error("t.csv", "a,b\n1,2\n\n3,4\n"), {"line 3 is blank"});
  expect_parts(numbers_error("t.csv", "a,b\n1,?\n2,?\n"), {"column 'b'", "no value", "--drop 'b'"});
  expect_parts(numbers_error("t.csv", "a,a\n1,2\n"), {"same name 'a'"});
  expect_parts(numbers_error("t.txt", "1.5#2.5\n"), {"not recognised", "csv|tsv|mtx|npy"});
  expect_parts(numbers_error("t.txt", "0101\n"), {"not recognised"});
  expect_parts(numbers_error("t.rows", "0101\n"), {"rows", "--numeric"});
  ImportOptions options;
  options.format = Format::rows;
  expect_parts(numbers_error<UsageError>("t.csv", "1,2\n", options),
               {"--format rows", "csv, tsv, mtx and npy"});
}

TEST(ImportDense, rows_come_in_full_blocks) {
  ASSERT_EQ(dense_block_rows(2), 16384U);
  for (const std::size_t n_rows : {16383U, 16384U, 16385U, 40000U}) {
    std::string text;
    NumberTable expected;
    for (std::size_t i = 0; i < n_rows; ++i) {
      expected.push_back({static_cast<double>(i), -0.5 * static_cast<double>(i)});
      text += std::to_string(i) + "," + std::to_string(expected.back()[1]) + "\n";
    }
    EXPECT_EQ(import_numbers("t.csv", text).rows, expected) << n_rows;
  }
}

/// An array as numpy writes it, of the type and byte order that `dtype` says.
template <class T>
std::string array_of(const std::vector<std::vector<T>>& rows, const std::string& dtype,
                     bool fortran_order) {
  const std::size_t n_columns = rows[0].size();
  std::string values(rows.size() * n_columns * sizeof(T), '\0');
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      char raw[sizeof(T)];
      std::memcpy(raw, &rows[r][c], sizeof(T));
      if (dtype[0] == '>') std::reverse(raw, raw + sizeof(T));
      const std::size_t at = fortran_order ? c * rows.size() + r : r * n_columns + c;
      std::memcpy(values.data() + at * sizeof(T), raw, sizeof(T));
    }
  }
  return npy_file("{'descr': '" + dtype +
                      "', 'fortran_order': " + (fortran_order ? "True" : "False") + ", 'shape': (" +
                      std::to_string(rows.size()) + ", " + std::to_string(n_columns) + "), }",
                  values);
}

template <class T>
class ImportDenseNpy : public ::testing::Test {};
using NumberTypes =
    ::testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                     std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(ImportDenseNpy, NumberTypes);

TYPED_TEST(ImportDenseNpy, reads_the_type_in_any_byte_order_and_layout) {
  using T = TypeParam;
  const std::vector<std::vector<T>> values = {
      {std::numeric_limits<T>::lowest(), T{1}, T{2}},
      {std::numeric_limits<T>::max(), T{100}, static_cast<T>(T{7} / T{2})}};
  NumberTable expected;
  for (const auto& row : values) expected.emplace_back(row.begin(), row.end());
  std::string kind(1, std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u');
  kind += static_cast<char>('0' + sizeof(T));
  for (const char* order : {"<", ">", "="}) {
    for (const bool fortran_order : {false, true}) {
      EXPECT_EQ(import_numbers("t.npy", array_of(values, order + kind, fortran_order)).rows,
                expected)
          << order << kind << fortran_order;
    }
  }
}

NumberTable many_rows(std::size_t n_rows, std::size_t n_columns) {
  NumberTable rows(n_rows, std::vector<double>(n_columns));
  for (std::size_t r = 0; r < n_rows; ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      rows[r][c] = std::sin(static_cast<double>(r * n_columns + c));
    }
  }
  return rows;
}

TEST(ImportDenseMtx, entries_in_any_order_become_rows_of_numbers) {
  const std::string content =
      "%%MatrixMarket matrix coordinate real general\n3 2 3\n3 2 -1.5\n1 2 7\n3 1 1e3\n";
  EXPECT_EQ(import_numbers("t.mtx", content).rows, (NumberTable{{0, 7}, {0, 0}, {1000, -1.5}}));
}

TEST(ImportDenseNpyArray, reads_arrays_of_many_blocks_and_drops_columns) {
  NumberTable rows = many_rows(40'000, 5);
  const ScratchFolder folder;
  const auto c_order = folder.write("c.npy", array_of(rows, "<f8", false));
  const auto fortran = folder.write("f.npy", array_of(rows, ">f8", true));
  EXPECT_EQ(import_numbers(c_order).rows, rows);
  EXPECT_EQ(import_numbers(fortran).rows, rows);
  ImportOptions options;
  options.drop_columns = {"x0", "x3"};
  for (auto& row : rows) row = {row[1], row[2], row[4]};
  EXPECT_EQ(import_numbers(c_order, options).rows, rows);
  EXPECT_EQ(import_numbers(fortran, options).rows, rows);
}

TEST(ImportDenseNpyArray, bool_is_0_and_1) {
  EXPECT_EQ(import_numbers("t.npy", array_of<std::uint8_t>({{0, 1}, {1, 1}}, "|b1", false)).rows,
            (NumberTable{{0, 1}, {1, 1}}));
}

TEST(ImportDenseNpyArray, a_nan_is_missing_only_if_the_user_says_so) {
  for (const bool fortran_order : {false, true}) {
    const std::string file =
        array_of<double>({{1, 2}, {no_value, -999}, {3, 4}}, "<f8", fortran_order);
    expect_parts(numbers_error("t.npy", file),
                 {"t.npy", "row 2", "column 1 ('x0')", "nan is not a number", "--missing nan"});
    ImportOptions options;
    options.missing_tokens = {"NaN", "-999"};
    const ImportedDense imported = import_numbers("t.npy", file, options);
    EXPECT_TRUE(same(imported.rows, {{1, 2}, {no_value, no_value}, {3, 4}}));
    EXPECT_EQ(imported.summary.missing, (std::vector<std::uint64_t>{1, 1}));
  }
  const double infinite = std::numeric_limits<double>::infinity();
  const std::string file = array_of<double>({{1, 2}, {3, -infinite}}, "<f8", false);
  expect_parts(numbers_error("t.npy", file),
               {"row 2", "column 2 ('x1')", "-inf", "--missing -inf"});
  ImportOptions options;
  options.missing_tokens = {"-inf"};
  EXPECT_TRUE(same(import_numbers("t.npy", file, options).rows, {{1, 2}, {3, no_value}}));
}

TEST(ImportDenseNpyArray, refuses_what_it_cannot_read) {
  const auto with = [](const std::string& descr) {
    return npy_file("{'descr': " + descr + ", 'fortran_order': False, 'shape': (2, 3), }",
                    std::string(48, '\0'));
  };
  for (const char* descr : {"'<f2'", "'<c16'", "'|O'", "'<i3'", "'f'", "'<f16'", "'|S8'"}) {
    expect_parts(numbers_error("t.npy", with(descr)), {"dtype", ".astype('float64')"});
  }
  expect_parts(numbers_error("t.npy", with("[('a', '<f8')]")), {"structured", "float64"});
  const std::string whole = array_of<double>({{1, 2}, {3, 4}}, "<f8", false);
  for (const std::size_t n : {1U, 8U, 31U}) {
    expect_parts(numbers_error("t.npy", whole.substr(0, whole.size() - n)), {"truncated", "2 x 2"});
  }
  expect_parts(numbers_error("t.npy", whole + "xyz"), {"3 bytes follow", "2 x 2"});
  const std::string huge = npy_file(
      "{'descr': '<f8', 'fortran_order': False, 'shape': (2305843009213693953, 2), }", "ab");
  expect_parts(numbers_error("t.npy", huge), {"truncated", "2 bytes"});
  ImportOptions options;
  options.missing_tokens = {"NA"};
  expect_parts(numbers_error<UsageError>("t.npy", whole, options), {"--missing 'NA'", "nan"});
  options = {};
  options.header = Header::yes;
  expect_parts(numbers_error<UsageError>("t.npy", whole, options), {"--header yes"});
}

TEST(ImportDenseNpyArray, bits_of_an_array_of_numbers_are_told_of_numeric) {
  const std::string file = array_of<double>({{1, 2}, {3, 4}}, "<f8", false);
  expect_parts(message_of("t.npy", file), {"2 is neither", "--threshold", "--numeric"});
  expect_parts(message_of("t.csv", "a,b\n0,2.5\n"), {"'2.5' is not binary", "--numeric"});
}

}  // namespace
}  // namespace orrery::data::testing
