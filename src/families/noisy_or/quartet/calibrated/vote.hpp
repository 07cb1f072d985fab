// What many quartets agree on: accepted quartets, each with the children that it implies, are
// clustered into causes. The children are told by the signatures of the quartet's pairs: that of a
// pair (a, b) is every x that significantly shares a cause with both of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/calibration.hpp"
#include "families/noisy_or/quartet/scan/found.hpp"
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

/// A cause that quartets have elected.
struct Cluster {
  VariableSet children;               ///< of most voters
  std::uint64_t support = 0;          ///< voters
  std::vector<std::uint32_t> voters;  ///< candidates by their number, best statistic first
};

/// Elects causes from candidates (sorted by statistic) until none is left, most support first.
std::vector<Cluster> vote(std::span<const Candidate> candidates, const Signatures& signatures);

[[nodiscard]] std::size_t n_in(const VariableSet& set);
[[nodiscard]] std::size_t n_common(std::span<const std::uint64_t> a,
                                   std::span<const std::uint64_t> b);

}  // namespace orrery::quartet
