// Where a learned model came from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::model {

/// What every learned model has.
struct Origin {
  std::string learner;            ///< its name on the command line: "quartet", "sep"
  std::uint64_t data_digest = 0;  ///< of the samples it was learned from; 0: not from samples
  std::uint64_t n_samples = 0;    ///< rows used; 0: exact moments
  /// Sentences: which assumption does not hold, what was left out, that the time was over.
  std::vector<std::string> remarks{};
};

}  // namespace orrery::model
