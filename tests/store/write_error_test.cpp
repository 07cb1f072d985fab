// What could not be written is reported, and what was there before stays.
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>

#include "store/store_fixture.hpp"

namespace orrery::store {
namespace {

class WriteErrorTest : public StoreTest {
 protected:
  void SetUp() override { testing::internal::CaptureStderr(); }
  void TearDown() override { EXPECT_EQ(testing::internal::GetCapturedStderr(), ""); }

  using Write = std::function<void(const std::filesystem::path&)>;
  /// Returns the error, empty if there was none.
  static std::string try_to(const Write& write, const std::filesystem::path& path) {
    try {
      write(path);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// 1,000 x 200 samples and their network.
  static void write_many_samples(const std::filesystem::path& path) {
    const model::LearnedModel truth = some_model();
    write_samples(path, 1000, std::vector<std::string>(200, "name"), scattered, nowhere, some_run(),
                  &truth);
  }
  /// The same work with ever larger limits: each must fail and change nothing, up to the last.
  void expect_failures_until_it_fits(const Write& write) const;
};

/// No file may grow beyond this, as with `ulimit -f`.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

void WriteErrorTest::expect_failures_until_it_fits(const Write& write) const {
  const std::string before = bytes_of(path("s.h5"));
  int failures = 0;
  bool fits = false;
  for (rlim_t bytes = 0; !fits; bytes += 512) {
    SCOPED_TRACE(bytes);
    ASSERT_LT(bytes, 1U << 20U);
    std::string message;
    {
      const FileSizeLimit limit(bytes);
      message = try_to(write, path("s.h5"));
    }
    fits = message.empty();
    if (!fits) {
      ++failures;
      EXPECT_EQ(message.find(path("s.h5").string()), 0U) << message;
      EXPECT_NE(message.find("File too large"), std::string::npos) << message;
      EXPECT_EQ(bytes_of(path("s.h5")), before);
    }
    EXPECT_EQ(n_files(), 1U);
  }
  EXPECT_GT(failures, 20);
}

TEST_F(WriteErrorTest, samples_that_fail_anywhere_keep_the_previous_file) {
  write_samples(path("s.h5"), 10, {"a", "b"});
  expect_failures_until_it_fits(write_many_samples);
  EXPECT_EQ(read_samples(path("s.h5")).n_samples(), 1000U);
}

TEST_F(WriteErrorTest, a_checkpoint_that_fails_anywhere_keeps_the_previous_one) {
  write_checkpoint(path("s.h5"), some_checkpoint(), some_run());
  Checkpoint next = some_checkpoint();
  next.words["finished"].assign(2000, 1);
  expect_failures_until_it_fits(
      [&](const std::filesystem::path& path) { write_checkpoint(path, next, some_run()); });
  EXPECT_EQ(read_checkpoint(path("s.h5")), next);
}

TEST_F(WriteErrorTest, a_full_disk_keeps_the_previous_file) {
  const std::filesystem::path disk = path("disk");
  std::filesystem::create_directory(disk);
  int failures = 0;
  bool fits = false;
  for (int kilobytes = 16; !fits; kilobytes += 4) {
    SCOPED_TRACE(kilobytes);
    ASSERT_LT(kilobytes, 1024);
    const std::string size = fmt::format("size={}k", kilobytes);
    if (::mount("none", disk.c_str(), "tmpfs", 0, size.c_str()) != 0) {
      GTEST_SKIP() << "mounting a small file system needs root";
    }
    write_model(disk / "s.h5", model::LearnedModel(), RunInfo());
    const std::string before = bytes_of(disk / "s.h5");
    const std::string message = try_to(write_many_samples, disk / "s.h5");
    const std::string after = bytes_of(disk / "s.h5");
    // A file that HDF5 still held open would make this fail.
    const int unmounted = ::umount(disk.c_str());
    if (unmounted != 0) {
      ::umount2(disk.c_str(), MNT_DETACH);
    }
    EXPECT_EQ(unmounted, 0);
    fits = message.empty();
    if (!fits) {
      ++failures;
      EXPECT_NE(message.find("No space left on device"), std::string::npos) << message;
      EXPECT_EQ(after, before);
    }
  }
  EXPECT_GT(failures, 3);
}

TEST_F(WriteErrorTest, the_directory_must_exist_and_be_writable) {
  EXPECT_THROW(SampleWriter(path("no/such/s.h5")), EnvironmentError);
  EXPECT_THROW(write_model(path("no/such/m.h5"), some_model(), some_run()), EnvironmentError);
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root cannot be denied a directory";
  }
  std::filesystem::create_directory(path("closed"));
  std::filesystem::permissions(
      path("closed"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THROW(SampleWriter(path("closed/s.h5")), EnvironmentError);
}

TEST_F(WriteErrorTest, a_directory_is_no_file) {
  std::filesystem::create_directory(path("s.h5"));
  EXPECT_THROW(SampleWriter(path("s.h5")), EnvironmentError);
}

}  // namespace
}  // namespace orrery::store
