// Posterior predictive check: does the model predict what it was not asked to fit?
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/data/sample_matrix.hpp"
#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

/// Rows in which all variables of a set are off: counted, and as the model has it.
struct PatternCheck {
  std::vector<std::uint32_t> variables;  ///< two or three, rising
  std::uint64_t observed = 0;            ///< rows with all of them off
  std::uint64_t n_rows = 0;              ///< rows in which none of them is missing
  double expected = 0;                   ///< n_rows * P(all off), Eq. (1)
  double z = 0;                          ///< of the difference; positive: more than expected
};

struct PredictiveCheck {
  std::vector<PatternCheck> pairs;    ///< by falling |z|, then by variables
  std::vector<PatternCheck> triples;  ///< the same
};

/// A |z| above this counts as surprising; 0.27 % of normal ones are.
inline constexpr double surprising_z = 3;
/// Of the checks; 0 if there is none.
double share_surprising(std::span<const PatternCheck> checks);

/// Up to `n_sets` random pairs and as many random triples, all of them if there are no more; a
/// function of `seed`. Throws InputError if the data have another number of variables.
PredictiveCheck check_predictions(const model::NoisyOrNetwork& network,
                                  const data::SampleMatrix& samples, std::size_t n_sets,
                                  std::uint64_t seed);

}  // namespace orrery::noisy_or
