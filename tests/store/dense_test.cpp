#include <cmath>
#include <limits>
#include <numeric>

#include "store/edit_file.hpp"
#include "store/groups.hpp"
#include "store/store_fixture.hpp"
#include "store/tables.hpp"

namespace orrery::store {
namespace {

using data::dense_block_rows;
using data::DenseBlock;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// A cell's value.
using Value = std::function<double(std::uint64_t row, std::size_t column)>;
double waves(std::uint64_t row, std::size_t column) {
  return std::sin(static_cast<double>(row + 1) * static_cast<double>(column + 2)) * 1e3 + 1e6;
}
double gaps(std::uint64_t row, std::size_t column) {
  return (row + column) % 5 == 0 ? none : waves(row, column);
}

class DenseTest : public StoreTest {
 protected:
  void write(std::uint64_t n_rows, const Value& value,
             const std::vector<std::string>& names = three,
             const std::string& name = "d.h5") const {
    DenseWriter writer(path(name));
    writer.begin(names);
    const std::uint64_t rows = dense_block_rows(names.size());
    for (std::uint64_t first = 0; first < n_rows; first += rows) {
      DenseBlock block(std::min(rows, n_rows - first), names.size());
      for (std::size_t i = 0; i < block.n_rows; ++i) {
        for (std::size_t c = 0; c < names.size(); ++c) block.row(i)[c] = value(first + i, c);
      }
      writer.append(block);
    }
    writer.finish(some_run());
  }

  /// The rows asked for, as they come.
  [[nodiscard]] std::vector<double> rows(const DenseReader& reader, std::uint64_t first,
                                         std::uint64_t n) const {
    std::vector<double> values;
    const std::size_t n_columns = reader.names().size();
    const std::uint64_t rows_of_block = dense_block_rows(n_columns);
    reader.visit(first, n, [&](const double* piece, std::size_t n_rows) {
      const std::uint64_t row = first + values.size() / n_columns;
      EXPECT_GT(n_rows, 0U);
      EXPECT_EQ(row / rows_of_block, (row + n_rows - 1) / rows_of_block) << "crosses blocks";
      values.insert(values.end(), piece, piece + n_rows * n_columns);
    });
    return values;
  }

  [[nodiscard]] std::string error() const {
    return message_of<InputError>([&] {
      const DenseReader reader(path("d.h5"));
      reader.visit(0, reader.header().n_samples, [](const double*, std::size_t) {});
    });
  }
};

std::size_t n_wrong(const std::vector<double>& found, std::uint64_t first, std::size_t n_columns,
                    const Value& value) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double expected = value(first + i / n_columns, i % n_columns);
    wrong += std::isnan(expected) ? !std::isnan(found[i]) : found[i] != expected;
  }
  return wrong;
}

TEST_F(DenseTest, rows_round_trip_for_ragged_lengths) {
  ASSERT_EQ(dense_block_rows(3), 16384U);
  for (const std::uint64_t n_rows : {0, 1, 7, 16383, 16384, 16385, 40000}) {
    SCOPED_TRACE(n_rows);
    write(n_rows, gaps);
    const DenseReader reader(path("d.h5"));
    EXPECT_EQ(reader.names(), three);
    EXPECT_EQ(reader.header().n_samples, n_rows);
    EXPECT_EQ(reader.header().n_columns, 3U);
    const std::vector<double> found = rows(reader, 0, n_rows);
    ASSERT_EQ(found.size(), 3 * n_rows);
    EXPECT_EQ(n_wrong(found, 0, 3, gaps), 0U);
  }
}

TEST_F(DenseTest, any_range_of_rows_is_visited) {
  write(40000, waves);
  const DenseReader reader(path("d.h5"));
  for (const auto& [first, n] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1},
                                                                                     {5, 16379},
                                                                                     {5, 16380},
                                                                                     {16384, 16384},
                                                                                     {16383, 2},
                                                                                     {39999, 1},
                                                                                     {17, 39983},
                                                                                     {40000, 0}}) {
    SCOPED_TRACE(fmt::format("{} + {}", first, n));
    const std::vector<double> found = rows(reader, first, n);
    ASSERT_EQ(found.size(), 3 * n);
    EXPECT_EQ(n_wrong(found, first, 3, waves), 0U);
  }
}

TEST_F(DenseTest, columns_are_those_of_the_values_that_are_there) {
  const std::uint64_t n_rows = 20000;
  write(n_rows, gaps);
  const DenseReader reader(path("d.h5"));
  std::uint64_t n_missing = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> values;
    for (std::uint64_t row = 0; row < n_rows; ++row) {
      if (!std::isnan(gaps(row, c))) values.push_back(gaps(row, c));
    }
    n_missing += n_rows - values.size();
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    const DenseColumn& found = reader.columns()[c];
    EXPECT_EQ(found.n_present, values.size());
    EXPECT_NEAR(found.mean, mean, 1e-12 * 1e6);
    EXPECT_NEAR(found.sd, std::sqrt(squares / n), 1e-12 * 1e6);
    EXPECT_EQ(found.min, *std::ranges::min_element(values));
    EXPECT_EQ(found.max, *std::ranges::max_element(values));
  }
  EXPECT_EQ(reader.header().n_missing, n_missing);
}

TEST_F(DenseTest, a_constant_column_has_no_deviation_and_an_empty_one_nothing) {
  write(1000, [](std::uint64_t row, std::size_t c) {
    return c == 0 ? 0.1 : c == 1 ? none : static_cast<double>(row % 2);
  });
  const DenseReader reader(path("d.h5"));
  EXPECT_EQ(reader.columns()[0].mean, 0.1);
  EXPECT_EQ(reader.columns()[0].sd, 0);
  EXPECT_EQ(reader.columns()[1].n_present, 0U);
  EXPECT_TRUE(std::isnan(reader.columns()[1].mean) && std::isnan(reader.columns()[1].max));
  EXPECT_NEAR(reader.columns()[2].mean, 0.5, 1e-15);
  EXPECT_NEAR(reader.columns()[2].sd, 0.5, 1e-15);
}

TEST_F(DenseTest, two_writes_are_byte_identical_and_the_digest_tells_tables_apart) {
  const auto digest = [&](std::uint64_t n_rows, const Value& value,
                          const std::vector<std::string>& names) {
    write(n_rows, value, names);
    return DenseReader(path("d.h5")).header().digest;
  };
  const std::uint64_t digests[] = {digest(100, waves, three), digest(100, gaps, three),
                                   digest(101, waves, three), digest(100, waves, {"a", "b", "d"})};
  write(100, waves, three, "2.h5");
  write(100, waves, three, "3.h5");
  EXPECT_EQ(bytes_of(path("2.h5")), bytes_of(path("3.h5")));
  EXPECT_EQ(DenseReader(path("2.h5")).header().digest, digests[0]);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) EXPECT_NE(digests[i], digests[j]) << i << j;
  }
}

TEST_F(DenseTest, the_digest_is_the_one_documented) {
  write(2, [](std::uint64_t row, std::size_t c) { return static_cast<double>(3 * row + c); });
  const std::vector<double> values = {0, 1, 2, 3, 4, 5};
  const std::vector<std::uint64_t> blocks = {digest_of(std::span<const double>(values))};
  const std::string names("a\0b\0c\0", 6);
  const std::vector<std::uint64_t> parts = {2, 3, digest_of(std::span<const std::uint64_t>(blocks)),
                                            digest_of(std::span<const char>(names))};
  EXPECT_EQ(DenseReader(path("d.h5")).header().digest,
            digest_of(std::span<const std::uint64_t>(parts)));
}

TEST_F(DenseTest, a_file_says_that_it_holds_numbers) {
  write(10, waves);
  EXPECT_TRUE(inspect(path("d.h5")).has("dense"));
  EXPECT_FALSE(inspect(path("d.h5")).has("samples"));
  expect_parts(message_of<InputError>([&] { static_cast<void>(read_samples(path("d.h5"))); }),
               {"d.h5", "holds numbers (/dense)", "reads bits", "without --numeric"});
  expect_parts(message_of<InputError>([&] { static_cast<void>(read_model(path("d.h5"))); }),
               {"no /model", "/dense;"});
  write_samples(path("d.h5"), 10, three);
  EXPECT_FALSE(inspect(path("d.h5")).has("dense"));
  expect_parts(error(), {"d.h5", "holds bits (/samples)", "--numeric"});
}

TEST_F(DenseTest, a_writer_that_does_not_finish_leaves_nothing) {
  {
    DenseWriter writer(path("d.h5"));
    writer.begin(three);
    writer.append(DenseBlock(10, 3));
  }
  { const DenseWriter unused(path("d.h5")); }
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(DenseTest, what_cannot_be_stored_is_refused) {
  const auto write_error = [&](const std::vector<std::string>& names, const Value& value) {
    return message_of<InputError>([&] { write(20, value, names); });
  };
  expect_parts(write_error({}, waves), {"no variable"});
  expect_parts(write_error({"a", std::string("b\0c", 3)}, waves), {"name 2"});
  const auto at_7_1 = [](double value) {
    return [value](std::uint64_t row, std::size_t c) { return row == 7 && c == 1 ? value : 0; };
  };
  expect_parts(write_error(three, at_7_1(std::numeric_limits<double>::infinity())),
               {"row 8, column 2", "infinite"});
  expect_parts(write_error(three, at_7_1(1e300)), {"column 2 (b)", "1e+300", "scale"});
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(DenseTest, values_that_change_are_found_by_their_block) {
  write(40000, waves);
  edit_file(path("d.h5"), [](hid_t file) { overwrite(file, "/dense/values", 0.5); });
  expect_parts(error(), {"block 0 of /dense/values (rows 0 to 16383)", "damaged"});
}

// With digests that fit: what only a forger, or another program, writes.
TEST_F(DenseTest, values_that_cannot_be_are_refused) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double wrong : {none, infinite, -infinite, 1e9}) {
    SCOPED_TRACE(wrong);
    write(2, [](std::uint64_t row, std::size_t c) { return static_cast<double>(3 * row + c); });
    const std::vector<double> values = {wrong, 1, 2, 3, 4, 5};
    const std::uint64_t block = digest_of(std::span<const double>(values));
    const std::uint64_t whole = digest_of(std::span<const std::uint64_t>(&block, 1));
    const std::string names("a\0b\0c\0", 6);
    edit_file(path("d.h5"), [&](hid_t file) {
      overwrite(file, "/dense/values", wrong);
      overwrite(file, "/dense/block_digests", block);
      restore_digest(file, "/dense/block_digests", whole);
      restore_digest(file, "/dense/values", whole);
      restore_digest(file, "/dense",
                     dense_digest(2, 3, whole, digest_of(std::span<const char>(names))));
    });
    expect_parts(error(), {"/dense/values, row 1, column 1", "not what /dense says"});
  }
}

TEST_F(DenseTest, columns_that_cannot_be_are_refused) {
  const auto with = [&](const std::string& name, auto first, auto second, auto third) {
    write(2, [](std::uint64_t row, std::size_t c) { return static_cast<double>(3 * row + c); });
    const std::vector<decltype(first)> values = {first, second, third};
    edit_file(path("d.h5"), [&](hid_t file) {
      overwrite(file, "/dense/" + name, first);
      restore_digest(file, "/dense/" + name, digest_of(std::span<const decltype(first)>(values)));
    });
    return error();
  };
  const std::uint64_t two = 2;
  expect_parts(with("present", std::uint64_t{3}, two, two), {"column 1", "of 2 values 3"});
  expect_parts(with("present", std::uint64_t{0}, two, two), {"column 1", "of 2 values 0"});
  expect_parts(with("sd", -1.0, 1.5, 1.5), {"column 1", "sd -1"});
  expect_parts(with("sd", none, 1.5, 1.5), {"column 1", "sd nan"});
  expect_parts(with("mean", 4.0, 2.5, 3.5), {"column 1", "mean 4"});
  expect_parts(with("min", 4.0, 1.0, 2.0), {"column 1", "from 4 to 3"});
  expect_parts(with("max", HUGE_VAL, 4.0, 5.0), {"column 1", "to inf"});
}

}  // namespace
}  // namespace orrery::store
