// Archives of NPY arrays, and SciPy's sparse matrices in such archives.
#include <gtest/gtest.h>
#include <zip.h>

#include <string>
#include <utility>
#include <vector>

#include "data/import_tables.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

/// The bytes of an archive, packed.
std::string archive_of(const Members& members) {
  const ScratchFolder folder;
  const auto path = folder.path() / "made.npz";
  zip_t* const archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_EXCL, nullptr);
  for (const auto& [name, content] : members) {
    zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
    zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  }
  EXPECT_EQ(zip_close(archive), 0);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
std::string array_of(const std::string& dtype, const std::vector<T>& values,
                     const std::string& shape, bool fortran_order = false) {
  const std::string bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return npy_file("{'descr': '" + dtype + "', 'fortran_order': " +
                      (fortran_order ? "True" : "False") + ", 'shape': " + shape + ", }",
                  bytes);
}
template <class T>
std::string list_of(const std::string& dtype, const std::vector<T>& values) {
  return array_of(dtype, values, "(" + std::to_string(values.size()) + ",)");
}

using Values = std::vector<double>;
using Indices = std::vector<std::int32_t>;
const Table small_table{"010", "101", "000"};

/// Of the small table.
Members compressed(const std::string& format, const Indices& indices, const Indices& pointers,
                   const Values& data = {1, 1, 1}) {
  return {
      {"indices.npy", list_of("<i4", indices)},
      {"indptr.npy", list_of("<i4", pointers)},
      {"format.npy", npy_file("{'descr': '|S3', 'fortran_order': False, 'shape': (), }", format)},
      {"shape.npy", list_of<std::int64_t>("<i8", {3, 3})},
      {"data.npy", list_of("<f8", data)}};
}
Members by_rows() { return compressed("csr", {1, 2, 0}, {0, 1, 3, 3}); }
Members by_columns() { return compressed("csc", {1, 0, 1}, {0, 1, 2, 3}); }
Members coordinates(const Indices& rows, const Indices& columns, const Values& data) {
  Members members = compressed("coo", {}, {}, data);
  members[0] = {"row.npy", list_of("<i4", rows)};
  members[1] = {"col.npy", list_of("<i4", columns)};
  return members;
}

std::string refused(const Members& members, const ImportOptions& options = {}) {
  return message_of("t.npz", archive_of(members), options);
}

TEST(ImportNpz, reads_the_only_array_in_either_order) {
  const std::vector<std::uint8_t> values{0, 1, 0, 1, 0, 1, 0, 0, 0};
  const std::vector<std::uint8_t> turned{0, 1, 0, 1, 0, 0, 0, 1, 0};
  EXPECT_EQ(
      import_content("t.npz", archive_of({{"arr_0.npy", array_of("|u1", values, "(3, 3)")}})).table,
      small_table);
  EXPECT_EQ(
      import_content("t.npz", archive_of({{"a.npy", array_of("|u1", turned, "(3, 3)", true)}}))
          .table,
      small_table);
}

TEST(ImportNpz, a_table_among_several_must_be_named) {
  const std::vector<std::uint8_t> values{0, 1, 1, 0};
  const Members members{{"ids.npy", list_of<std::int64_t>("<i8", {7, 8})},
                        {"table.npy", array_of("|u1", values, "(2, 2)")}};
  expect_parts(refused(members), {"2 arrays", "'ids', 'table'", "--dataset NAME"});
  ImportOptions options;
  for (const char* name : {"table", "table.npy"}) {
    options.dataset = name;
    EXPECT_EQ(import_content("t.npz", archive_of(members), options).table, (Table{"01", "10"}));
  }
  options.dataset = "ids";
  expect_parts(refused(members, options), {"t.npz: ids.npy", "1 dimensions"});
  options.dataset = "tables";
  expect_parts(refused(members, options), {"--dataset 'tables'", "'ids', 'table'"});
  expect_parts(refused({{"sheet.xml", "<a/>"}}), {"without NumPy arrays", "CSV"});
}

TEST(ImportNpz, reads_sparse_matrices_of_each_format) {
  EXPECT_EQ(import_content("t.npz", archive_of(by_rows())).table, small_table);
  EXPECT_EQ(import_content("t.npz", archive_of(by_columns())).table, small_table);
  EXPECT_EQ(import_content("t.npz", archive_of(coordinates({1, 0, 1}, {2, 1, 0}, {1, 1, 1}))).table,
            small_table);
}

TEST(ImportNpz, options_say_what_numbers_of_a_sparse_matrix_mean) {
  ImportOptions options;
  options.threshold = 1.5;
  options.missing_tokens = {"-1"};
  const Table meant{"010", "?00", "000"};
  EXPECT_EQ(
      import_content("t.npz", archive_of(compressed("csr", {1, 2, 0}, {0, 1, 3, 3}, {2, 1, -1})),
                     options)
          .table,
      meant);
  EXPECT_EQ(
      import_content("t.npz", archive_of(compressed("csc", {1, 0, 1}, {0, 1, 2, 3}, {-1, 2, 1})),
                     options)
          .table,
      meant);
}

TEST(ImportNpz, the_name_decides_nothing_and_numbers_are_kept) {
  class KeptNumbers final : public DenseSink {
   public:
    void begin(const std::vector<std::string>& /*names*/) override {}
    void append(const DenseBlock& block) override { values = block.values; }
    Values values;
  };
  const ScratchFolder folder;
  const Values wanted{0, 2, 0, -1, 0, 1.5, 0, 0, 0};
  for (const Members& members : {compressed("csr", {1, 2, 0}, {0, 1, 3, 3}, {2, 1.5, -1}),
                                 compressed("csc", {1, 0, 1}, {0, 1, 2, 3}, {-1, 2, 1.5}),
                                 coordinates({1, 0, 1}, {2, 1, 0}, {1.5, 2, -1})}) {
    KeptNumbers sink;
    static_cast<void>(import_dense(folder.write("t.dat", archive_of(members)), {}, sink));
    EXPECT_EQ(sink.values, wanted);
  }
}

TEST(ImportNpz, refuses_arrays_that_do_not_fit_each_other) {
  expect_parts(refused(compressed("csr", {1, 2, 0}, {0, 1, 3})), {"indptr.npy", "3 and 1"});
  expect_parts(refused(compressed("csr", {1, 2}, {0, 1, 3, 3})), {"indices.npy", "has 2 values"});
  expect_parts(refused(compressed("csr", {1, 3, 0}, {0, 1, 3, 3})), {"indices.npy: value 2 is 3"});
  expect_parts(refused(compressed("csr", {1, -1, 0}, {0, 1, 3, 3})), {"value 2 is -1"});
  expect_parts(refused(compressed("csr", {1, 2, 0}, {0, 1, 4, 4})), {"indptr.npy: value 3 is 4"});
  expect_parts(refused(compressed("csr", {1, 2, 0}, {0, 2, 1, 3})), {"less than 2 before it"});
  expect_parts(refused(compressed("csr", {1, 2, 0}, {1, 1, 3, 3})), {"does not begin with 0"});
  expect_parts(refused(compressed("csr", {1, 2, 2}, {0, 1, 3, 3})),
               {"row 2, column 3 ('x2')", "second entry", "sum_duplicates"});
  expect_parts(refused(compressed("csc", {1, 0, 3}, {0, 1, 2, 3})), {"indices.npy: value 3 is 3"});
  expect_parts(refused(compressed("csc", {1, 0, 0}, {0, 1, 3, 3})), {"second entry"});
  expect_parts(refused(coordinates({1, 0, 1}, {2, 1, 3}, {1, 1, 1})), {"col.npy: value 3 is 3"});
  expect_parts(refused(coordinates({1, 0}, {2, 1, 0}, {1, 1, 1})), {"row.npy", "has 2 values"});
  expect_parts(refused(compressed("bsr", {}, {})), {"'bsr'", ".tocsr()"});
  Members lacks = by_rows();
  lacks.erase(lacks.begin());
  expect_parts(refused(lacks), {"without the array 'indices'"});
  Members real = by_rows();
  real[0].second = list_of<double>("<f8", {1, 2, 0});
  expect_parts(refused(real), {"indices.npy", "whole numbers"});
}

TEST(ImportNpz, refuses_shapes_beyond_reason) {
  Members huge = by_rows();
  huge[3].second = list_of<std::int64_t>("<i8", {1'000'000'000'000'000'000, 3});
  expect_parts(refused(huge), {"shape.npy", "1e+18"});
  huge[3].second = list_of<std::int64_t>("<i8", {3, 100'000'000});
  expect_parts(refused(huge), {"4,194,304 columns"});
  huge = coordinates({1}, {2}, {1});
  huge[3].second = list_of<std::int64_t>("<i8", {200'000'000'000'000, 3});
  expect_parts(refused(huge), {"32 TiB"});
}

TEST(ImportNpz, nothing_is_unpacked_beyond_what_the_header_announces) {
  const std::vector<std::uint8_t> zeros(10'000'000, 0);  // 10 kB in the archive
  expect_parts(refused({{"a.npy", array_of("|u1", zeros, "(2, 2)")}}),
               {"a.npy", "announces 4 bytes", "the archive has 10000000"});
  expect_parts(refused({{"a.npy", array_of("|u1", zeros, "(1000000000, 1000)")}}),
               {"announces 1000000000000 bytes"});
  expect_parts(refused({{"a.npy", array_of("<f8", zeros, "(4294967296, 4294967296)")}}),
               {"more than 2^63 bytes"});
}

TEST(ImportNpz, refuses_an_archive_that_is_cut_short_or_damaged_at_any_byte) {
  const std::string whole = archive_of(by_rows());
  const ScratchFolder folder;
  ImportOptions options;
  options.format = Format::npz;
  for (std::size_t n = 1; n < whole.size(); ++n) {
    expect_parts(message_from<InputError>(folder.write("t.npz", whole.substr(0, n)), options),
                 {"t.npz"});
  }
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string other = whole;
    other[n] = static_cast<char>(other[n] ^ 0x10);
    try {
      EXPECT_EQ(import_file(folder.write("t.npz", other), options).table, small_table) << n;
    } catch (const InputError& error) {
      expect_parts(error.what(), {"t.npz"});
    }
  }
}

}  // namespace
}  // namespace orrery::data::testing
