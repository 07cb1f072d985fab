// Whatever happens to a file's bytes, reading gives the same data or an InputError.
#include <optional>

#include "orrery/base/random.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

struct Everything {
  data::SampleMatrix samples;
  model::LearnedModel model;
  FileContents contents;
};

class DamageTest : public StoreTest {
 protected:
  DamageTest() {
    const model::LearnedModel truth = some_model();
    const Cell some = [](std::uint64_t row, std::size_t c) { return (row + c) % 31 == 0; };
    write_samples(path("good.h5"), 150, {"a", "b", "c", "d", "e"}, scattered, some, some_run(),
                  &truth);
    good_ = bytes_of(path("good.h5"));
    expected_ = read(path("good.h5")).value();
  }
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

  /// All of a file; nothing after an InputError. Any other error fails the test.
  static std::optional<Everything> read(const std::filesystem::path& path) {
    try {
      return Everything{read_samples(path), read_model(path), inspect(path)};
    } catch (const InputError&) {
      return std::nullopt;
    }
  }
  /// Reads `bytes` as a file; true if it was refused.
  bool refused_or_same(const std::string& bytes) const {
    put_bytes(path("damaged.h5"), bytes);
    const std::optional<Everything> found = read(path("damaged.h5"));
    if (!found) {
      return true;
    }
    EXPECT_EQ(found->samples.names, expected_.samples.names);
    EXPECT_EQ(found->samples.digest, expected_.samples.digest);
    EXPECT_EQ(found->samples.values, expected_.samples.values);
    EXPECT_EQ(found->samples.missing.value(), expected_.samples.missing.value());
    expect_equal(found->model, expected_.model);
    EXPECT_EQ(found->contents.run.value().command_line, expected_.contents.run->command_line);
    EXPECT_EQ(found->contents.run->seed, expected_.contents.run->seed);
    EXPECT_EQ(found->contents.run->stages, expected_.contents.run->stages);
    return false;
  }

  std::string good_;
  Everything expected_;
};

TEST_F(DamageTest, one_flipped_bit_is_found_or_harmless) {
  RowRandom random(1, Stream::check, 0);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = good_;
    const std::size_t at = random.below(bytes.size());
    const auto bit = static_cast<unsigned>(random.below(8));
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit));
    SCOPED_TRACE(testing::Message() << "bit " << bit << " of byte " << at);
    refused += refused_or_same(bytes) ? 1 : 0;
  }
  // Some of the file is room that HDF5 left unused; the rest must be noticed.
  EXPECT_GT(refused, 50);
}

TEST_F(DamageTest, an_overwritten_stretch_is_found_or_harmless) {
  RowRandom random(2, Stream::check, 0);
  for (int i = 0; i < 100; ++i) {
    std::string bytes = good_;
    const std::size_t from = random.below(bytes.size() - 16);
    for (std::size_t k = 0; k < 16; ++k) {
      bytes[from + k] = static_cast<char>(random.below(256));
    }
    SCOPED_TRACE(testing::Message() << "bytes from " << from);
    refused_or_same(bytes);
  }
}

TEST_F(DamageTest, a_truncated_file_is_refused) {
  RowRandom random(3, Stream::check, 0);
  for (int i = 0; i < 100; ++i) {
    const std::size_t length = random.below(good_.size());
    EXPECT_TRUE(refused_or_same(good_.substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace orrery::store
