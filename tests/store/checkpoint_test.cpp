// Unfinished runs: whole or refused.
#include "store/edit_file.hpp"
#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

using CheckpointTest = StoreTest;

std::string checkpoint_refusal(const std::filesystem::path& path) {
  return message_of<InputError>([&] { static_cast<void>(read_checkpoint(path)); });
}

void set_version(const std::filesystem::path& path, std::uint32_t version) {
  edit_file(path, [&](hid_t file) {
    replace_attribute(file, "checkpoint", "version", H5T_STD_U32LE, &version);
  });
}

TEST_F(CheckpointTest, a_checkpoint_round_trips) {
  write_checkpoint(path("c.h5"), some_checkpoint(), some_run());
  EXPECT_EQ(read_checkpoint(path("c.h5")), some_checkpoint());
  const FileContents contents = inspect(path("c.h5"));
  EXPECT_TRUE(contents.has("checkpoint"));
  EXPECT_FALSE(contents.has("samples") || contents.has("moments") || contents.has("model"));
  EXPECT_EQ(contents.run.value().stages, some_run().stages);
}

TEST_F(CheckpointTest, an_empty_checkpoint_round_trips) {
  write_checkpoint(path("c.h5"), Checkpoint(), RunInfo());
  EXPECT_EQ(read_checkpoint(path("c.h5")), Checkpoint());
}

TEST_F(CheckpointTest, many_arrays_round_trip) {
  Checkpoint state = some_checkpoint();
  for (std::uint64_t i = 0; i < 300; ++i) {
    state.words[fmt::format("depth {}.é", i)] = std::vector<std::uint64_t>(i % 3, i);
    state.options.emplace_back(fmt::format("option {}", i), std::string(i, 'x'));
  }
  write_checkpoint(path("c.h5"), state, some_run());
  EXPECT_EQ(read_checkpoint(path("c.h5")), state);
}

TEST_F(CheckpointTest, two_writes_are_byte_identical) {
  write_checkpoint(path("1.h5"), some_checkpoint(), some_run());
  write_checkpoint(path("2.h5"), some_checkpoint(), some_run());
  EXPECT_EQ(bytes_of(path("1.h5")), bytes_of(path("2.h5")));
}

TEST_F(CheckpointTest, a_large_array_is_not_copied) {
#ifdef ORRERY_SANITIZED
  GTEST_SKIP() << "sanitizers keep what was freed";
#endif
  Checkpoint state = some_checkpoint();
  std::vector<std::uint64_t>& large = state.words["large"];
  large.resize(std::size_t{16} << 20U);  // 128 MiB
  for (std::size_t i = 0; i < large.size(); ++i) {
    large[i] = i * 0x9e3779b97f4a7c15U;
  }
  const long before = peak_mebibytes();
  write_checkpoint(path("c.h5"), state, some_run());
  EXPECT_LT(peak_mebibytes() - before, 32) << "MiB";
  const Checkpoint found = read_checkpoint(path("c.h5"));
  EXPECT_LT(peak_mebibytes() - before, 128 + 32) << "MiB";
  EXPECT_TRUE(found == state);
}

TEST_F(CheckpointTest, another_version_is_refused_with_both_named) {
  write_checkpoint(path("c.h5"), some_checkpoint(), some_run());
  set_version(path("c.h5"), 2);
  expect_parts(checkpoint_refusal(path("c.h5")),
               {"version 2", "this orrery reads 1", "newer orrery"});
  set_version(path("c.h5"), 0);
  expect_parts(checkpoint_refusal(path("c.h5")), {"version 0", "this orrery reads 1"});
}

TEST_F(CheckpointTest, what_is_no_checkpoint_is_refused) {
  expect_parts(checkpoint_refusal(path("absent.h5")), {"absent.h5", "no such file"});
  write_model(path("m.h5"), some_model(), some_run());
  expect_parts(checkpoint_refusal(path("m.h5")), {"no /checkpoint", "/model"});
  put_bytes(path("text.h5"), "state");
  expect_parts(checkpoint_refusal(path("text.h5")), {"not an HDF5 file"});
}

TEST_F(CheckpointTest, a_damaged_array_is_refused_by_name) {
  write_checkpoint(path("c.h5"), some_checkpoint(), some_run());
  edit_file(path("c.h5"), [](hid_t file) {
    const hid_t dataset = H5Dopen2(file, "/checkpoint/reals/failure", H5P_DEFAULT);
    const double other = 0.75;
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &other);
    H5Dclose(dataset);
  });
  expect_parts(checkpoint_refusal(path("c.h5")), {"digest of /checkpoint/reals/failure"});
}

// Each array has a right digest of its own, but it is another array.
TEST_F(CheckpointTest, renamed_and_removed_arrays_are_refused) {
  write_checkpoint(path("c.h5"), some_checkpoint(), some_run());
  const std::string good = bytes_of(path("c.h5"));
  const auto move = [](hid_t file, const std::string& from, const std::string& to) {
    H5Lmove(file, ("/checkpoint/" + from).c_str(), file, ("/checkpoint/" + to).c_str(), H5P_DEFAULT,
            H5P_DEFAULT);
  };
  edit_file(path("c.h5"), [&](hid_t file) {
    move(file, "words/round", "words/spare");
    move(file, "words/finished", "words/round");
    move(file, "words/spare", "words/finished");
  });
  expect_parts(checkpoint_refusal(path("c.h5")), {"digest of /checkpoint is"});
  put_bytes(path("c.h5"), good);
  edit_file(path("c.h5"),
            [](hid_t file) { H5Ldelete(file, "/checkpoint/words/candidates", H5P_DEFAULT); });
  expect_parts(checkpoint_refusal(path("c.h5")), {"digest of /checkpoint is"});
}

}  // namespace
}  // namespace orrery::store
