// A cause from a pair of variables: the search that scales. A quartet of its children that no other
// cause couples is found by pairs of equal signatures instead of going through all quartets.
//
//   seed (a, b)   -> thirds c whose signatures ac, bc agree with ab       grow
//                 -> members, all of whose pairs agree                     agree
//                 -> prior and failures, from all pairs of members         pool
//                 -> refused if its children come together less often
//                    than it says: it stands for two causes                stands_for_two
//
// Cost: a seed takes 1 to some 30 signatures, counted a dozen at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "learners/quartet/pair_signature.hpp"
#include "learners/quartet/search.hpp"

namespace orrery::quartet {

/// A seed is coupled by this much of what the learned causes explain, beyond it.
inline constexpr double least_seed_share = .2;

/// Signatures that are kept; to count one anew is cheaper than to look for memory.
inline constexpr std::size_t most_signatures = 4096;

class SignatureSearch {
 public:
  /// Both must outlive the object.
  SignatureSearch(const PairResiduals& residuals, PairSignatures& signatures)
      : residuals_(residuals), signatures_(signatures), m_(residuals.moments().n_observed()) {}

  /// The cause behind a pair; none if no three others agree on one. Collective.
  [[nodiscard]] std::optional<Elected> cause_of(const Pair& seed);

 private:
  struct Third {
    double rank;
    std::uint32_t variable;
  };
  [[nodiscard]] std::vector<std::uint32_t> thirds(const Pair& seed) const;
  [[nodiscard]] std::vector<std::uint32_t> members(const Pair& seed);
  /// Over what is strongest in either.
  [[nodiscard]] bool agree(const Pair& first, const Pair& second) const;
  [[nodiscard]] Elected pool(const std::vector<std::uint32_t>& members) const;
  [[nodiscard]] bool stands_for_two(const Elected& cause) const;

  const PairResiduals& residuals_;
  PairSignatures& signatures_;
  std::size_t m_;
};

/// Pairs that the learned causes leave unexplained, those that speak most clearly of one cause
/// first: by L_ab / sqrt(P(a on) P(b on)).
[[nodiscard]] std::vector<Pair> seeds_of(const PairResiduals& residuals, int threads);

}  // namespace orrery::quartet
