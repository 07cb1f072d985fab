// Where a learned model came from.
#pragma once

#include <cstdint>
#include <string>

namespace orrery::model {

/// What every learned model has.
struct Origin {
  std::string learner;            ///< its name on the command line: "quartet", "sep"
  std::uint64_t data_digest = 0;  ///< of the samples it was learned from; 0: not from samples
  std::uint64_t n_samples = 0;    ///< rows used; 0: exact moments
};

}  // namespace orrery::model
