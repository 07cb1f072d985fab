// A cause from a pair of variables: the search that scales. A quartet of its children that no other
// cause couples is found by pairs of equal signatures instead of going through all quartets.
//
//   seed (a, b)   -> thirds c whose signatures ac, bc agree with ab       grow
//                    (three variables that no fourth comes with agree: a cause may have three
//                    children, and no quartet)
//                 -> members, all of whose pairs agree                     agree
//                 -> prior and failures, from all pairs of members         pool
//                 -> refused if its children come together less often
//                    than it says: it stands for two causes                stands_for_two
//
// Cost: a seed takes 1 to some 30 signatures. Those of all seeds that are searched at once are
// counted together, in as many steps as the longest of them takes. Where rows are dealt to the
// ranks, each seed is searched by one rank, which alone has its signatures; what it led to goes to
// all.
//
// The search goes through seeds, a batch at a time (seed_search.cpp): pairs that the learned causes
// leave unexplained, from the clearest down. The seeds of a batch have nothing to do with each
// other, so that all ranks and threads work on them at once, and mostly are what they would be one
// after the other: what a cause of the batch changes for a later one is tried again. While batches
// find no cause, those that follow if none is found are searched with them, up to 16 together: the
// same seeds lead to the same causes, in fewer steps that all ranks wait for. It takes such steps
// per group of batches and step of their search, not per seed. At 1,000 ranks these steps break
// first, some 10 for each group, and then the counts of a group's pairs, which all ranks send.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "families/noisy_or/quartet/calibrated/search.hpp"
#include "families/noisy_or/quartet/signatures/pair_signature.hpp"
#include "families/noisy_or/quartet/state.hpp"

namespace orrery::quartet {

/// What a seed led to.
struct FoundCause {
  std::vector<std::uint32_t> members;  ///< variables whose pairs were looked at together
  std::optional<Elected> cause;        ///< none: no three others agree with the seed on one
};

class SignatureSearch {
 public:
  /// Both must outlive the object.
  SignatureSearch(const PairResiduals& residuals, PairSignatures& signatures)
      : residuals_(residuals), signatures_(signatures), m_(residuals.moments().n_observed()) {}

  /// The causes behind some pairs, each as if it stood alone. Collective; the same at every rank.
  [[nodiscard]] std::vector<FoundCause> causes_of(std::span<const Pair> seeds);

 private:
  struct Third {
    double rank;
    std::uint32_t variable;
  };
  /// The way from a seed to its members, some thirds at a time.
  struct Growth {
    enum class Step : std::uint8_t { seed, begin, pair, take, end };
    Pair seed;
    std::vector<std::uint32_t> thirds{};
    std::size_t n_looked_at = 0;
    std::vector<std::uint32_t> some{};  // thirds that agree with the seed by one pair
    std::vector<std::uint32_t> members{};
    bool growing = true;
    Step next = Step::seed;
  };
  [[nodiscard]] std::vector<std::uint32_t> thirds(const Pair& seed) const;
  /// Goes on until it needs signatures that are not there, which it returns; or to its end.
  [[nodiscard]] std::vector<Pair> advance(Growth& growth) const;
  [[nodiscard]] std::vector<Pair> advance(std::vector<Growth>& growths) const;
  [[nodiscard]] std::vector<FoundCause> found_by(const std::vector<Growth>& growths) const;
  // Steps, each of which returns the pairs whose signatures the next step needs.
  [[nodiscard]] std::vector<Pair> begin(Growth& growth) const;
  [[nodiscard]] std::vector<Pair> look_at_some(Growth& growth) const;
  [[nodiscard]] std::vector<Pair> pairs_of_some(Growth& growth) const;
  void take_members(Growth& growth) const;
  [[nodiscard]] std::optional<Elected> cause_of(const std::vector<std::uint32_t>& members) const;
  /// Over what is strongest in either.
  [[nodiscard]] bool agree(const Pair& first, const Pair& second) const;
  /// Of three members: how clearly each pair of them comes with the third, at least.
  [[nodiscard]] double triple_z(const std::vector<std::uint32_t>& members) const;
  [[nodiscard]] Elected pool(const std::vector<std::uint32_t>& members) const;
  [[nodiscard]] bool stands_for_two(const Elected& cause) const;

  const PairResiduals& residuals_;
  PairSignatures& signatures_;
  std::size_t m_;
};

/// Pairs that the learned causes leave unexplained, those that speak most clearly of one cause
/// first: by L_ab / sqrt(P(a on) P(b on)). Collective; the same at every rank.
[[nodiscard]] std::vector<Pair> seeds_of(const parallel::Team& team, const PairResiduals& residuals,
                                         int threads);

/// What the search asks for.
struct SeedCalls {
  /// False for seeds that need not be tried.
  std::function<bool(const Pair& seed)> is_open;
  /// Adds a cause to what is learned, on which the residuals rest; false if it repeats one of them.
  std::function<bool(const Elected& cause)> learn;
  /// Between batches: `place` is then whole.
  std::function<void()> pause;
};

/// In the round at hand, after a refinement, many seeds have failed for each that became a cause,
/// and for one more: so would the rest.
[[nodiscard]] bool is_barren(const State& state);

/// From `place` on. Collective; the same at every rank.
void search_seeds(std::span<const Pair> seeds, const PairResiduals& residuals,
                  PairSignatures& signatures, const SeedCalls& calls, SeedPlace& place);

}  // namespace orrery::quartet
