// NPY arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

std::string dictionary(const std::string& dtype, const std::string& order,
                       const std::string& shape) {
  return "{'descr': " + dtype + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

TEST(ImportNpy, reads_every_dtype_version_and_order) {
  const Table table = random_table(77, 70);
  for (const char* dtype : {"|b1", "|u1", "|i1", "<u1", "<i1", "<b1"}) {
    for (const int version : {1, 2, 3}) {
      for (const bool fortran_order : {false, true}) {
        EXPECT_EQ(import_content("t.npy", as_npy(table, dtype, fortran_order, version)).table,
                  table)
            << dtype << version << fortran_order;
      }
    }
  }
}

TEST(ImportNpy, reads_the_dictionary_in_any_order_and_layout) {
  for (const char* header :
       {"{'shape':(2,3),'descr':'|u1','fortran_order':False}",
        "{ \"fortran_order\" : False , \"shape\" : ( 2L , 3L ) , \"descr\" : \"|u1\" , }"}) {
    EXPECT_EQ(import_content("t.npy", npy_file(header, std::string("\0\1\0\1\0\1", 6))).table,
              (Table{"010", "101"}))
        << header;
  }
}

TEST(ImportNpy, reads_arrays_of_many_reads) {
  const Table table = random_table(30'000, 101, true);  // 3 MB
  ImportOptions options;
  options.missing_tokens = {"255"};
  EXPECT_EQ(import_content("c.npy", as_npy(table, "|u1", false), options).table, table);
  EXPECT_EQ(import_content("f.npy", as_npy(table, "|u1", true), options).table, table);
}

TEST(ImportNpy, refuses_other_dtypes_and_shapes_with_a_remedy) {
  const std::string values(48, '\0');
  for (const char* dtype : {"'<f2'", "'<c8'", "'|O'", "'<M8[ns]'", "'|S1'", "'<U3'", "''"}) {
    expect_parts(message_of("t.npy", npy_file(dictionary(dtype, "False", "(2, 3)"), values)),
                 {"t.npy", "dtype", ".astype('float64')"});
  }
  expect_parts(
      message_of("t.npy", npy_file(dictionary("[('a', '|u1')]", "False", "(2, 3)"), values)),
      {"structured", ".astype('float64')"});
  for (const char* shape : {"()", "(6,)", "(1, 2, 3)"}) {
    expect_parts(message_of("t.npy", npy_file(dictionary("'|u1'", "False", shape), values)),
                 {"dimensions", "reshape"});
  }
}

TEST(ImportNpy, names_the_place_and_the_value_that_is_not_binary) {
  std::string values(60, '\1');
  values[43] = '\xFE';
  const auto message = [&](const std::string& dtype, const std::string& order) {
    return message_of("t.npy", npy_file(dictionary(dtype, order, "(4, 15)"), values));
  };
  expect_parts(message("'|u1'", "False"),
               {"row 3", "column 14 ('x13')", "254 is neither", "--missing 254", "--threshold"});
  expect_parts(message("'|u1'", "True"), {"row 4", "column 11 ('x10')", "254 is neither"});
  expect_parts(message("'|i1'", "False"), {"row 3", "-2 is neither", "--missing -2"});
}

/// Values of a type, in either byte order.
template <class T>
std::string bytes_of(const std::vector<T>& values, bool is_big_endian) {
  std::string bytes;
  for (const T& value : values) {
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (is_big_endian) std::reverse(raw.begin(), raw.end());
    bytes += raw;
  }
  return bytes;
}

template <class T>
class ImportNpyOf : public ::testing::Test {};
using BitTypes =
    ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                     std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(ImportNpyOf, BitTypes);

TYPED_TEST(ImportNpyOf, bits_are_read_from_numbers_of_the_type) {
  const std::string kind = std::is_floating_point_v<TypeParam> ? "f"
                           : std::is_signed_v<TypeParam>       ? "i"
                                                               : "u";
  const auto file = [&](const std::vector<TypeParam>& values, char order, bool fortran) {
    const std::string dtype =
        std::string("'") + order + kind + std::to_string(sizeof(TypeParam)) + "'";
    return npy_file(dictionary(dtype, fortran ? "True" : "False", "(2, 3)"),
                    bytes_of(values, order == '>'));
  };
  for (const char order : {'<', '>'}) {
    EXPECT_EQ(import_content("t.npy", file({0, 1, 0, 1, 0, 1}, order, false)).table,
              (Table{"010", "101"}));
    EXPECT_EQ(import_content("t.npy", file({0, 1, 1, 0, 0, 1}, order, true)).table,
              (Table{"010", "101"}));
    const std::string other = file({0, 7, 3, 1, 100, 9}, order, false);
    expect_parts(message_of("t.npy", other), {"row 1, column 2 ('x1')", "7 is neither"});
    ImportOptions options;
    options.missing_tokens = {"9"};
    options.threshold = 3;
    EXPECT_EQ(import_content("t.npy", other, options).table, (Table{"010", "01?"}));
    options.threshold.reset();
    options.on_tokens = {"100", "3"};
    options.off_tokens = {"7"};
    EXPECT_EQ(import_content("t.npy", other, options).table, (Table{"001", "11?"}));
  }
}

TEST(ImportNpy, a_nan_is_missing_in_bits_if_the_user_says_so) {
  const std::string file =
      npy_file(dictionary("'<f8'", "False", "(2, 2)"),
               bytes_of<double>({0, 1, std::numeric_limits<double>::quiet_NaN(), 0}, false));
  expect_parts(message_of("t.npy", file), {"row 2, column 1", "nan is not a number"});
  ImportOptions options;
  options.missing_tokens = {"nan"};
  EXPECT_EQ(import_content("t.npy", file, options).table, (Table{"01", "?0"}));
}

TEST(ImportNpy, a_dropped_column_may_hold_anything) {
  ImportOptions options;
  options.drop_columns = {"x1"};
  const std::string values("\0\7\1\1\5\1", 6);
  EXPECT_EQ(
      import_content("t.npy", npy_file(dictionary("'|u1'", "False", "(2, 3)"), values), options)
          .table,
      (Table{"01", "11"}));
}

TEST(ImportNpy, refuses_a_truncated_array_at_every_length) {
  const std::string whole = as_npy(random_table(3, 4), "|u1", false);
  for (std::size_t n = 1; n < whole.size(); ++n) {
    ImportOptions options;
    options.format = Format::npy;
    const std::string message = message_of("t.npy", whole.substr(0, n), options);
    expect_parts(message, {"t.npy", n < 12 ? "not an NPY file" : "truncated"});
  }
}

TEST(ImportNpy, refuses_bytes_after_the_array) {
  expect_parts(message_of("t.npy", as_npy(random_table(3, 4), "|u1", false) + "xy"),
               {"2 bytes follow", "one array a file"});
}

TEST(ImportNpy, refuses_sizes_that_overflow) {
  for (const char* shape : {"(4294967296, 4194304)", "(18446744073709551615, 2)"}) {
    expect_parts(message_of("t.npy", npy_file(dictionary("'|u1'", "False", shape), "ab")),
                 {"truncated", "2 bytes"});
  }
  expect_parts(message_of("t.npy", npy_file(dictionary("'|u1'", "False", "(2, 4294967296)"), "ab")),
               {"4,194,304 columns"});
  expect_parts(message_of("t.npy", npy_file(dictionary("'|u1'", "False", "(0, 3)"), "")),
               {"no rows"});
}

TEST(ImportNpy, refuses_headers_that_are_not_a_dictionary_of_the_three_keys) {
  for (const char* header :
       {"", "{", "{}", "{'descr': '|u1'}", "{'descr': '|u1', 'descr': '|u1'}", "{'a': 1}",
        "{'descr': '|u1', 'fortran_order': Maybe, 'shape': (2, 3)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (-2, 3)}",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3",
        "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)} x", "{'descr': '|u1"}) {
    expect_parts(message_of("t.npy", npy_file(header, "abcdef")), {"NPY header", "numpy.save"});
  }
}

TEST(ImportNpy, refuses_unknown_versions_and_endless_headers) {
  std::string file = as_npy(random_table(3, 4), "|u1", false, 2);
  std::string other = file;
  other[6] = 9;
  expect_parts(message_of("t.npy", other), {"version 9.0"});
  file[11] = '\x7F';
  expect_parts(message_of("t.npy", file), {"header would be"});
}

TEST(ImportNpy, refuses_gzip_with_a_remedy) {
  const ScratchFolder folder;
  const auto path = folder.write_gzip("t.npy.gz", as_npy(random_table(3, 4), "|u1", false));
  expect_parts(message_from<InputError>(path, {}), {"compressed", "gunzip"});
}

TEST(ImportNpy, refuses_options_that_do_not_apply) {
  const std::string file = as_npy(random_table(3, 4), "|u1", false);
  ImportOptions options;
  for (const char* token : {"NA", "1", "2.5x"}) {
    options.missing_tokens = {token};
    expect_parts(message_of<UsageError>("t.npy", file, options), {"--missing", token});
  }
  options = {};
  options.header = Header::yes;
  expect_parts(message_of<UsageError>("t.npy", file, options), {"--header yes"});
}

}  // namespace
}  // namespace orrery::data::testing
