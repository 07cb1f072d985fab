// Causes that hide behind others of a network, found in what its rows attribute to each
// (attribution.hpp), and put in their places.
//
// A cause that no learned cause stands for leaves variables that leak together. It is a cause in a
// sample of its own, of what the rows attribute to the leaks, and is searched for there by pair
// signatures. Where these show none, three or more variables that come together two by two are one:
// a cause of few rows, or of three children. A cause that was learned as a part of another is
// separated from it (attribution.hpp).
//
// Cost: dependent_variables of the leaks; then a SignatureSearch of these few. The causes are
// shared out to the ranks by how much is attributed to them, and each rank receives the rows of its
// causes, 4 bytes for each variable attributed; the leaks are one of them, with the variables that
// depend on each other. All threads of a rank search together behind the leaks, and then each
// behind one cause after the other. At 1,000 ranks the cause to which most is attributed breaks
// first: one rank has its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/signatures/attribution.hpp"
#include "families/noisy_or/quartet/state.hpp"
#include "learning/learner.hpp"
#include "orrery/model/network.hpp"

namespace orrery::quartet {

/// Causes that a sample of rows shows.
struct CausesWithin {
  std::vector<Elected> by_signatures;
  std::vector<Elected> by_pairs;  ///< where signatures show none: of variables that come together
};

/// Causes of these of the m variables (rising) in the rows, as if nothing else were known; priors
/// are shares of the rows. Does not depend on the order of the rows.
CausesWithin causes_within(const Attribution& rows, std::span<const std::uint32_t> variables,
                           std::size_t m, int threads);

/// A cause that hides behind another, or behind the leaks.
struct Part {
  Elected cause;
  std::uint32_t behind;      ///< the number of causes: the leaks
  std::vector<double> rest;  ///< failures of the other without it; of the leaks: none
  bool by_pairs = false;     ///< no signature shows it (CausesWithin)
};

/// Those in what the rows attribute to the n causes and (last) to the leaks; `attributed` is that
/// of this rank's rows. A cause that is a part of another gains more than `cause_cost` and its
/// edges' costs. Collective; the same at every rank.
std::vector<Part> find_parts(const learning::LearnContext& context,
                             const std::vector<Attribution>& attributed, std::size_t n,
                             double cause_cost);

/// What failures are held to where a round of refinement begins.
struct FailureRange {
  double least, most;
  [[nodiscard]] double hold(double failure) const;
};

/// Of a cause that was found: a strength of 0 or 1 would never change.
inline constexpr FailureRange found_range{.01, .98};

/// Of a cause that n_rows rows have refined. The more rows there are, the weaker are the edges that
/// they are sure of; few rows find more causes where those begin stronger than they were.
[[nodiscard]] FailureRange refined_range(std::uint64_t n_rows);

/// The network with those that no other cause of it resembles, and where these are few with those
/// that pairs alone show; they are learned in `state` too.
/// Where one hid behind another, the rows of the one are no longer the other's. Failures of the
/// network's own causes are held to `refined`.
model::NoisyOrNetwork with_parts(const model::NoisyOrNetwork& network, std::vector<Part> parts,
                                 const FailureRange& refined, State& state);

}  // namespace orrery::quartet
