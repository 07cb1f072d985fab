// What one thread, or all, found in a scan: candidates, which are quartets that passed all tests of
// a round, and counts.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "families/noisy_or/quartet/options.hpp"
#include "families/noisy_or/quartet/scan/round.hpp"

namespace orrery::quartet {

struct Candidate {
  double statistic = 0;
  std::array<std::uint32_t, 4> members{};  ///< a < b < c < d

  /// Total order: the statistic, then the indices; no two candidates tie.
  bool operator<(const Candidate& other) const {
    return std::tie(statistic, members) < std::tie(other.statistic, other.members);
  }
};

struct ScanResult {
  /// At most options.max_candidates; sorted when the scan is done. At rank 0 only.
  std::vector<Candidate> candidates;
  std::uint64_t n_pretested = 0;  ///< quartets whose triples all share a parent
  std::uint64_t n_accepted = 0;   ///< quartets that passed the quartet test too
};

/// Keeps the best `n` candidates: the same ones whatever the order they came in.
void keep_best(std::vector<Candidate>& candidates, std::size_t n);

/// Accepted candidates of one thread, of which the best are kept, and the bar that they set.
class Found {
 public:
  explicit Found(const Options& options)
      : most_candidates_(options.max_candidates), bar_(options.tau_q) {}

  /// So many quartets more have passed the pretest.
  void add_pretested(std::uint64_t n) { result_.n_pretested += n; }
  /// So many quartets more were accepted that are too far from the bar to be kept.
  void add_accepted(std::uint64_t n) { result_.n_accepted += n; }
  /// A quartet was accepted; true if the bar has changed.
  bool accept(const Candidate& candidate);
  /// No candidate with a statistic above it will be kept.
  [[nodiscard]] double bar() const noexcept { return bar_; }

  /// How much was counted by now.
  struct Counts {
    std::uint64_t n_pretested;
    std::uint64_t n_accepted;
  };
  [[nodiscard]] Counts counts() const noexcept { return {result_.n_pretested, result_.n_accepted}; }
  /// Forgets the candidates of a block that will be scanned anew; `before` it, so much was counted.
  void forget(const PairBlock& block, const Counts& before);
  /// Hands over what was found since the last call. The bar stays.
  ScanResult take();

 private:
  std::size_t most_candidates_;
  double bar_;
  ScanResult result_;
};

}  // namespace orrery::quartet
