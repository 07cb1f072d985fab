#include "base/program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "orrery/base/error.hpp"

namespace orrery {
namespace {

std::string by_shell(const std::string& commands, std::string_view input = {}) {
  return run_program("/bin/sh", {"-c", commands}, input);
}

TEST(Program, what_it_is_given_and_says_may_be_more_than_a_pipe_holds) {
  const std::string input(3'000'000, 'x');
  EXPECT_EQ(by_shell("cat", input), input);
  EXPECT_EQ(by_shell("cat"), "");
  EXPECT_EQ(by_shell("exit 0", input), "");
}

TEST(Program, words_reach_it_as_they_are) {
  EXPECT_EQ(run_program("/bin/echo", {"a  b", "$HOME", "'"}, {}), "a  b $HOME '\n");
}

TEST(Program, it_has_three_open_files) {
  const int open = ::open("/dev/null", O_RDONLY);  // and not closed on exec
  EXPECT_EQ(by_shell("for f in /proc/self/fd/*; do :; done; ls /proc/$$/fd"), "0\n1\n2\n");
  ::close(open);
}

TEST(Program, it_is_a_process_group_of_its_own) {
  const std::string group = by_shell("cut -d' ' -f5 /proc/$$/stat");
  EXPECT_NE(std::stoi(group), ::getpgrp());
}

TEST(Program, failures_are_told_with_the_last_line_of_errors) {
  try {
    (void)by_shell("echo one >&2; echo two >&2; exit 7");
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_STREQ(error.what(), "/bin/sh: failed with exit code 7: two");
  }
  try {
    (void)by_shell("kill -TERM $$");
    FAIL();
  } catch (const EnvironmentError& error) {
    EXPECT_STREQ(error.what(), "/bin/sh: was ended by signal 15 (Terminated)");
  }
  EXPECT_THROW((void)run_program("/absent/program", {}, {}), EnvironmentError);
}

TEST(Program, a_handler_of_signals_ends_it_and_what_it_has_started) {
  std::atomic<bool> ended = false;
  std::string told;
  std::thread runner([&] {
    try {
      (void)by_shell("sleep 600; exit 0");
    } catch (const EnvironmentError& error) {
      told = error.what();
    }
    ended = true;
  });
  while (!ended) {
    kill_programs();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  runner.join();
  EXPECT_EQ(told, "/bin/sh: was ended by signal 9 (Killed)");
}

/// The end may come right after the program's first step, before the thread that started the
/// program goes on: one call must be enough.
TEST(Program, one_call_ends_it_from_its_first_step_on) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "first_step";
  for (int round = 0; round < 50; ++round) {
    std::filesystem::remove(file);
    std::string told;
    std::thread runner([&] {
      try {
        (void)by_shell(": >'" + file.string() + "'; exec sleep 600");
      } catch (const EnvironmentError& error) {
        told = error.what();
      }
    });
    while (!std::filesystem::exists(file)) std::this_thread::yield();
    kill_programs();
    runner.join();
    ASSERT_EQ(told, "/bin/sh: was ended by signal 9 (Killed)");
  }
}

TEST(Program, it_is_looked_for_on_the_path) {
  EXPECT_TRUE(find_program("sh").is_absolute());
  EXPECT_TRUE(find_program("orrery-no-such-program").empty());
}

}  // namespace
}  // namespace orrery
