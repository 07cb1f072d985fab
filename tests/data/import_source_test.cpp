// Tables of numbers, given row by row or in any order, into blocks of bits and of numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "data/table_source.hpp"
#include "import_support.hpp"

namespace orrery::data::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

std::vector<std::string> letters(std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < n; ++c) names.emplace_back(1, static_cast<char>('a' + c));
  return names;
}

/// Gives what is not 0.
class RowsSource final : public RowSource {
 public:
  explicit RowsSource(NumberTable rows)
      : rows_(std::move(rows)), names_(letters(rows_[0].size())) {}
  [[nodiscard]] const std::string& file() const override { return file_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] bool next_row(std::vector<RowValue>& values) override {
    values.clear();
    if (next_ == rows_.size()) return false;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      if (rows_[next_][c] != 0) values.push_back({c, rows_[next_][c]});
    }
    ++next_;
    return true;
  }
  [[nodiscard]] std::string where() const override { return "t.x: row " + std::to_string(next_); }

 private:
  std::string file_ = "t.x";
  NumberTable rows_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;
};

/// Gives what is not 0 from the last value to the first.
class EntriesSource final : public EntrySource {
 public:
  explicit EntriesSource(const NumberTable& rows)
      : n_rows_(rows.size()), names_(letters(rows[0].size())) {
    for (std::size_t r = rows.size(); r-- > 0;) {
      for (std::size_t c = names_.size(); c-- > 0;) {
        if (rows[r][c] != 0) entries.push_back({r, c, rows[r][c]});
      }
    }
  }
  [[nodiscard]] const std::string& file() const override { return file_; }
  [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
  [[nodiscard]] std::uint64_t n_rows() const override { return n_rows_; }
  [[nodiscard]] bool nan_is_missing() const override { return takes_nan; }
  void restart(std::uint64_t pass, std::uint64_t n_passes) override {
    EXPECT_EQ(pass, ++n_read);
    EXPECT_LE(pass, n_passes);
    next_ = 0;
  }
  [[nodiscard]] bool next(TableEntry& entry) override {
    if (next_ == entries.size()) return false;
    entry = entries[next_++];
    return true;
  }
  [[nodiscard]] std::string where() const override { return "t.x: entry " + std::to_string(next_); }

  std::vector<TableEntry> entries;
  std::uint64_t n_read = 0;
  bool takes_nan = true;

 private:
  std::string file_ = "t.x";
  std::uint64_t n_rows_;
  std::vector<std::string> names_;
  std::size_t next_ = 0;
};

template <class Source>
Table bits(Source&& source, const ImportOptions& options = {}) {
  MemorySink sink;
  static_cast<void>(import_bits(source, Format::mtx, options, sink));
  return table_of(sink.take());
}
template <class Source>
NumberTable numbers(Source&& source, const ImportOptions& options = {}) {
  DenseRows sink;
  static_cast<void>(import_numbers(source, Format::mtx, options, sink));
  return sink.rows;
}

/// Both ways, which must agree.
Table bits_from(const NumberTable& rows, const ImportOptions& options = {}) {
  const Table table = bits(RowsSource(rows), options);
  EXPECT_EQ(bits(EntriesSource(rows), options), table);
  return table;
}

template <class E, class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "no error of the kind that was expected";
  return {};
}

TEST(ImportSource, zero_one_and_nan_are_off_on_and_missing) {
  EXPECT_EQ(bits_from({{0, 1, no_value}, {1, 0, 0}}), (Table{"01?", "100"}));
}

TEST(ImportSource, a_number_above_the_threshold_is_on) {
  ImportOptions options;
  options.threshold = 2;
  EXPECT_EQ(bits_from({{2, 2.5, no_value}, {-1, 0, 1e300}}, options), (Table{"01?", "001"}));
  options.threshold = -1;  // above it is 0 as well, and so what does not come
  EXPECT_EQ(bits_from({{0, -1, no_value}, {-2, 3, 0}}, options), (Table{"10?", "011"}));
}

TEST(ImportSource, numbers_are_named_as_on_off_and_missing) {
  ImportOptions options;
  options.on_tokens = {"2"};
  options.off_tokens = {"1"};
  options.missing_tokens = {"0", "-9"};
  EXPECT_EQ(bits_from({{0, 1, 2}, {2, -9, 1}}, options), (Table{"?01", "1?0"}));
  options.missing_tokens = {"-9.0"};
  EXPECT_EQ(bits_from({{0, 1, 2}, {2, -9, 1}}, options), (Table{"001", "1?0"}));
}

TEST(ImportSource, whole_blocks_survive_any_meaning_of_zero) {
  NumberTable rows(70'000, {0, 1});  // a block of 65,536 rows, and another
  rows[65'535] = {1, no_value};
  rows[65'536] = {no_value, 0};
  const Table plain = bits_from(rows);
  EXPECT_EQ(plain[0], "01");
  EXPECT_EQ(plain[65'535], "1?");
  EXPECT_EQ(plain[65'536], "?0");
  ImportOptions options;
  options.on_tokens = {"0"};
  options.off_tokens = {"1"};
  const Table turned = bits_from(rows, options);
  EXPECT_EQ(turned[0], "10");
  EXPECT_EQ(turned[65'535], "0?");
  EXPECT_EQ(turned[69'999], "10");
}

TEST(ImportSource, several_passes_give_the_same_as_one) {
  NumberTable rows(3 * 65'536 + 100, {0, 0});
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r][r % 2] = r % 3 == 0 ? 1 : 0;
  ImportOptions options;
  options.memory_bytes = 1;
  EntriesSource source(rows);
  EXPECT_EQ(bits(source, options), bits(RowsSource(rows)));
  EXPECT_EQ(source.n_read, 4U);
  EntriesSource again(rows);
  EXPECT_EQ(numbers(again, options), rows);
  EXPECT_EQ(again.n_read, 13U);  // blocks of 16,384 rows
}

TEST(ImportSource, numbers_keep_their_values_and_missing_ones_are_nan) {
  const NumberTable rows{{0, -1.5, no_value}, {-9, 0, 1e300}};
  ImportOptions options;
  options.missing_tokens = {"-9"};
  options.drop_columns = {"b"};
  const NumberTable expected{{0, no_value}, {no_value, 1e300}};
  EXPECT_TRUE(same(numbers(RowsSource(rows), options), expected));
  EXPECT_TRUE(same(numbers(EntriesSource(rows), options), expected));
}

TEST(ImportSource, names_the_place_of_a_value_that_is_neither) {
  const NumberTable rows{{0, 1, 0}, {1, 7.5, 1}};
  const auto parts = {"column 2 ('b')", "7.5 is neither", "--threshold", "--on",
                      "--missing 7.5",  "--drop 'b'",     "--numeric"};
  const std::vector<std::string> wanted(parts.begin(), parts.end());
  const std::string of_row = error_of<InputError>([&] { bits(RowsSource(rows)); });
  expect_parts(of_row, wanted);
  expect_parts(of_row, {"t.x: row 2"});
  expect_parts(error_of<InputError>([&] { bits(EntriesSource(rows)); }), wanted);
  ImportOptions options;
  options.drop_columns = {"b"};  // a column that is left out may hold anything
  EXPECT_EQ(bits_from(rows, options), (Table{"00", "11"}));
}

TEST(ImportSource, an_infinite_number_is_refused) {
  const NumberTable rows{{0, 1}, {1, -infinite}};
  ImportOptions options;
  for (const bool has_threshold : {false, true}) {
    if (has_threshold) options.threshold = 0;
    expect_parts(error_of<InputError>([&] { bits(RowsSource(rows), options); }),
                 {"row 2", "column 2 ('b')", "-inf is not a number", "--missing -inf"});
  }
  expect_parts(error_of<InputError>([&] { numbers(EntriesSource(rows)); }), {"-inf is not"});
  options.missing_tokens = {"-inf"};
  EXPECT_EQ(bits_from(rows, options), (Table{"01", "1?"}));
}

TEST(ImportSource, a_source_may_want_nan_to_be_named) {
  const NumberTable rows{{0, 1}, {1, no_value}, {0, 0}};
  EntriesSource source(rows);
  source.takes_nan = false;
  expect_parts(error_of<InputError>([&] { bits(source); }), {"nan is not a number"});
  source.n_read = 0;
  ImportOptions options;
  options.missing_tokens = {"NaN"};
  EXPECT_EQ(bits(source, options), (Table{"01", "1?", "00"}));
}

TEST(ImportSource, a_second_entry_for_a_value_is_refused) {
  const NumberTable rows{{0, 1}, {1, 0}};
  EntriesSource twice(rows);
  twice.entries.push_back({0, 1, 1});
  expect_parts(error_of<InputError>([&] { bits(twice); }),
               {"entry 3", "row 1, column 2 ('b')", "second entry"});
  EntriesSource zero(rows);
  zero.entries.push_back({0, 1, 0});  // shows only where a zero could matter
  EXPECT_EQ(bits(zero), (Table{"01", "10"}));
  ImportOptions options;
  options.threshold = 0.5;
  zero.n_read = 0;
  expect_parts(error_of<InputError>([&] { bits(zero, options); }), {"second entry"});
  zero.n_read = 0;
  expect_parts(error_of<InputError>([&] { numbers(zero); }), {"second entry"});
}

TEST(ImportSource, refuses_tables_of_impossible_sizes) {
  class Endless final : public EntrySource {
   public:
    [[nodiscard]] const std::string& file() const override { return file_; }
    [[nodiscard]] const std::vector<std::string>& names() const override { return names_; }
    [[nodiscard]] std::uint64_t n_rows() const override { return std::uint64_t{1} << 62U; }
    void restart(std::uint64_t, std::uint64_t) override {}
    [[nodiscard]] bool next(TableEntry&) override { return false; }
    [[nodiscard]] std::string where() const override { return file_; }

   private:
    std::string file_ = "t.x";
    std::vector<std::string> names_ = letters(2);
  };
  expect_parts(error_of<InputError>([] { bits(Endless()); }), {"t.x", "32 TiB"});
  expect_parts(error_of<InputError>([] { numbers(Endless()); }), {"t.x", "32 TiB"});
}

TEST(ImportSource, refuses_options_that_contradict_or_are_no_numbers) {
  const NumberTable rows{{0, 1}, {1, 0}};
  const auto refused = [&](const ImportOptions& options) {
    return error_of<UsageError>([&] { bits(RowsSource(rows), options); });
  };
  ImportOptions options;
  options.missing_tokens = {"NA"};
  expect_parts(refused(options), {"--missing 'NA'", "number"});
  options.missing_tokens = {"1"};
  expect_parts(refused(options), {"--missing 1", "values"});
  options = {};
  options.on_tokens = {"yes"};
  expect_parts(refused(options), {"--on 'yes'"});
  options.on_tokens = options.off_tokens = {"3"};
  expect_parts(refused(options), {"--on 3", "another meaning"});
  options.off_tokens = {"1"};
  options.threshold = 0;
  expect_parts(refused(options), {"--threshold", "--on"});
  expect_parts(error_of<UsageError>([&] { numbers(RowsSource(rows), options); }),
               {"--threshold", "--numeric"});
}

}  // namespace
}  // namespace orrery::data::testing
