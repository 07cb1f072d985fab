// The observed variables of a noisy-OR network, drawn given which causes are present.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "model/bernoulli_bits.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

class LoadingBits {
 public:
  explicit LoadingBits(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_cause_words() const noexcept { return (children_.size() + 63) / 64; }
  [[nodiscard]] std::size_t n_words() const noexcept { return n_words_; }

  /// ORs one draw into `row` (n_words() words): the children of each present cause, causes in
  /// order; then the leaks. `scratch` has room for n_words().
  void draw_into(RowRandom& random, std::span<const std::uint64_t> present,
                 std::span<std::uint64_t> row, std::span<std::uint64_t> scratch) const noexcept;

 private:
  std::size_t n_words_;
  BernoulliBits leaks_;
  std::vector<BernoulliBits> children_;  // of each cause
};

}  // namespace orrery::model
