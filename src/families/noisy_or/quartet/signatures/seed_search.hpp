// Goes through seeds, a batch at a time: pairs that the learned causes leave unexplained, from the
// clearest down. The seeds of a batch have nothing to do with each other, so that all ranks and
// threads work on them at once, and mostly are what they would be one after the other: what a cause
// of the batch changes for a later one is tried again.
//
// Cost: see signature_search.hpp; a collective step a batch and step of its search, not a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/signatures/seed_place.hpp"
#include "families/noisy_or/quartet/signatures/signature_search.hpp"

namespace orrery::quartet {

/// What the search asks for.
struct SeedCalls {
  /// False for seeds that need not be tried.
  std::function<bool(const Pair& seed)> is_open;
  /// Adds a cause to what is learned, on which the residuals rest; false if it repeats one of them.
  std::function<bool(const Elected& cause)> learn;
  /// Between batches: `place` is then whole.
  std::function<void()> pause;
};

/// From `place` on. Collective; the same at every rank.
void search_seeds(std::span<const Pair> seeds, const PairResiduals& residuals,
                  PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place);

}  // namespace orrery::quartet
