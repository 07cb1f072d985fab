// What a program of that name may do that is no answer: each ends in words. Scripts take its place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "families/noisy_or/anchored/moments/marginal_polytope.hpp"
#include "orrery/base/error.hpp"

namespace orrery::anchored {
namespace {

namespace fs = std::filesystem;

/// A folder, with a space in its name, that is all of the PATH.
class Toulbar2Fakes : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("orrery fakes " + std::to_string(::getpid()));
    fs::create_directory(folder_);
    path_ = std::getenv("PATH");
    ::setenv("PATH", folder_.c_str(), 1);
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  void fake(const std::string& commands) {
    const fs::path file = folder_ / "toulbar2";
    std::ofstream(file) << "#!/bin/sh\n" << commands << "\n";
    fs::permissions(file, fs::perms::owner_all);
  }
  /// The least of x0 - 2 x1 + 3 x0 x1 + 1 by the program on the PATH, in halves, and 4 of them
  /// more.
  static Minimum least(double target = HUGE_VAL) {
    const ProductBasis basis(2, 2);
    const LinearForm form{1, (Eigen::VectorXd(3) << 1, -2, 3).finished()};
    return minimise_by_toulbar2(find_toulbar2(), basis, form, target, {.precision = 1.5});
  }
  static std::string refusal() {
    try {
      (void)least();
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "no error";
  }
  static void expect_refusal(const std::string& part) {
    EXPECT_NE(refusal().find(part), std::string::npos) << refusal();
  }

  fs::path folder_;
  std::string path_;
};

TEST_F(Toulbar2Fakes, a_missing_program_is_named_with_its_package_and_what_does_without) {
  for (const char* part :
       {"toulbar2 on the PATH", "Debian package toulbar2", "--integer-program cbc"}) {
    expect_refusal(part);
  }
  std::ofstream(folder_ / "toulbar2") << "not executable\n";
  expect_refusal("toulbar2 on the PATH");
  fs::remove(folder_ / "toulbar2");
  fs::create_directory(folder_ / "toulbar2");
  expect_refusal("toulbar2 on the PATH");
}

TEST_F(Toulbar2Fakes, an_answer_is_read) {
  fake("echo 'New solution: 0 (0 backtracks)'; echo ' 0 1'; echo 'Optimum: 0 in 0 backtracks'");
  const Minimum minimum = least();
  ASSERT_EQ(minimum.vertices.size(), 1U);
  EXPECT_EQ(minimum.vertices[0], (Eigen::VectorXd(3) << 0, 1, 0).finished());
  EXPECT_EQ(minimum.bound, -1);
  fake("echo 'No solution in 3 backtracks'");
  EXPECT_EQ(least(-1.25).bound, -1.25);
  EXPECT_TRUE(least(-1.25).vertices.empty());
  fake(
      "echo 'Optimality gap: [-9, 5] 1 %'; echo 'Optimality gap: [-3, 5] 1 %'; "
      "echo 'No solution found in 3 backtracks'");
  EXPECT_EQ(least().bound, 1 - 7 / 2.);
}

TEST_F(Toulbar2Fakes, what_is_written_is_the_polynomial) {
  fake("while read -r line; do echo \"$line\"; done >'" + (folder_ / "given").string() +
       "'; echo \"$@\" >>'" + (folder_ / "given").string() + "'; echo 'No solution in 0'");
  (void)least(-.25);
  std::ifstream in(folder_ / "given");
  const std::string given((std::istreambuf_iterator<char>(in)), {});
  EXPECT_EQ(given,
            "{\"problem\":{\"name\":\"orrery\",\"mustbe\":\"<2\"},\n"
            "\"variables\":{\"x0\":2,\"x1\":2},\n\"functions\":{\n"
            "\"f0\":{\"scope\":[\"x0\"],\"costs\":[0,2]},\n"
            "\"f1\":{\"scope\":[\"x1\"],\"costs\":[4,0]},\n"
            "\"f2\":{\"scope\":[\"x0\",\"x1\"],\"costs\":[0,0,0,6]}}}\n"
            "--stdin=cfn -s -bt=500000\n");
}

TEST_F(Toulbar2Fakes, nonsense_is_refused) {
  fake("echo 'hello, world'");
  expect_refusal("its last line is 'hello, world'");
  fake("exit 0");
  expect_refusal("its last line is ''");
  // As a signal from without ends it: with exit code 0.
  fake("echo 'Optimality gap: [-9, 5] 1 %'; echo 'Time limit expired... Aborting...'");
  expect_refusal("'Time limit expired... Aborting...'");
  fake("echo 'New solution: 0'; echo ' 1 0'; echo 'Optimum: 0 in 0'");  // not its value
  expect_refusal("without a result that is understood");
  fake("echo 'New solution: 0'; echo ' 0 2'; echo 'Optimum: 0 in 0'");
  expect_refusal("without a result that is understood");
  fake("echo 'Optimum: many in 0'");
  expect_refusal("without a result that is understood");
  fake("echo 'No solution found in 3 backtracks'");  // and no bound
  expect_refusal("without a result that is understood");
}

TEST_F(Toulbar2Fakes, crashes_are_told) {
  fake("kill -SEGV $$");
  expect_refusal("was ended by signal 11 (Segmentation fault)");
  fake("echo 'first' >&2; echo 'out of luck' >&2; echo 'Optimum: 0 in 0'; exit 3");
  expect_refusal("failed with exit code 3: out of luck");
  std::ofstream(folder_ / "toulbar2") << "#!/absent/interpreter\n";
  expect_refusal("cannot be started");
}

}  // namespace
}  // namespace orrery::anchored
