// The team's promises, at whatever number of ranks this program is started with: ctest starts it
// alone, and under mpirun with 1, 2, 3 and 7 ranks.
#include "parallel/team.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>

#include "parallel/the_team.hpp"

namespace orrery::parallel {
namespace {

const Team& team() { return the_team(); }

std::vector<std::uint64_t> times_handed_out(std::size_t n_units, int n_threads) {
  std::vector<std::atomic<std::uint64_t>> own(n_units);
  Progress progress("test", n_units, "units");
  team().for_each_unit(n_units, n_threads, progress,
                       [&](std::size_t unit, int /*thread*/) { ++own.at(unit); });
  std::vector<std::uint64_t> all(own.begin(), own.end());
  team().sum_words(all);
  return all;
}

TEST(TeamTest, every_unit_is_handed_out_once_over_ranks_and_threads) {
  for (const int threads : {1, 2, 3}) {
    for (const std::size_t n_units : {0, 1, 2, 100, 1000}) {
      EXPECT_EQ(times_handed_out(n_units, threads), std::vector<std::uint64_t>(n_units, 1))
          << n_units << " units, " << threads << " threads";
    }
  }
}

TEST(TeamTest, threads_are_numbered_from_zero) {
  std::atomic<int> lowest{1000};
  std::atomic<int> highest{-1};
  Progress progress("test", 200, "units");
  team().for_each_unit(200, 2, progress, [&](std::size_t /*unit*/, int thread) {
    if (thread < lowest) lowest = thread;
    if (thread > highest) highest = thread;
  });
  if (highest == -1) GTEST_SKIP() << "the other ranks took every unit";
  EXPECT_GE(lowest, 0);
  EXPECT_LT(highest, 2);
}

TEST(TeamTest, one_rank_has_the_last_word) {
  std::vector<std::uint64_t> claims{team().claim_last_word() ? 1U : 0U};
  team().sum_words(claims);
  EXPECT_EQ(claims[0], 1);
}

TEST(TeamTest, a_rank_alone_gets_units_in_rising_order) {
  if (team().size() > 1) GTEST_SKIP() << "with several ranks each sees a part";
  std::vector<std::size_t> order;
  Progress progress("test", 50, "units");
  team().for_each_unit(50, 1, progress,
                       [&](std::size_t unit, int /*thread*/) { order.push_back(unit); });
  std::vector<std::size_t> rising(50);
  std::iota(rising.begin(), rising.end(), 0U);
  EXPECT_EQ(order, rising);
}

TEST(TeamTest, an_exception_in_work_stops_the_rest_and_is_rethrown) {
  // With several ranks the caller must end the run after it: the others would wait for ever.
  if (team().size() > 1) GTEST_SKIP() << "for a rank alone";
  for (const int threads : {1, 2}) {
    std::atomic<std::size_t> done{0};
    Progress progress("test", 1'000'000, "units");
    const auto work = [&](std::size_t unit, int /*thread*/) {
      if (unit == 7) throw std::runtime_error("unit 7");
      ++done;
    };
    try {
      team().for_each_unit(1'000'000, threads, progress, work);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "unit 7");
    }
    if (threads == 1) {
      EXPECT_EQ(done, 7U);
    }
  }
}

TEST(TeamTest, units_are_handed_out_anew_in_the_next_round) {
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(times_handed_out(20, 2), std::vector<std::uint64_t>(20, 1)) << "round " << round;
  }
}

// Runs a stage in stretches that end as soon as possible; the last of `threads` x ranks gives some
// units back the first time. Every unit must be finished once in the end.
TEST(TeamTest, a_stage_in_stretches_finishes_every_unit_once) {
  constexpr std::uint64_t n_units = 200;
  std::vector<std::atomic<std::uint64_t>> finished(n_units);
  std::vector<std::atomic<std::uint64_t>> begun(n_units);
  Units units{n_units, 0, {}};
  Progress progress("test", n_units, "units");
  int stretches = 0;
  for (auto pause = Team::Pause::due; pause == Team::Pause::due; ++stretches) {
    const auto pause_at = Team::Clock::now() + std::chrono::milliseconds(2);
    pause = team()
                .run_units(units, 2, pause_at, progress,
                           [&](std::uint64_t unit, int /*thread*/) {
                             std::this_thread::sleep_for(std::chrono::microseconds(300));
                             if (unit % 7 == 0 && begun[unit]++ == 0) return false;
                             ++finished[unit];
                             return true;
                           })
                .pause;
    ASSERT_LT(stretches, 100'000);
  }
  EXPECT_TRUE(units.done());
  EXPECT_GT(stretches, 1);
  std::vector<std::uint64_t> all(finished.begin(), finished.end());
  team().sum_words(all);
  EXPECT_EQ(all, std::vector<std::uint64_t>(n_units, 1));
}

TEST(TeamTest, counts_are_summed_over_ranks) {
  const auto rank = static_cast<std::uint32_t>(team().rank());
  const auto size = static_cast<std::uint32_t>(team().size());
  std::vector<std::uint32_t> counts{1, rank};
  team().sum_counts(counts);
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{size, size * (size - 1) / 2}));
}

TEST(TeamTest, what_root_writes_is_on_every_host_once) {
  constexpr std::size_t n = 100'000;
  std::uint64_t* shared = team().host_words(n);
  std::vector<std::uint64_t> alone(shared == nullptr ? n : 0);
  std::uint64_t* words = shared == nullptr ? alone.data() : shared;
  if (team().is_root()) std::iota(words, words + n, 17U);
  team().broadcast_to_hosts(words, n);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += words[i] == 17 + i ? 0U : 1U;
  EXPECT_EQ(wrong, 0U);
  std::vector<std::uint64_t> leaders{team().leads_host() ? 1U : 0U};
  team().sum_words(leaders);
  const std::set<std::string> names(team().hosts().begin(), team().hosts().end());
  EXPECT_EQ(leaders[0], names.size());
  EXPECT_EQ(team().hosts().size(), static_cast<std::size_t>(team().size()));
}

TEST(TeamTest, sums_go_to_every_rank) {
  const auto rank = static_cast<std::uint64_t>(team().rank());
  const auto size = static_cast<std::uint64_t>(team().size());
  std::vector<std::uint64_t> words{1, rank, std::uint64_t{1} << 60U};
  team().sum_words(words);
  EXPECT_EQ(words, (std::vector<std::uint64_t>{size, size * (size - 1) / 2, size << 60U}));
}

TEST(TeamTest, each_rank_has_the_sums_of_its_part) {
  constexpr std::size_t n = 10;
  constexpr std::size_t width = 3;
  const auto ranks = static_cast<std::uint64_t>(team().size());
  const auto rank = static_cast<std::uint64_t>(team().rank());
  std::vector<std::uint64_t> words(n * width);
  for (std::uint64_t i = 0; i < n * width; ++i) words[i] = ((100 * i + rank) << 32U) + 1;
  team().sum_parts(words, width);
  const auto [begin, end] = team().part_of(n);
  for (std::size_t i = width * begin; i < width * end; ++i) {
    EXPECT_EQ(words[i], ((100 * i * ranks + ranks * (ranks - 1) / 2) << 32U) + ranks) << i;
  }
  // Parts follow each other, and leave nothing out.
  std::vector<std::uint64_t> owners(n, 0);
  for (std::size_t i = begin; i < end; ++i) ++owners[i];
  team().sum_words(owners);
  EXPECT_EQ(owners, std::vector<std::uint64_t>(n, 1));
}

// Rank 0 has none of 8 values, the last one 5, whoever is between shares the rest.
TEST(TeamTest, each_rank_has_the_sums_of_a_part_as_it_comes) {
  const auto ranks = static_cast<std::size_t>(team().size());
  const auto rank = static_cast<std::size_t>(team().rank());
  std::vector<std::size_t> begins(ranks + 1, 3);
  begins[0] = 0;
  begins[1] = ranks == 1 ? 8 : 0;
  begins[ranks] = 8;
  std::vector<std::uint32_t> counts;
  for (std::uint32_t i = 0; i < 8; ++i) counts.push_back(10 * i + static_cast<std::uint32_t>(rank));
  team().sum_parts(counts, begins);
  for (std::size_t i = begins[rank]; i < begins[rank + 1]; ++i) {
    EXPECT_EQ(counts[i], 10 * i * ranks + ranks * (ranks - 1) / 2) << i;
  }
}

TEST(TeamTest, gather_keeps_the_order_of_ranks_and_every_length) {
  // Rank r sends r values: rank 0 none.
  const std::vector<std::int32_t> own(static_cast<std::size_t>(team().rank()), team().rank() + 100);
  std::vector<std::int32_t> expected;
  for (int r = 0; team().is_root() && r < team().size(); ++r) {
    expected.insert(expected.end(), static_cast<std::size_t>(r), r + 100);
  }
  EXPECT_EQ(team().gather(own), expected);
}

TEST(TeamTest, words_gathered_everywhere_keep_the_order_of_ranks_and_every_length) {
  const auto words_of = [](int rank) {  // rank 0 has none
    return std::vector<std::uint64_t>(static_cast<std::size_t>(1000 * rank),
                                      std::uint64_t{1} << static_cast<unsigned>(40 + rank));
  };
  std::vector<std::uint64_t> expected;
  for (int r = 0; r < team().size(); ++r) {
    const std::vector<std::uint64_t> words = words_of(r);
    expected.insert(expected.end(), words.begin(), words.end());
  }
  EXPECT_EQ(team().gather_everywhere(words_of(team().rank())), expected);
  EXPECT_TRUE(team().gather_everywhere(std::vector<double>{}).empty());
  const std::vector<std::array<double, 2>> pair{{0.5 + team().rank(), -1.0}};
  const auto pairs = team().gather_everywhere(pair);
  ASSERT_EQ(pairs.size(), static_cast<std::size_t>(team().size()));
  for (std::size_t r = 0; r < pairs.size(); ++r) {
    EXPECT_EQ(pairs[r], (std::array<double, 2>{0.5 + static_cast<double>(r), -1.0}));
  }
}

TEST(TeamTest, values_for_each_rank_arrive_there_by_the_rank_they_come_from) {
  const int ranks = team().size();
  const auto values_for = [&](int from, int to) {  // rank 0 has none for itself, nor for the last
    const int n = from == 0 && (to == 0 || to == ranks - 1) ? 0 : 100 * from + to + 1;
    return std::vector<std::uint32_t>(static_cast<std::size_t>(n),
                                      static_cast<std::uint32_t>(1000 * from + to));
  };
  std::vector<std::vector<std::uint32_t>> to;
  std::vector<std::vector<std::uint32_t>> expected;
  for (int r = 0; r < ranks; ++r) {
    to.push_back(values_for(team().rank(), r));
    expected.push_back(values_for(r, team().rank()));
  }
  EXPECT_EQ(team().exchange(to), expected);
}

TEST(TeamTest, an_exchange_larger_than_one_message_arrives_whole) {
  if (team().size() != 2) GTEST_SKIP() << "600 MB a rank";
  constexpr std::size_t n = (std::size_t{1} << 26U) + 3;  // words: 256 MiB and a bit
  const auto other = static_cast<std::size_t>(1 - team().rank());
  std::vector<std::vector<std::uint32_t>> to(2);
  // One way more than one piece, the other way one alone.
  to[other].assign(other == 0 ? n : 5, 7);
  to[other].back() = 8;
  const auto from = team().exchange(to);
  EXPECT_TRUE(from[static_cast<std::size_t>(team().rank())].empty());
  ASSERT_EQ(from[other].size(), other == 0 ? 5 : n);
  EXPECT_EQ(from[other].front(), 7U);
  EXPECT_EQ(from[other].back(), 8U);
}

TEST(TeamTest, broadcast_replaces_values_and_lengths_of_other_ranks) {
  const auto rank = static_cast<std::size_t>(team().rank());
  for (const std::size_t n : {3, 0, 1000}) {
    std::vector<double> values(n + 5 * rank, static_cast<double>(rank) + 0.25);
    team().broadcast(values);
    EXPECT_EQ(values, std::vector<double>(n, 0.25));
  }
}

TEST(TeamTest, a_broadcast_larger_than_one_message_arrives_whole) {
  // 300 MB: MPI is given pieces of 2^28 bytes, so this takes two. Few ranks, to spare the memory.
  if (team().size() > 3) GTEST_SKIP() << "300 MB a rank";
  const std::size_t n = 300'000'000 / sizeof(std::uint64_t);
  const auto value = [](std::size_t i) { return i * 0x9E3779B97F4A7C15U; };
  std::vector<std::uint64_t> words(n);
  for (std::size_t i = 0; team().is_root() && i < n; ++i) words[i] = value(i);
  team().broadcast_words(words.data(), n);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) wrong += words[i] != value(i) ? 1U : 0U;
  EXPECT_EQ(wrong, 0U);
}

TEST(TeamTest, root_loads_before_the_others) {
  // Root leaves a mark when it loads, after a while; the others must find it when their turn comes.
  const auto mark =
      std::filesystem::temp_directory_path() / fmt::format("orrery-root-first-{}", ::getppid());
  const int loaded = team().root_first([&] {
    if (team().is_root()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      std::ofstream(mark) << "loaded";
    }
    return std::filesystem::exists(mark) ? team().rank() + 1 : -1;
  });
  EXPECT_EQ(loaded, team().rank() + 1);
  std::vector<std::uint64_t> all_have_looked{1};
  team().sum_words(all_have_looked);
  if (team().is_root()) std::filesystem::remove(mark);
}

TEST(TeamTest, values_found_by_one_rank_each_are_shared_to_the_bit) {
  const auto value = [](std::size_t i) {
    return i % 7 == 0 ? -0.0 : std::exp(7 - 3 * static_cast<double>(i)) / 3;
  };
  std::vector<double> values(101, 0);
  const auto size = static_cast<std::size_t>(team().size());
  for (auto i = static_cast<std::size_t>(team().rank()); i < values.size(); i += size) {
    values[i] = value(i);
  }
  team().share_values(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(values[i]), std::bit_cast<std::uint64_t>(value(i))) << i;
  }
}

TEST(TeamTest, there_is_one_root) {
  std::vector<std::uint64_t> roots{team().is_root() ? 1U : 0U};
  team().sum_words(roots);
  EXPECT_EQ(roots[0], 1U);
  EXPECT_LT(team().rank(), team().size());
}

}  // namespace
}  // namespace orrery::parallel
