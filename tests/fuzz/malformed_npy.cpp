// NPY arrays.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t n_values = 12;

std::string good_values() {
  std::string values;
  for (std::size_t i = 0; i < n_values; ++i) values += i % 3 == 0 ? '\1' : '\0';
  return values;
}

std::string preamble(int version, std::size_t header_bytes) {
  std::string bytes = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    bytes += static_cast<char>(header_bytes >> (8 * i) & 0xFFU);
  }
  return bytes;
}

std::string array(const std::string& header, const std::string& values, int version = 1) {
  const std::string padded =
      header + std::string(117 - std::min<std::size_t>(header.size(), 117), ' ') + '\n';
  return preamble(version, padded.size()) + padded + values;
}

std::string header(std::string_view dtype = "'|u1'", std::string_view order = "False",
                   std::string_view shape = "(3, 4)") {
  return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", dtype, order, shape);
}

void add_preambles(MalformedFiles& files) {
  const std::string good = array(header(), good_values());
  for (std::size_t length = 0; length < 12; ++length) {
    files.add(fmt::format("cut_at_{}.npy", length), good.substr(0, length));
  }
  for (const std::size_t length : {60UL, 127UL, 128UL, 129UL, good.size() - 1}) {
    files.add(fmt::format("cut_at_{}.npy", length), good.substr(0, length));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x20);
    files.add(fmt::format("magic_byte_{}.npy", i), bytes);
  }
  for (const int version : {0, 4, 9, 255}) {
    files.add(fmt::format("version_{}.npy", version), array(header(), good_values(), version));
  }
  for (const std::size_t bytes : {0UL, 1UL, 57UL, 119UL, 65535UL}) {
    std::string other = good;
    other.replace(0, 10, preamble(1, bytes));
    files.add(fmt::format("header_of_{}_bytes.npy", bytes), other);
  }
  for (const std::size_t bytes : {1048577UL, 0xFFFFFFFFUL, 0x80000000UL}) {
    files.add(fmt::format("header_of_{}_bytes.npy", bytes),
              preamble(2, bytes) + header() + good_values());
  }
}

void add_dictionaries(MalformedFiles& files) {
  const Texts headers{
      {"empty", ""},
      {"braces_alone", "{}"},
      {"no_dtype", "{'fortran_order': False, 'shape': (3, 4), }"},
      {"no_order", "{'descr': '|u1', 'shape': (3, 4), }"},
      {"no_shape", "{'descr': '|u1', 'fortran_order': False, }"},
      {"dtype_twice", "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (3, 4)}"},
      {"shape_twice", "{'descr': '|u1', 'shape': (3, 4), 'fortran_order': False, 'shape': (3, 4)}"},
      {"order_twice",
       "{'descr': '|u1', 'fortran_order': True, 'fortran_order': False, 'shape': (3, 4)}"},
      {"odd_key", "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4), 'names': 'a'}"},
      {"number_as_key", "{1: '|u1', 'fortran_order': False, 'shape': (3, 4)}"},
      {"no_colon", "{'descr' '|u1', 'fortran_order': False, 'shape': (3, 4)}"},
      {"no_comma", "{'descr': '|u1' 'fortran_order': False, 'shape': (3, 4)}"},
      {"no_closing_brace", "{'descr': '|u1', 'fortran_order': False, 'shape': (3, 4)"},
      {"no_opening_brace", "'descr': '|u1', 'fortran_order': False, 'shape': (3, 4)}"},
      {"open_string", "{'descr': '|u1, 'fortran_order': False, 'shape': (3, 4)}"},
      {"string_never_closed", "{'descr"},
      {"mixed_quotes", "{'descr\": '|u1', 'fortran_order': False, 'shape': (3, 4)}"},
      {"text_after_it", header() + " # saved by hand"},
      {"null_within", "{'descr': '|u1',\0 'fortran_order': False, 'shape': (3, 4)}"s},
      {"json", "{\"descr\": \"|u1\", \"fortran_order\": false, \"shape\": [3, 4]}"},
      {"nested", std::string(60000, '{')},
      {"not_ascii", "{'d\xC3\xA9scr': '|u1', 'fortran_order': False, 'shape': (3, 4)}"s},
      {"newlines", "{'descr':\n'|u1',\n'fortran_order':\nNone,\n'shape': (3, 4)}"},
  };
  for (const auto& [name, text] : headers) {
    files.add("header_" + name + ".npy", array(text, good_values()));
  }
}

void add_header_values(MalformedFiles& files) {
  const std::vector<std::string> dtypes{"'<f8'",
                                        "'<f4'",
                                        "'<f2'",
                                        "'<i4'",
                                        "'>u2'",
                                        "'<i8'",
                                        "'|S1'",
                                        "'<U1'",
                                        "'|O'",
                                        "'<c8'",
                                        "'|V1'",
                                        "'<M8[ns]'",
                                        "'u8'",
                                        "''",
                                        "'|'",
                                        "'|u1\n'",
                                        "'||u1'",
                                        "1",
                                        "None",
                                        "'?'",
                                        "[('a', '|u1'), ('b', '|u1')]",
                                        "('|u1', (2,))",
                                        "'" + std::string(500, 'u') + "'"};
  for (std::size_t i = 0; i < dtypes.size(); ++i) {
    files.add(fmt::format("dtype_{}.npy", i), array(header(dtypes[i]), good_values()));
  }
  for (const std::string_view order : {"None", "1", "true", "'False'", ""}) {
    files.add(fmt::format("order_{}.npy", order.empty() ? "absent" : order),
              array(header("'|u1'", order), good_values()));
  }
  const std::vector<std::string> shapes{"()",
                                        "(12,)",
                                        "(3, 2, 2)",
                                        "(3, 4, 1)",
                                        "[3, 4]",
                                        "(-3, -4)",
                                        "(3, -4)",
                                        "(3.0, 4)",
                                        "(3, 'x')",
                                        "(3 4)",
                                        "(3, 4",
                                        "12",
                                        "None",
                                        "(0, 4)",
                                        "(3, 0)",
                                        "(12, 1)",
                                        "(0x3, 4)",
                                        "(, 3, 4)",
                                        "(4, 4)",
                                        "(2, 4)",
                                        "(3, 5)",
                                        "(18446744073709551616, 4)",
                                        "(18446744073709551615, 4)",
                                        "(4611686018427387904, 4)",
                                        "(4611686018427387907, 4)",
                                        "(9223372036854775808, 2)",
                                        "(3, 18446744073709551615)",
                                        "(3, 4194305)"};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string_view order = i % 2 == 0 ? "False" : "True";
    files.add(fmt::format("shape_{}.npy", i),
              array(header("'|u1'", order, shapes[i]), good_values()));
  }
}

void add_array_values(MalformedFiles& files) {
  for (const std::string_view dtype : {"'|b1'", "'|u1'", "'|i1'"}) {
    for (const std::string_view order : {"False", "True"}) {
      for (const int value : {2, 255}) {
        std::string values = good_values();
        values[static_cast<std::size_t>(value) % 7] = static_cast<char>(value);
        files.add(fmt::format("value_{}_{}_{}.npy", dtype.substr(2, 2), order, value),
                  array(header(dtype, order), values));
      }
    }
  }
  for (const std::size_t n : {0U, 1U, 11U}) {
    files.add(fmt::format("only_{}_values.npy", n), array(header(), good_values().substr(0, n), 2));
  }
  for (const std::size_t n : {1U, 12U, 4096U}) {
    files.add(fmt::format("{}_bytes_more.npy", n),
              array(header(), good_values() + std::string(n, '\0'), 3));
  }
  files.add("compressed.npy.gz", compressed(array(header(), good_values())));
  files.add("zip.npy", "PK\x03\x04"s + array(header(), good_values()));
  files.add("text.npy", "0,1,0\n1,1,0\n");
}

}  // namespace

void add_malformed_npy(MalformedFiles& files) {
  add_preambles(files);
  add_dictionaries(files);
  add_header_values(files);
  add_array_values(files);
}

}  // namespace orrery::fuzz
