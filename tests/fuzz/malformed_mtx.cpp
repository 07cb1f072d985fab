// MatrixMarket files. Those without a defect in the banner come in all three fields.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "malformed.hpp"

namespace orrery::fuzz {
namespace {

using namespace std::string_literals;
using Texts = std::vector<std::pair<std::string, std::string>>;  // name, content

constexpr std::string_view good_entries = "1 1 1\n1 4 1\n2 2 1\n3 3 1\n4 1 1\n5 4 1\n";

std::string banner(std::string_view field) {
  return fmt::format("%%MatrixMarket matrix coordinate {} general\n", field);
}

void add_banners(MalformedFiles& files) {
  const Texts banners{
      {"no_words", "%%MatrixMarket"},
      {"one_word", "%%MatrixMarket matrix"},
      {"vector", "%%MatrixMarket vector coordinate integer general"},
      {"graph", "%%MatrixMarket graph coordinate pattern general"},
      {"array", "%%MatrixMarket matrix array integer general"},
      {"dense", "%%MatrixMarket matrix dense real general"},
      {"complex", "%%MatrixMarket matrix coordinate complex general"},
      {"boolean", "%%MatrixMarket matrix coordinate boolean general"},
      {"no_field", "%%MatrixMarket matrix coordinate general"},
      {"no_symmetry", "%%MatrixMarket matrix coordinate integer"},
      {"symmetric", "%%MatrixMarket matrix coordinate integer symmetric"},
      {"skew", "%%MatrixMarket matrix coordinate integer skew-symmetric"},
      {"hermitian", "%%MatrixMarket matrix coordinate real hermitian"},
      {"one_percent", "%MatrixMarket matrix coordinate integer general"},
      {"misspelt", "%%MatrixMarkt matrix coordinate integer general"},
      {"null_within", "%%MatrixMarket\0matrix coordinate integer general"s},
      {"newline_within", "%%MatrixMarket matrix\ncoordinate integer general"},
      {"commas", "%%MatrixMarket,matrix,coordinate,integer,general"},
      {"long_word", "%%MatrixMarket matrix " + std::string(100000, 'c') + " integer general"},
  };
  for (const auto& [name, line] : banners) {
    files.add("banner_" + name + ".mtx", fmt::format("{}\n5 4 6\n{}", line, good_entries));
  }
  files.add("no_banner.mtx", fmt::format("5 4 6\n{}", good_entries));
  files.add("empty.mtx", "");
}

void add_sizes(MalformedFiles& files) {
  const Texts sizes{
      {"absent", ""},
      {"two_numbers", "5 4"},
      {"four_numbers", "5 4 6 1"},
      {"words", "five four six"},
      {"negative_rows", "-5 4 6"},
      {"negative_columns", "5 -4 6"},
      {"negative_entries", "5 4 -6"},
      {"plus_sign", "+5 4 6"},
      {"decimal", "5.0 4 6"},
      {"hexadecimal", "0x5 4 6"},
      {"commas", "5,4,6"},
      {"no_rows", "0 4 0"},
      {"no_rows_but_entries", "0 4 6"},
      {"no_columns", "5 0 0"},
      {"one_column", "5 1 5"},
      {"rows_beyond_64_bits", "18446744073709551617 4 6"},
      {"columns_beyond_64_bits", "5 18446744073709551620 6"},
      {"entries_beyond_64_bits", "5 4 18446744073709551622"},
      {"largest_rows", "18446744073709551615 4 6"},
      {"largest_columns", "5 18446744073709551615 6"},
      {"product_wraps_to_zero", "4611686018427387904 4 6"},
      {"product_wraps_to_room", "4611686018427387905 4 6"},
      {"columns_beyond_most", "5 4194305 6"},
      {"more_entries_than_cells", "5 4 21"},
      {"of_four_gigabytes", "8589934592 4 7"},
      {"an_entry_more", "5 4 7"},
      {"an_entry_less", "5 4 5"},
      {"zero_entries", "5 4 0"},
      {"too_few_rows", "4 4 6"},
      {"too_few_columns", "5 3 6"},
  };
  for (const auto& [name, line] : sizes) {
    files.add("size_" + name + ".mtx",
              fmt::format("{}{}\n{}", banner("integer"), line, line.empty() ? "" : good_entries));
  }
  files.add("comments_alone.mtx", banner("pattern") + "% 5 4 6\n%\n\n  \n");
}

/// A good file whose third entry is `line`.
std::string with_entry(std::string_view field, std::string_view line) {
  const std::string_view one = field == "pattern" ? "" : field == "real" ? " 1.0" : " 1";
  return fmt::format("{}5 4 4\n1 1{}\n1 4{}\n{}\n4 1{}\n", banner(field), one, one, line, one);
}

void add_entries(MalformedFiles& files) {
  constexpr std::array fields{"pattern", "integer", "real"};
  const Texts places{
      {"row_zero", "0 2"},
      {"row_beyond", "6 2"},
      {"row_negative", "-1 2"},
      {"row_decimal", "2.0 2"},
      {"row_wraps", "18446744073709551618 2"},
      {"row_largest", "18446744073709551615 2"},
      {"column_zero", "2 0"},
      {"column_beyond", "2 5"},
      {"column_negative", "2 -1"},
      {"column_word", "2 two"},
      {"twice", "1 1"},
      {"comma", "2,2"},
      {"null", "2\0 2"s},
  };
  for (const std::string_view field : fields) {
    const std::string one = field == "pattern" ? "" : " 1";
    for (const auto& [name, place] : places) {
      files.add(fmt::format("{}_{}.mtx", field, name), with_entry(field, place + one));
    }
    files.add(fmt::format("{}_row_alone.mtx", field), with_entry(field, "2"));
    files.add(fmt::format("{}_a_field_more.mtx", field), with_entry(field, "2 2 1 1"));
    files.add(fmt::format("{}_entry_absent.mtx", field), with_entry(field, "% 2 2"));
  }
  const std::vector<std::string> values{"2",  "-1",  "0.5",  "nan", "inf",  "1e400", "x",
                                        "1x", "0x1", "true", "1,0", "1e-9", "+1",    "\x01"};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view field = i % 2 == 0 ? "real" : "integer";
    files.add(fmt::format("{}_value_{}.mtx", field, i), with_entry(field, "2 2 " + values[i]));
  }
  files.add("integer_without_value.mtx", with_entry("integer", "2 2"));
  files.add("pattern_with_value.mtx", with_entry("pattern", "2 2 1"));
}

void add_cuts(MalformedFiles& files) {
  const std::string good = fmt::format("{}5 4 6\n{}", banner("integer"), good_entries);
  for (const std::size_t length : {1U, 14U, 30U, 47U, 50U, 56U, 65U, 73U}) {
    files.add(fmt::format("cut_at_{}.mtx", length), good.substr(0, length));
  }
  const std::string stream = compressed(good);
  files.add("cut.mtx.gz", stream.substr(0, stream.size() - 9));
  files.add("no_ones_in_a_long_line.mtx", good + std::string(300000, ' ') + "x\n");
}

}  // namespace

void add_malformed_mtx(MalformedFiles& files) {
  add_banners(files);
  add_sizes(files);
  add_entries(files);
  add_cuts(files);
}

}  // namespace orrery::fuzz
