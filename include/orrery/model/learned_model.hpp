// What a learner returns: a network and where each cause came from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// Evidence for one learned cause.
struct Provenance {
  std::int32_t depth = -1;  ///< subtract-off rounds before it was learned; -1: not applicable
  /// The singly-coupled quartet it was learned from (observed indices); a triplet of `params` has
  /// -1 as its fourth.
  std::array<std::int32_t, 4> quartet{-1, -1, -1, -1};
  double statistic = -1;  ///< of the learner's test (quartet rank test: third singular value)
  bool operator==(const Provenance&) const = default;
};

struct LearnedModel {
  NoisyOrNetwork network;
  std::vector<Provenance> provenance;  ///< one a cause, or empty (not learned)
  std::string learner;                 ///< "quartet", "params"
  std::uint64_t data_digest = 0;       ///< of the samples it was learned from; 0: from a network
  std::uint64_t n_samples = 0;         ///< rows used; 0: exact moments
};

}  // namespace orrery::model
