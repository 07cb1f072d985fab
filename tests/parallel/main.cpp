// main of the programs that are started with ranks.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "parallel/the_team.hpp"

namespace orrery::parallel {
namespace {
std::unique_ptr<Team> joined;
}  // namespace

const Team& the_team() { return *joined; }

namespace {

int run_tests(int* argc, char*** argv) {
  testing::InitGoogleTest(argc, *argv);
  joined = std::make_unique<Team>(argc, argv);
  // ctest names the ranks it started: a program that sees fewer runs without MPI, and proves
  // nothing.
  const char* expected = std::getenv("ORRERY_TEST_RANKS");
  if (expected != nullptr && std::atoi(expected) != joined->size()) {
    std::fprintf(stderr, "started with %s ranks, but the team has %d\n", expected, joined->size());
    return 1;
  }
  const int result = RUN_ALL_TESTS();
  joined.reset();
  return result;
}

}  // namespace
}  // namespace orrery::parallel

int main(int argc, char** argv) { return orrery::parallel::run_tests(&argc, &argv); }
