// Timing for ratios: the contestants run in turn, A B A B ..., so that a machine whose speed drifts
// treats them alike; the median of each is reported.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/work_time.hpp"

namespace orrery::bench {

struct Contestant {
  std::string name;
  std::function<void()> run;
  std::vector<double> seconds{};

  [[nodiscard]] double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

inline double time_once(const std::function<void()>& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Of what runs on this thread alone: others may be on the machine.
inline double processor_time_once(const std::function<void()>& run) {
  const double start = thread_seconds();
  run();
  return thread_seconds() - start;
}

/// One warm-up each, then `rounds` rounds in turn.
inline void compete(std::vector<Contestant>& contestants, int rounds,
                    double (*time)(const std::function<void()>&) = time_once) {
  for (Contestant& contestant : contestants) contestant.run();
  for (int round = 0; round < rounds; ++round) {
    for (Contestant& contestant : contestants) {
      contestant.seconds.push_back(time(contestant.run));
    }
  }
}

inline void print_times(const std::vector<Contestant>& contestants) {
  for (const Contestant& contestant : contestants) {
    const auto [low, high] =
        std::minmax_element(contestant.seconds.begin(), contestant.seconds.end());
    fmt::print("  {:44} {:10.3f} ms   ({:.3f} to {:.3f})\n", contestant.name,
               1e3 * contestant.median(), 1e3 * *low, 1e3 * *high);
  }
}

}  // namespace orrery::bench
