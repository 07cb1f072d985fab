// The file of --log, as a reader finds it.
#include "base/log_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "orrery/base/error.hpp"

namespace {

namespace fs = std::filesystem;
namespace log = orrery::log;

class LogFile : public testing::Test {
 protected:
  LogFile() { fs::remove(path); }
  ~LogFile() override {
    log::end_file(0);
    log::configure(log::Level::normal, true);
    fs::remove(path);
  }
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> all;
    std::ifstream in(path);
    const std::regex form("....-..-..T..:..:..Z (.*)");
    for (std::string line; std::getline(in, line);) {
      std::smatch parts;
      EXPECT_TRUE(std::regex_match(line, parts, form)) << line;
      all.push_back(parts[1]);
    }
    return all;
  }
  void begin(bool speaks = true) const {
    log::open_file(path, speaks);
    log::add_to_file("start", "orrery test");
  }

  // Tests run beside each other.
  const fs::path path = testing::TempDir() + "log_file_test_" +
                        testing::UnitTest::GetInstance()->current_test_info()->name() + ".log";
};

TEST_F(LogFile, every_level_goes_there_however_quiet_the_screen) {
  log::configure(log::Level::quiet, true);
  begin();
  log::warning("a {}", 1);
  log::info("b");
  log::verbose("c\nd");
  log::end_file(3);
  const std::vector<std::string> found = lines();
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0], "start: orrery test");
  EXPECT_EQ(found[1], "warning: a 1");
  EXPECT_EQ(found[2], "b");
  EXPECT_EQ(found[3], "c\\x0ad");  // one line each
  EXPECT_TRUE(found[4].starts_with("end: exit code 3 after ")) << found[4];
}

TEST_F(LogFile, nothing_is_added_after_its_end_or_while_hushed) {
  begin();
  const bool before = log::hush(true);
  log::warning("of a part");
  log::hush(before);
  log::end_file(0);
  log::verbose("late");
  EXPECT_EQ(lines().size(), 2U);
}

TEST_F(LogFile, runs_follow_one_another) {
  begin();
  log::end_file(0);
  begin();
  log::end_file(4);
  EXPECT_EQ(lines().size(), 4U);
}

TEST_F(LogFile, a_rank_that_does_not_speak_adds_its_error_alone) {
  begin();
  log::end_file(0);
  log::configure(log::Level::normal, false);
  log::open_file(path, false);
  log::warning("unheard");
  log::write_error("rank 1 of 2");
  EXPECT_EQ(lines().back(), "error: rank 1 of 2");
  EXPECT_EQ(lines().size(), 3U);
}

TEST_F(LogFile, any_other_file_is_refused_and_stays) {
  std::ofstream(path) << "a,b\n1,0\n";
  EXPECT_THROW(log::open_file(path, true), orrery::UsageError);
  log::write_error("refused");
  EXPECT_EQ(fs::file_size(path), 8U);
  EXPECT_THROW(log::open_file(testing::TempDir() + "absent/x.log", true), orrery::EnvironmentError);
}

TEST_F(LogFile, a_signal_has_its_number) {
  begin();
  log::end_file_by_signal(15);
  EXPECT_EQ(lines().back(), "end: by signal 15");
}

}  // namespace
