// What many quartets agree on: accepted quartets, each with the children that it implies, are
// clustered into causes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/signatures.hpp"
#include "families/noisy_or/quartet/scan/candidate.hpp"

namespace orrery::quartet {

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
