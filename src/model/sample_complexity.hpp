// What the theorems on quartet tests ask of a network: how far multiply coupled quartets are from
// passing the rank test, how many causes are subtracted off at once, and how many samples suffice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "model/learnability.hpp"
#include "orrery/model/network.hpp"

namespace orrery::model {

/// The epsilon of Definition 2 (Jernite, Halpern, Sontag 2013).
struct RankTestability {
  /// Least third singular value of a multiply coupled quartet; infinity if no quartet is.
  double epsilon = std::numeric_limits<double>::infinity();
  std::uint32_t cause = 0;                 ///< of the quartet with that value: U
  std::array<std::uint32_t, 4> quartet{};  ///< its members, split ab|cd
  double n_quartets = 0;                   ///< that have a common parent, once per such parent
  std::uint64_t n_examined = 0;            ///< of these: all, or as many as were drawn
};
/// Examines all quartets if there are at most `most_quartets`, else as many, drawn evenly and the
/// same each time: epsilon is then at most what it says. See rank_testability.cpp for what is
/// examined.
RankTestability rank_testability(const NoisyOrNetwork& network, std::uint64_t most_quartets);

/// The width W (Sec. 3): the most causes that must be subtracted off before some cause has a singly
/// coupled quartet.
struct SubtractionWidth {
  std::size_t width = 0;
  bool is_exact = true;  ///< false: the search for a better quartet was ended; at most `width`
};
/// `causes`: of `learnability` with quartet_size.
SubtractionWidth subtraction_width(const NoisyOrNetwork& network,
                                   const std::vector<CauseLearnability>& causes);

/// Theorems 1 and 2, without the constants that they leave open.
struct SampleComplexity {
  double least_prior = 1;    ///< p_min
  double least_failure = 1;  ///< f_min
  double most_failure = 0;   ///< f_max
  double least_off = 1;      ///< n_min, the least P(x off)
  bool priors_below_half = true;
  double log10_samples = 0;      ///< that suffice to find the structure
  double log10_error_scale = 0;  ///< error of a parameter times sqrt(N / ln(2m / delta))
};
/// `depth`: the most rounds of subtracting off that a learnable cause needs. The network must have
/// an edge, and `delta` be in (0, 1).
SampleComplexity sample_complexity(const NoisyOrNetwork& network, double epsilon, int depth,
                                   std::size_t width, double delta);

}  // namespace orrery::model
