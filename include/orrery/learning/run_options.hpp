// How a learner that a program calls runs: on threads of this process alone.
#pragma once

#include <cstdint>

namespace orrery::learn {

struct RunOptions {
  int threads = 0;         ///< 0: as many as OpenMP would start
  std::uint64_t seed = 1;  ///< of random draws, such as resamples
};

}  // namespace orrery::learn
