// Numbered units of work: how far a stage is, and how evenly a plan can be shared out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::parallel {

/// A stage's units and how far it is. All that a checkpoint needs of it, for any number of ranks:
/// units are handed out in rising order, so the finished ones are those below `next`, except
/// `returned`.
struct Units {
  std::uint64_t total = 0;
  std::uint64_t next = 0;
  std::vector<std::uint64_t> returned;  ///< begun and given back, rising

  [[nodiscard]] bool done() const noexcept { return left() == 0; }
  [[nodiscard]] std::uint64_t left() const noexcept { return total - next + returned.size(); }
  /// The i-th unit to be handed out from here: the returned ones come first. i < left().
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const noexcept {
    return i < returned.size() ? returned[i] : next + (i - returned.size());
  }
  /// `n` units were handed out from here; all are finished but `given_back` (any order).
  void advance(std::uint64_t n, std::vector<std::uint64_t> given_back);
};

/// Work of each rank if units of these weights are handed out in order, each to the rank that is
/// the first to be free: what the shared counter does. O(units * log ranks).
[[nodiscard]] std::vector<double> hand_out(std::span<const double> weights, std::size_t ranks);
/// The largest over the mean; 1 is even. 0 for no work.
[[nodiscard]] double imbalance(std::span<const double> loads);

}  // namespace orrery::parallel
