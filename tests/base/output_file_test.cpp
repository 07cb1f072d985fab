#include "base/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/progress.hpp"
#include "orrery/base/error.hpp"

namespace orrery {
namespace {

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest()
      : folder_(std::filesystem::temp_directory_path() /
                ("orrery_output_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~OutputFileTest() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }
  std::filesystem::path folder_;
};

TEST_F(OutputFileTest, appears_only_when_committed) {
  const auto path = folder_ / "model.h5";
  write_text_file(path, "old");
  {
    const OutputFile file(path);
    std::ofstream(file.temporary()) << "half";
    EXPECT_EQ(read_text_file(path), "old");
  }
  EXPECT_EQ(read_text_file(path), "old");
  EXPECT_EQ(files(), 1U);  // the temporary is gone
  OutputFile file(path);
  std::ofstream(file.temporary()) << "new";
  file.commit();
  EXPECT_EQ(read_text_file(path), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFileTest, pieces_appear_together_when_finished) {
  const auto path = folder_ / "rows.csv";
  write_text_file(path, "old");
  {
    StreamedOutput abandoned(path);
    abandoned.write("half");
  }
  StreamedOutput output(path);
  output.write("a,b\n");
  output.write("1,2\n");
  EXPECT_EQ(read_text_file(path), "old");
  output.finish();
  EXPECT_EQ(output.n_bytes(), 8U);
  EXPECT_EQ(read_text_file(path), "a,b\n1,2\n");
  EXPECT_EQ(files(), 1U);
}

/// A process that holds the temporary file of `path` until it is killed.
class Holder {
 public:
  explicit Holder(const std::filesystem::path& path) {
    int ready[2];
    if (::pipe(ready) != 0) return;
    process_ = ::fork();
    if (process_ == 0) {
      const OutputFile file(path);
      std::ofstream(file.temporary()) << "half";  // closing it must not end the lock
      (void)!::write(ready[1], "x", 1);
      while (true) ::pause();
    }
    char answer = 0;
    is_ready_ = ::read(ready[0], &answer, 1) == 1;
    ::close(ready[0]);
    ::close(ready[1]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { kill(); }
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
  bool is_ready_ = false;
};

TEST_F(OutputFileTest, what_a_killed_process_left_is_removed_by_the_next) {
  const auto path = folder_ / "model.h5";
  Holder holder(path);
  ASSERT_TRUE(holder.is_ready());
  EXPECT_EQ(files(), 1U);
  { const OutputFile file(path); }
  EXPECT_EQ(files(), 1U);  // of a process that lives
  {
    const OutputFile file(path);
    const OutputFile beside(path);  // of this process
    EXPECT_TRUE(std::filesystem::exists(file.temporary()));
    EXPECT_EQ(files(), 3U);
  }
  holder.kill();
  EXPECT_EQ(files(), 1U);
  { const OutputFile file(folder_ / "other.h5"); }
  EXPECT_EQ(files(), 1U);  // of another output
  write_text_file(path, "new");
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(read_text_file(path), "new");
}

TEST_F(OutputFileTest, nothing_but_own_temporaries_is_removed) {
  const auto make = [&](const std::string& name) { std::ofstream(folder_ / name) << "kept"; };
  make(".model.h5.backup");          // as rsync and mkstemp name files
  make(".model.h5.orrery-abc12");    // too short
  make(".model.h5.orrery-abc1234");  // too long
  make(".model.h5.orrery-abc_23");   // no character of ours
  make(".modelXh5.orrery-abc123");
  make("model.h5.orrery-abc123");
  std::filesystem::create_directory(folder_ / ".model.h5.orrery-folder");
  std::filesystem::create_symlink("model.h5.orrery-abc123", folder_ / ".model.h5.orrery-linked");
  const std::size_t kept = files();
  make(".model.h5.orrery-abc123");
  { const OutputFile file(folder_ / "model.h5"); }
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".model.h5.orrery-abc123"));
  EXPECT_EQ(files(), kept);
}

TEST_F(OutputFileTest, refuses_before_any_work_is_done) {
  EXPECT_THROW(OutputFile(folder_ / "absent" / "model.h5"), EnvironmentError);
  EXPECT_THROW(OutputFile{folder_}, EnvironmentError);
}

TEST_F(OutputFileTest, reading_says_what_is_wrong) {
  EXPECT_THROW(read_text_file(folder_ / "absent"), InputError);
  EXPECT_THROW(read_text_file(folder_), InputError);
}

TEST(Format, durations_bytes_and_counts_read_like_words) {
  EXPECT_EQ(format_duration(1.25), "1.2 s");
  EXPECT_EQ(format_duration(185), "3 min 05 s");
  EXPECT_EQ(format_duration(7800), "2 h 10 min");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(12.34e6), "12.3 MB");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_count(12), "12");
}

}  // namespace
}  // namespace orrery
