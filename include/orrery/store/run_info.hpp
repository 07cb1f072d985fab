// Who made a file: the only part of it (/run) that may differ between two runs of the same work.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace orrery::store {

struct RunInfo {
  std::string command_line;
  std::string version;
  std::string host;
  std::string started;  ///< UTC, ISO 8601
  std::string kernel;   ///< scalar, avx2 or avx512
  std::uint64_t seed = 0;
  std::uint32_t ranks = 1;
  std::uint32_t threads = 1;
  std::map<std::string, double> stage_seconds;
};

}  // namespace orrery::store
