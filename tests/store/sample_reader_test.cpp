// Samples read in parts: each block whole or refused, whatever the others are.
#include <array>
#include <thread>

#include "store/edit_file.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

constexpr std::uint64_t block_size = 65536;
constexpr std::uint64_t n_stored_rows = 3 * block_size + 70;
bool some(std::uint64_t row, std::size_t column) { return (row + column) % 97 == 5; }

class SampleReaderTest : public StoreTest {
 protected:
  void write_blocks(const Cell& missing = nowhere) const {
    write_samples(path("s.h5"), n_stored_rows, three, scattered, missing);
  }
};

std::size_t wrong_cells(const SampleReader::Block& block, std::size_t number, const Cell& missing) {
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < block.values.n_rows(); ++row) {
    for (std::size_t c = 0; c < three.size(); ++c) {
      const std::uint64_t at = number * block_size + row;
      wrong += block.values.at(row, c) != (!missing(at, c) && scattered(at, c)) ? 1 : 0;
      wrong += block.missing && block.missing->at(row, c) != missing(at, c) ? 1 : 0;
    }
  }
  return wrong;
}

TEST_F(SampleReaderTest, blocks_are_read_in_any_order) {
  write_blocks(some);
  const SampleReader reader(path("s.h5"));
  EXPECT_EQ(reader.names(), three);
  EXPECT_EQ(reader.header().n_samples, n_stored_rows);
  EXPECT_EQ(reader.header().digest, read_samples(path("s.h5")).digest);
  ASSERT_EQ(reader.n_blocks(), 4U);
  EXPECT_EQ(reader.rows_of(0), block_size);
  EXPECT_EQ(reader.rows_of(3), 70U);
  EXPECT_EQ(reader.bytes_read(), 0U);
  for (const std::size_t block : {3, 0, 2, 2, 1}) {
    const SampleReader::Block found = reader.read(block);
    ASSERT_TRUE(found.missing);
    EXPECT_EQ(found.values.n_rows(), reader.rows_of(block));
    EXPECT_EQ(wrong_cells(found, block, some), 0U) << block;
  }
  EXPECT_EQ(reader.bytes_read(), 2 * 3 * 8 * (4 * block_size / 64 + 2));
}

TEST_F(SampleReaderTest, a_file_without_rows_has_no_block) {
  write_samples(path("s.h5"), 0, three);
  EXPECT_EQ(SampleReader(path("s.h5")).n_blocks(), 0U);
}

TEST_F(SampleReaderTest, rows_in_memory_are_read_as_their_file_is) {
  for (const auto& missing : {Cell(some), Cell(nowhere)}) {
    write_blocks(missing);
    const SampleReader stored(path("s.h5"));
    data::SampleMatrix samples = read_samples(path("s.h5"));
    if (!samples.missing) samples.missing.emplace(three.size(), n_stored_rows);  // of nothing
    const SampleReader held(std::move(samples));
    EXPECT_EQ(held.names(), stored.names());
    EXPECT_EQ(held.header().digest, stored.header().digest);
    EXPECT_EQ(held.header().has_missing, stored.header().has_missing);
    ASSERT_EQ(held.n_blocks(), stored.n_blocks());
    for (std::size_t block = 0; block < held.n_blocks(); ++block) {
      ASSERT_EQ(held.rows_of(block), stored.rows_of(block));
      EXPECT_EQ(wrong_cells(held.read(block), block, missing), 0U);
    }
  }
}

TEST_F(SampleReaderTest, threads_may_read_at_once) {
  write_blocks();
  const SampleReader reader(path("s.h5"));
  std::vector<std::size_t> wrong(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < 4; ++i) {
        wrong[t] += wrong_cells(reader.read((i + t) % 4), (i + t) % 4, nowhere);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(wrong, std::vector<std::size_t>(4, 0));
}

/// Changes the word of the second column at which block 2 begins.
void damage_block_2(const std::filesystem::path& path, const char* dataset) {
  edit_file(path, [&](hid_t file) {
    const hid_t bits = H5Dopen2(file, dataset, H5P_DEFAULT);
    const hid_t space = H5Dget_space(bits);
    const hsize_t at[] = {1, 2 * block_size / 64};
    H5Sselect_elements(space, H5S_SELECT_SET, 1, at);
    const hid_t memory = H5Screate(H5S_SCALAR);
    const std::uint64_t word = 42;
    EXPECT_GE(H5Dwrite(bits, H5T_NATIVE_UINT64, memory, space, H5P_DEFAULT, &word), 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(bits);
  });
}

TEST_F(SampleReaderTest, a_damaged_block_is_refused_and_the_others_are_read) {
  for (const std::string name : {"bits", "missing"}) {
    SCOPED_TRACE(name);
    write_blocks(some);
    damage_block_2(path("s.h5"), ("/samples/" + name).c_str());
    const SampleReader reader(path("s.h5"));
    for (const std::size_t block : {0, 1, 3}) {
      EXPECT_EQ(wrong_cells(reader.read(block), block, some), 0U) << block;
    }
    const std::string message = message_of<InputError>([&] { static_cast<void>(reader.read(2)); });
    expect_parts(message, {path("s.h5").string(), "block 2 of /samples/" + name,
                           "rows 131072 to 196607", "its values give", "restore a copy"});
    EXPECT_EQ(message_of<InputError>([&] { static_cast<void>(read_samples(path("s.h5"))); }),
              message);
  }
}

// Blocks that changed places have right digests, each for itself.
TEST_F(SampleReaderTest, exchanged_digests_are_refused) {
  write_blocks();
  edit_file(path("s.h5"), [](hid_t file) {
    const hid_t digests = H5Dopen2(file, "/samples/block_digests", H5P_DEFAULT);
    std::array<std::uint64_t, 4> values{};
    H5Dread(digests, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    std::swap(values[0], values[1]);
    EXPECT_GE(H5Dwrite(digests, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
              0);
    H5Dclose(digests);
  });
  expect_parts(message_of<InputError>([&] { const SampleReader reader(path("s.h5")); }),
               {"digest of /samples/block_digests"});
}

TEST_F(SampleReaderTest, all_samples_are_held_once) {
#ifdef ORRERY_SANITIZED
  GTEST_SKIP() << "sanitizers keep what was freed";
#endif
  std::vector<std::string> names(512, "v");
  // 128 MiB of bits in blocks of 4 MiB.
  constexpr std::uint64_t n_many = std::uint64_t{32} * block_size;
  {
    SampleWriter writer(path("large.h5"));
    writer.begin(names);
    data::BitColumns block(names.size(), data::block_rows(names.size()));
    for (std::uint64_t row = 0; row < n_many; row += block.n_rows()) {
      for (std::size_t w = 0; w < block.words().size(); ++w) {
        block.words()[w] = (row + w) * 0x9e3779b97f4a7c15U;
      }
      writer.append(block, nullptr);
    }
    writer.finish(some_run());
  }
  const long before = peak_mebibytes();
  const data::SampleMatrix matrix = read_samples(path("large.h5"));
  EXPECT_LT(peak_mebibytes() - before, 128 + 24) << "MiB";
  EXPECT_EQ(matrix.values.word(511, matrix.values.n_words() - 1),
            (n_many - data::block_rows(512) + 512 * 1024 - 1) * 0x9e3779b97f4a7c15U);
}

}  // namespace
}  // namespace orrery::store
