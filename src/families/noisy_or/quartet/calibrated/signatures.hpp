// The signature of a pair (a, b): every x that significantly shares a cause with both of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/scan/candidate.hpp"
#include "moments/moment_source.hpp"
#include "parallel/team.hpp"

namespace orrery::quartet {

using VariableSet = std::vector<std::uint64_t>;  ///< bit x % 64 of word x / 64

class Signatures {
 public:
  /// Of all pairs of the candidates, which root has. Collective; the same at every rank.
  Signatures(const parallel::Team& team, int threads, const moments::MomentSource& moments,
             const Calibration& calibration, std::span<const Candidate> candidates);

  /// The variables that all six pairs of a candidate agree on, and its members: the children of the
  /// cause behind it. A pair that does not share a foreign cause vetoes that cause's children, so
  /// that even a quartet that two causes couple speaks for one of them.
  void children_of(const Candidate& candidate, std::span<std::uint64_t> children) const;
  [[nodiscard]] std::size_t n_words() const noexcept { return words_; }

 private:
  std::size_t m_;
  std::size_t words_;
  std::vector<std::uint32_t> row_of_;  // m x m, by pair
  std::vector<std::uint64_t> bits_;    // pairs x words
};

}  // namespace orrery::quartet
