#include "orrery/base/output_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "orrery/base/error.hpp"
#include "orrery/base/progress.hpp"

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
