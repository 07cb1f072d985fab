#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using SamplesTest = StoreTest;

void expect_rows(const data::SampleMatrix& matrix, std::uint64_t n_rows, const Cell& cell,
                 const Cell& missing) {
  ASSERT_EQ(matrix.n_samples(), n_rows);
  std::size_t wrong = 0;
  for (std::uint64_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < matrix.n_observed(); ++column) {
      const bool gone = missing(row, column);
      wrong += matrix.values.at(row, column) != (!gone && cell(row, column)) ? 1 : 0;
      wrong += matrix.missing && matrix.missing->at(row, column) != gone ? 1 : 0;
    }
  }
  EXPECT_EQ(wrong, 0U);
}

TEST_F(SamplesTest, samples_round_trip_for_ragged_lengths) {
  for (const std::uint64_t n_rows : {0, 1, 63, 64, 65, 65537}) {
    SCOPED_TRACE(n_rows);
    write_samples(path("s.h5"), n_rows, three);
    const data::SampleMatrix matrix = read_samples(path("s.h5"));
    EXPECT_EQ(matrix.names, three);
    EXPECT_FALSE(matrix.missing);
    expect_rows(matrix, n_rows, scattered, nowhere);
  }
}

TEST_F(SamplesTest, more_columns_than_a_chunk_round_trip) {
  std::vector<std::string> names;
  for (int i = 0; i < 131; ++i) {
    names.push_back(fmt::format("v{}", i));
  }
  write_samples(path("s.h5"), 200, names);
  expect_rows(read_samples(path("s.h5")), 200, scattered, nowhere);
}

TEST_F(SamplesTest, a_missing_value_in_a_late_block_gives_a_mask_over_all_rows) {
  ASSERT_EQ(data::block_rows(3), 65536U);
  const Cell late = [](std::uint64_t row, std::size_t column) {
    return row == 131072 && column == 1;
  };
  write_samples(path("s.h5"), 131080, three, scattered, late);
  EXPECT_TRUE(read_sample_header(path("s.h5")).has_missing);
  const data::SampleMatrix matrix = read_samples(path("s.h5"));
  ASSERT_TRUE(matrix.missing);
  expect_rows(matrix, 131080, scattered, late);
}

TEST_F(SamplesTest, a_mask_that_ends_after_the_first_block_covers_all_rows) {
  const Cell early = [](std::uint64_t row, std::size_t /*column*/) { return row == 7; };
  SampleWriter writer(path("s.h5"));
  writer.begin(three);
  data::BitColumns values(3, 65536);
  data::BitColumns mask(3, 65536);
  for (std::size_t c = 0; c < 3; ++c) {
    mask.set(7, c);
  }
  writer.append(values, &mask);
  writer.append(data::BitColumns(3, 5), nullptr);
  writer.finish(some_run());
  expect_rows(read_samples(path("s.h5")), 65541, nowhere, early);
}

TEST_F(SamplesTest, names_with_commas_quotes_and_utf8_survive) {
  const std::vector<std::string> names = {"a,b", "Größe \"x\"", "", "头痛", "tab\there", "a,b"};
  write_samples(path("s.h5"), 10, names);
  EXPECT_EQ(read_samples(path("s.h5")).names, names);
}

TEST_F(SamplesTest, header_equals_what_reading_gives) {
  write_samples(path("s.h5"), 100, three);
  const SampleHeader header = read_sample_header(path("s.h5"));
  const data::SampleMatrix matrix = read_samples(path("s.h5"));
  EXPECT_EQ(header.n_samples, 100U);
  EXPECT_EQ(header.n_observed, 3U);
  EXPECT_FALSE(header.has_missing);
  EXPECT_NE(header.digest, 0U);
  EXPECT_EQ(header.digest, matrix.digest);
}

TEST_F(SamplesTest, digest_depends_on_values_mask_names_and_shape_but_not_on_the_run) {
  const auto digest = [&](std::uint64_t n_rows, const std::vector<std::string>& names,
                          const Cell& cell, const Cell& missing, const RunInfo& run) {
    write_samples(path("s.h5"), n_rows, names, cell, missing, run);
    return read_sample_header(path("s.h5")).digest;
  };
  const Cell one = [](std::uint64_t row, std::size_t c) { return row == 99 && c == 2; };
  std::vector<std::uint64_t> digests = {digest(100, three, nowhere, nowhere, some_run()),
                                        digest(100, three, one, nowhere, some_run()),
                                        digest(100, three, nowhere, one, some_run()),
                                        digest(101, three, nowhere, nowhere, some_run()),
                                        digest(100, {"a", "b", "d"}, nowhere, nowhere, some_run())};
  EXPECT_EQ(digests[0], digest(100, three, nowhere, nowhere, RunInfo()));
  std::ranges::sort(digests);
  EXPECT_EQ(std::ranges::adjacent_find(digests), digests.end());
}

TEST_F(SamplesTest, two_writes_of_the_same_are_byte_identical) {
  const model::LearnedModel truth = some_model();
  const Cell some = [](std::uint64_t row, std::size_t c) { return (row + c) % 97 == 0; };
  write_samples(path("1.h5"), 70000, three, scattered, some, some_run(), &truth);
  const std::vector<char> disturb_the_heap(1 << 20, 'x');
  ASSERT_EQ(disturb_the_heap.back(), 'x');
  write_samples(path("2.h5"), 70000, three, scattered, some, some_run(), &truth);
  EXPECT_EQ(bytes_of(path("1.h5")), bytes_of(path("2.h5")));
}

TEST_F(SamplesTest, a_writer_that_does_not_finish_leaves_nothing) {
  {
    SampleWriter writer(path("s.h5"));
    push_rows(writer, 100, three, scattered, nowhere);
  }
  { const SampleWriter unused(path("s.h5")); }
  EXPECT_EQ(n_files(), 0U);
}

TEST_F(SamplesTest, the_true_network_stands_beside_the_samples) {
  const model::LearnedModel truth = some_model();
  write_samples(path("s.h5"), 100, three, scattered, nowhere, some_run(), &truth);
  expect_same(read_model(path("s.h5")), truth);
  EXPECT_EQ(read_samples(path("s.h5")).n_samples(), 100U);
}

TEST_F(SamplesTest, unstorable_names_are_refused) {
  const auto begin = [&](const std::vector<std::string>& names) {
    return message_of<InputError>([&] { SampleWriter(path("s.h5")).begin(names); });
  };
  EXPECT_NE(begin({}).find("no variable"), std::string::npos);
  EXPECT_NE(begin({"a", std::string("b\0c", 3)}).find("name 2"), std::string::npos);
  EXPECT_NE(begin({std::string(5000, 'n')}).find("5000 bytes"), std::string::npos);
  EXPECT_EQ(n_files(), 0U);
}

}  // namespace
}  // namespace orrery::store
