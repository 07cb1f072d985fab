// Who made a file: the only part of it (/run) that may differ between two runs of the same work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/work_time.hpp"

namespace orrery::store {

struct RunInfo {
  std::string command_line;
  std::string version;
  std::string host;                ///< of rank 0
  std::vector<std::string> hosts;  ///< of all ranks, each once, in the order of ranks
  std::string started;             ///< UTC, ISO 8601
  std::string kernel;              ///< scalar, avx2 or avx512
  std::uint64_t seed = 0;
  std::uint32_t ranks = 1;
  std::uint32_t threads = 1;
  std::uint64_t bytes_read = 0;  ///< of input, by all ranks
  std::vector<Stage> stages;     ///< in order of time
};

}  // namespace orrery::store
