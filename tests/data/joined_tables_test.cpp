#include "data/joined_tables.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "orrery/base/error.hpp"

namespace {

using namespace orrery;
using data::BitColumns;

/// A value per row and column: 0, 1, or -1 for a missing one.
using Rows = std::vector<std::vector<int>>;

Rows draw(std::size_t n_rows, std::size_t n_columns, std::mt19937& random) {
  Rows rows(n_rows, std::vector<int>(n_columns));
  for (auto& row : rows) {
    for (int& value : row) value = static_cast<int>(random() % 5) - 1 > 0 ? 1 : 0;
    if (random() % 3 == 0) row[random() % n_columns] = -1;
  }
  return rows;
}

void push(const Rows& rows, data::JoinedBits& joined) {
  const std::size_t n_columns = rows.front().size();
  BitColumns values(n_columns, rows.size());
  BitColumns missing(n_columns, rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < n_columns; ++c) {
      if (rows[r][c] == 1) values.set(r, c);
      if (rows[r][c] == -1) missing.set(r, c);
    }
  }
  joined.append(values, &missing);
}

int value_of(const data::SampleMatrix& samples, std::size_t row, std::size_t column) {
  if (samples.missing && samples.missing->at(row, column)) return -1;
  return samples.values.at(row, column) ? 1 : 0;
}

TEST(JoinedBits, pieces_of_any_size_are_the_rows_in_their_order) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const std::size_t n_columns = 1 + random() % 5;
    std::vector<std::string> names;
    for (std::size_t c = 0; c < n_columns; ++c) names.push_back(fmt::format("x{}", c));
    data::MemorySink sink;
    data::JoinedBits joined(sink);
    joined.begin(names);
    Rows all;
    for (int piece = 0; piece < 6; ++piece) {
      const Rows rows = draw(1 + random() % 200, n_columns, random);
      push(rows, joined);
      all.insert(all.end(), rows.begin(), rows.end());
    }
    joined.finish();
    const data::SampleMatrix samples = sink.take();
    ASSERT_EQ(samples.values.n_rows(), all.size());
    for (std::size_t r = 0; r < all.size(); ++r) {
      for (std::size_t c = 0; c < n_columns; ++c) {
        ASSERT_EQ(value_of(samples, r, c), all[r][c]) << "row " << r << ", column " << c;
      }
    }
  }
}

TEST(JoinedBits, columns_are_matched_by_name_and_those_of_a_model_may_be_absent) {
  data::MemorySink sink;
  data::JoinedBits joined(sink, {"c", "none", "a"});
  joined.begin({"a", "b", "c"});
  push({{1, 1, 0}, {0, 1, -1}}, joined);
  joined.begin({"c", "a"});
  push({{1, 0}}, joined);
  joined.finish();
  const data::SampleMatrix samples = sink.take();
  EXPECT_EQ(samples.names, (std::vector<std::string>{"c", "none", "a"}));
  const Rows expected = {{0, -1, 1}, {-1, -1, 0}, {1, -1, 0}};
  for (std::size_t r = 0; r < expected.size(); ++r) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(value_of(samples, r, c), expected[r][c]);
  }
}

TEST(JoinedBits, tables_of_other_columns_are_refused) {
  data::MemorySink sink;
  data::JoinedBits joined(sink);
  joined.set_file("first.csv");
  joined.begin({"a", "b"});
  joined.set_file("second.csv");
  EXPECT_THROW(joined.begin({"a", "c"}), InputError);
  EXPECT_THROW(joined.begin({"a", "b", "c"}), InputError);
  joined.begin({"b", "a"});
}

TEST(TakeRows, are_those_of_the_mask_in_their_order) {
  std::mt19937_64 random(5);
  BitColumns block(3, 300);
  for (std::size_t r = 0; r < 300; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (random() % 2 == 0) block.set(r, c);
    }
  }
  std::vector<std::uint64_t> mask(5);
  for (auto& word : mask) word = random();
  mask.back() &= (std::uint64_t{1} << 44U) - 1;
  const BitColumns taken = take_rows(block, mask);
  std::size_t next = 0;
  for (std::size_t r = 0; r < 300; ++r) {
    if ((mask[r / 64] >> (r % 64) & 1U) == 0) continue;
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(taken.at(next, c), block.at(r, c));
    ++next;
  }
  EXPECT_EQ(taken.n_rows(), next);
}

class Numbers final : public data::DenseSink {
 public:
  void begin(const std::vector<std::string>& names) override { names_ = names; }
  void append(const data::DenseBlock& block) override {
    values_.insert(values_.end(), block.values.begin(), block.values.end());
    rows_of_blocks_.push_back(block.n_rows);
  }
  std::vector<std::string> names_;
  std::vector<double> values_;
  std::vector<std::size_t> rows_of_blocks_;
};

TEST(JoinedNumbers, blocks_have_the_size_of_files) {
  Numbers sink;
  data::JoinedNumbers joined(sink, {"b", "none", "a"});
  joined.begin({"a", "b"});
  double next = 0;
  for (const std::size_t n : {10000U, 1U, 9000U}) {
    data::DenseBlock block(n, 2);
    for (double& value : block.values) value = next++;
    joined.append(block);
  }
  joined.finish();
  ASSERT_EQ(sink.values_.size(), 3U * 19001);
  for (std::size_t r = 0; r < 19001; ++r) {
    ASSERT_EQ(sink.values_[3 * r], 2 * static_cast<double>(r) + 1);
    ASSERT_TRUE(std::isnan(sink.values_[3 * r + 1]));
    ASSERT_EQ(sink.values_[3 * r + 2], 2 * static_cast<double>(r));
  }
  EXPECT_EQ(sink.rows_of_blocks_, (std::vector<std::size_t>{16384, 19001 - 16384}));
}

data::CategoricalTable colours(std::vector<std::uint8_t> codes) {
  return {{"a", "b"}, {{"no", "yes"}, {"red", "blue"}}, codes.size() / 2, codes};
}

TEST(Categories, rows_are_appended_and_columns_ordered) {
  data::CategoricalTable table = colours({0, 1, 1, data::missing_code});
  data::append_rows(table, {{"b", "a"}, {{"red", "blue"}, {"no", "yes"}}, 1, {0, 1}}, "more.csv");
  EXPECT_EQ(table, colours({0, 1, 1, data::missing_code, 1, 0}));
  const data::CategoricalTable ordered =
      data::in_order(table, {"b", "c"}, {{"red", "blue"}, {"x", "y"}});
  EXPECT_EQ(ordered.codes, (std::vector<std::uint8_t>{1, data::missing_code, data::missing_code,
                                                      data::missing_code, 0, data::missing_code}));
  EXPECT_THROW(data::append_rows(table, {{"a", "b"}, {{"yes", "no"}, {"red", "blue"}}, 0, {}}, "t"),
               InputError);
}

}  // namespace
