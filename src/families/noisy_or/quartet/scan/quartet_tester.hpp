// What a scan asks of a quartet test. It is called once for each row of quartets, never for each
// quartet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "families/noisy_or/quartet/scan/found.hpp"
#include "families/noisy_or/quartet/scan/round.hpp"
#include "families/noisy_or/quartet/scan/unfolding_rank.hpp"

namespace orrery::quartet {

/// Quartets (a, b, c, d) that share a, b, c and passed the pretest.
struct QuartetRow {
  std::array<std::uint32_t, 3> abc;
  std::span<const std::uint64_t> d;  ///< as bits, none of them before the word of c
  QuartetRows moments;               ///< adjusted
};

/// One thread's quartet test. It may keep quartets waiting until enough are there.
class QuartetTester {
 public:
  QuartetTester() = default;
  virtual ~QuartetTester() = default;
  QuartetTester(const QuartetTester&) = delete;
  QuartetTester& operator=(const QuartetTester&) = delete;

  /// Tests the row's quartets, now or later. Moments of a, b, c and d stay until the next row, all
  /// others until leave_pair.
  virtual void test(const QuartetRow& row, Found& found) = 0;
  /// The moments of the rows since the last call will not stay, but for copies that it made.
  virtual void leave_pair(Found& /*found*/) {}
  /// Tests all quartets that wait.
  virtual void flush(Found& found) = 0;
};

/// The test of options.test. `round` must outlive it.
std::unique_ptr<QuartetTester> quartet_tester(const Round& round);

}  // namespace orrery::quartet
