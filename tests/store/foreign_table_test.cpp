// Tables in HDF5 files of other programs.
#include "store/foreign_table.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/message_parts.hpp"
#include "orrery/base/error.hpp"
#include "store/foreign_files.hpp"

namespace orrery::store {
namespace {

using Table = std::vector<std::string>;

class ForeignTable : public ::testing::Test {
 protected:
  ForeignTable() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "orrery-foreign-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~ForeignTable() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::filesystem::path path() const { return folder_ / "t.h5ad"; }
  [[nodiscard]] Table bits(const std::string& dataset = "",
                           const data::ImportOptions& options = {}) const {
    data::MemorySink sink;
    names_ =
        data::import_bits(open_foreign_table(path(), dataset), data::Format::hdf5, options, sink)
            .names;
    const data::SampleMatrix samples = sink.take();
    Table table(samples.n_samples(), std::string(samples.n_observed(), '0'));
    for (std::size_t r = 0; r < table.size(); ++r) {
      for (std::size_t c = 0; c < samples.n_observed(); ++c) {
        if (samples.values.at(r, c)) table[r][c] = '1';
      }
    }
    return table;
  }
  template <class E = InputError>
  [[nodiscard]] std::string refused(const std::string& dataset = "") const {
    try {
      static_cast<void>(bits(dataset));
    } catch (const E& error) {
      return error.what();
    }
    return "nothing was refused";
  }

  std::filesystem::path folder_;
  mutable std::vector<std::string> names_;
};

const Table expected{"0101", "1000", "0000"};

TEST_F(ForeignTable, x_of_anndata_is_read_with_its_names) {
  for (const bool has_checksums : {false, true}) {
    write_anndata(path(), has_checksums);
    EXPECT_EQ(bits(), expected);
    EXPECT_EQ(names_, (std::vector<std::string>{"BRCA1", "TP53", "é", "MYC"}));
  }
}

TEST_F(ForeignTable, rows_have_the_names_of_obs) {
  write_anndata(path(), false);
  const data::SourceOfTable table = open_foreign_table(path(), "X");
  data::RowSource& rows = *std::get<0>(table);
  ASSERT_TRUE(rows.has_row_names());
  std::vector<data::RowValue> values;
  Table names;
  while (rows.next_row(values)) names.emplace_back(rows.row_name());
  EXPECT_EQ(names, (Table{"c1", "c2", "c3"}));
  const data::SourceOfTable counts = open_foreign_table(path(), "layers/counts");
  EXPECT_EQ(std::get<1>(counts)->row_name(2), "c3");
}

TEST_F(ForeignTable, other_tables_are_read_by_their_path) {
  write_anndata(path(), false);
  data::ImportOptions options;
  options.threshold = 2;
  EXPECT_EQ(bits("layers/counts", options), expected);
  EXPECT_EQ(names_[1], "TP53");
  EXPECT_EQ(bits("/other/dense/", options), expected);
  EXPECT_EQ(names_[1], "x1");
  expect_parts(refused("layers/counts"), {"row 2, column 1 ('BRCA1')", "5 is neither"});
  expect_parts(refused("layers"), {"--dataset 'layers'", "neither a data set", "'X'",
                                   "'layers/counts'", "'other/dense'"});
  expect_parts(refused("layers/missing"), {"no such data set"});
  expect_parts(refused("X/data"), {"neither a data set"});
}

TEST_F(ForeignTable, the_only_table_is_taken_and_others_must_be_named) {
  { ForeignWriter(path()).numbers("/a", {0, 1, 1, 0}, {2, 2}, H5T_NATIVE_UINT8); }
  EXPECT_EQ(bits(), (Table{"01", "10"}));
  {
    ForeignWriter file(path());
    file.numbers("/b", {1, 0, 1, 0}, {2, 2}, H5T_NATIVE_FLOAT, {1, 2});
    file.numbers("/a", {0, 1, 1, 0}, {2, 2});
    file.numbers("/list", {0, 1, 1, 0}, {4});
  }
  expect_parts(refused(), {"several tables, 'a', 'b'", "--dataset PATH"});
  EXPECT_EQ(bits("b"), (Table{"10", "10"}));
  { ForeignWriter(path()).numbers("/list", {0, 1, 1, 0}, {4}); }
  expect_parts(refused(), {"without a table"});
}

TEST_F(ForeignTable, refuses_a_file_of_orrery) {
  ForeignWriter(path()).text_attribute("/", "format", "orrery");
  expect_parts(refused(), {"already an HDF5 file", "next command"});
}

TEST_F(ForeignTable, refuses_arrays_that_do_not_fit_each_other) {
  const auto sparse = [&](const std::vector<double>& data, const std::vector<double>& indices,
                          const std::vector<double>& pointers,
                          const std::vector<std::int64_t>& shape) {
    ForeignWriter file(path());
    file.group("/X");
    file.text_attribute("/X", "encoding-type", "csr_matrix");
    file.shape_attribute("/X", shape);
    file.numbers("/X/data", data, {data.size()});
    file.numbers("/X/indices", indices, {indices.size()}, H5T_NATIVE_INT64);
    file.numbers("/X/indptr", pointers, {pointers.size()}, H5T_NATIVE_INT64);
  };
  sparse({1, 1}, {0, 1}, {0, 1, 2}, {3, 2});
  expect_parts(refused(), {"/X/indptr", "3 and 1"});
  sparse({1, 1, 1}, {0, 1}, {0, 1, 2}, {2, 2});
  expect_parts(refused(), {"/X/indices", "has 2 values"});
  sparse({1, 1}, {0, 2}, {0, 1, 2}, {2, 2});
  expect_parts(refused(), {"/X/indices: value 2 is 2"});
  sparse({1, 1}, {0, 1}, {0, 1, 2}, {2, 1'000'000'000'000'000'000});
  expect_parts(refused(), {"4,194,304 columns"});
  sparse({1, 1}, {0, 1}, {0, 1, 2}, {-1, 2});
  expect_parts(refused(), {"without a table"});
  {
    ForeignWriter file(path());
    file.numbers("/X", {0, 1, 1, 0}, {2, 2});
    file.group("/var");
    file.texts("/var/_index", {"a", "b", "c"});
  }
  expect_parts(refused(), {"/var/_index", "3 names", "2 columns"});
}

TEST_F(ForeignTable, refuses_sizes_that_nothing_in_the_file_bears_out) {
  ForeignWriter(path()).numbers("/a", {}, {1'000'000'000'000'000, 4}, H5T_NATIVE_DOUBLE, {16, 4});
  expect_parts(refused(), {"1000000000000000 x 4", "0 bytes are stored"});
}

TEST_F(ForeignTable, refuses_a_file_that_is_cut_short_or_is_none) {
  write_anndata(path(), false);
  std::ifstream file(path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  for (const std::size_t n :
       {std::size_t{8}, std::size_t{96}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path(), std::ios::binary) << whole.substr(0, n);
    expect_parts(refused(), {"t.h5ad"});
    EXPECT_NE(refused(), "nothing was refused");
  }
}

/// Damage of metadata without checksums may end HDF5: never the command.
TEST_F(ForeignTable, a_byte_that_is_changed_ends_nothing) {
  write_anndata(path(), false);
  std::ifstream file(path(), std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  for (std::size_t n = 8; n < whole.size(); n += 59) {
    std::string other = whole;
    other[n] = static_cast<char>(other[n] ^ 0x41);
    std::ofstream(path(), std::ios::binary) << other;
    try {
      static_cast<void>(bits());
    } catch (const InputError& error) {
      expect_parts(error.what(), {"t.h5ad"});
    }
  }
}

TEST_F(ForeignTable, the_end_of_the_reading_process_is_an_error_of_the_file) {
  const auto message = [&](const std::function<ArraysOfTable()>& open) -> std::string {
    try {
      const data::SourceOfTable table = table_of(open_in_process(path(), open));
      data::MemorySink sink;
      static_cast<void>(data::import_bits(table, data::Format::hdf5, {}, sink));
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing was refused";
  };
  expect_parts(message([]() -> ArraysOfTable {
                 std::raise(SIGSEGV);
                 return {};
               }),
               {"t.h5ad", "damaged", "Segmentation fault"});
  class Deadly final : public data::NumberStream {
   public:
    Deadly() : NumberStream("deadly", 100'000, true) {}

   protected:
    void rewind() override {}
    void read(std::span<double> values) override {
      if (position() > 50'000) std::raise(SIGABRT);
      std::ranges::fill(values, 1);
    }
  };
  expect_parts(message([&] {
                 ArraysOfTable table;
                 table.frame = {path().string(), {"a", "b"}, 50'000, {}};
                 table.arrays.push_back(std::make_unique<Deadly>());
                 return table;
               }),
               {"t.h5ad", "damaged", "Aborted"});
}

}  // namespace
}  // namespace orrery::store
