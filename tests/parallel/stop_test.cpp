// A signal to one rank stops all of them between two units. A program of its own: a team that was
// asked to stop stays so.
#include "parallel/stop.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>

#include "parallel/team.hpp"
#include "parallel/the_team.hpp"

namespace orrery::parallel {
namespace {

TEST(StopTest, a_signal_to_the_last_rank_stops_all_and_no_unit_is_lost) {
  const Team& team = the_team();
  stop_on_signals();
  constexpr std::uint64_t n_units = 1'000'000;
  Units units{n_units, 0, {}};
  Progress progress("test", n_units, "units");
  std::vector<std::uint64_t> finished{0};
  const bool signals = team.rank() == team.size() - 1;
  const auto begin = Team::Clock::now();
  const auto stretch = team.run_units(units, 1, begin + std::chrono::hours(1), progress,
                                      [&](std::uint64_t, int /*thread*/) {
                                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                        if (signals && finished[0] == 20) std::raise(SIGUSR1);
                                        if (team.stop_requested())
                                          return false;  // in the middle of the unit
                                        ++finished[0];
                                        return true;
                                      });
  EXPECT_EQ(stretch.pause, Team::Pause::stop);
  if (team.is_root()) {  // others may hear of it a little later
    EXPECT_TRUE(team.stop_requested());
  }
  EXPECT_LT(units.next, n_units / 2);
  team.sum_words(finished);
  EXPECT_EQ(finished[0], units.next - units.returned.size());

  // Work that knows no pause is finished all the same.
  std::vector<std::uint64_t> others{0};
  std::mutex counting;
  team.for_each_unit(100, 2, progress, [&](std::uint64_t /*unit*/, int /*thread*/) {
    const std::lock_guard lock(counting);
    ++others[0];
  });
  team.sum_words(others);
  EXPECT_EQ(others[0], 100U);
}

}  // namespace
}  // namespace orrery::parallel
