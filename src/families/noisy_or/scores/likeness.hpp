// A learned network against a known one by the likeness of strengths 1 - f: what of a network of
// hundreds of causes was learned, however rare a cause is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

/// An edge counts in the edge scores if its strength 1 - f is above this.
inline constexpr double edge_strength = .1;

/// Two causes are alike if the cosine of their strengths, over all observed variables, is above.
inline constexpr double alike_cosine = .9;

/// A learned cause is precise if at least this share of its edges is true.
inline constexpr double precise_share = .95;

/// Beyond so many causes lists are not read: texts and pages sum up by bands.
inline constexpr std::size_t many_causes = 120;

/// `hits` of `total`.
struct Share {
  std::size_t hits = 0;
  std::size_t total = 0;
  [[nodiscard]] double value(double of_nothing) const noexcept {
    return total == 0 ? of_nothing : static_cast<double>(hits) / static_cast<double>(total);
  }
  void count(bool hit) noexcept {
    hits += hit ? 1U : 0U;
    ++total;
  }
  bool operator==(const Share&) const = default;
};

/// The cause most like another one; lowest index of several.
struct Nearest {
  std::int64_t cause = -1;  ///< -1: none shares a child
  double cosine = 0;
};

struct TrueLikeness {
  std::int64_t match = -1;  ///< learned cause; -1: missed
  double cosine = 0;        ///< with its match
  bool strict = false;
  Nearest learned;  ///< it may be another one's match
  Nearest twin;     ///< of the other true causes
};

struct LearnedLikeness {
  std::int64_t match = -1;  ///< true cause; -1: extra
  Nearest truth;
  /// Its edges above edge_strength that its match (of an extra one: the nearest true cause) has at
  /// all.
  Share precision;
};

/// Edges with low < 1 - f <= high. An edge is a hit if the partner has it at all (f < 1): of a
/// learned edge as in LearnedLikeness, of a true one the match.
struct StrengthBand {
  double low = 0;
  double high = 1;
  Share precision;  ///< of learned edges of this learned strength
  Share recall;     ///< of true edges of this true strength
};

/// Causes with low <= prior < high (the last one: and 1).
struct PriorBand {
  double low = 0;
  double high = 1;
  std::size_t n_true = 0;
  std::size_t matched = 0;
  std::size_t strict = 0;
  std::size_t n_learned = 0;  ///< by the learned prior
  std::size_t extra = 0;
  Share precision;  ///< of the edges above edge_strength of these learned causes
  Share recall;     ///< and of these true causes
};

struct Likeness {
  std::vector<TrueLikeness> truth;
  std::vector<LearnedLikeness> learned;
  std::size_t matched = 0;
  std::size_t strict = 0;
  std::size_t extra = 0;
  double least_precision = 1;  ///< of the learned causes that have an edge above edge_strength
  std::size_t imprecise = 0;   ///< learned causes with a precision below precise_share
  std::vector<StrengthBand> by_strength;
  std::vector<PriorBand> by_prior;
};

/// A true and a learned cause can be matched if they are alike; of all one-to-one matchings with
/// the most pairs it is one with the largest sum of cosines. A match is strict if each true edge
/// above edge_strength is learned with its strength 1 - f within a factor of e, and the prior
/// within a factor of 2. Both networks have the same observed variables in the same order.
Likeness compare_strengths(const model::NoisyOrNetwork& learned,
                           const model::NoisyOrNetwork& truth);

}  // namespace orrery::noisy_or
