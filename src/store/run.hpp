// A run: who made a file; and the state of a run that is not finished, as a file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/work_time.hpp"

namespace orrery::store {

/// Who made a file: the only part of it (/run) that may differ between two runs of the same work.
struct RunInfo {
  std::string command_line;
  std::string version;
  std::string commit = "unknown";  ///< of the program's sources; see base/build.hpp
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

// The state of an unfinished run as a file: what a later run needs to go on, and to refuse to.

inline constexpr std::uint32_t checkpoint_version = 1;

/// State of an unfinished run, as named arrays that the learner alone understands.
struct Checkpoint {
  std::string learner;
  std::uint64_t data_digest = 0;  ///< of the samples learned from; 0: exact moments
  std::uint64_t n_samples = 0;
  std::uint64_t n_observed = 0;
  /// Name and value of each option that the result depends on.
  std::vector<std::pair<std::string, std::string>> options;
  std::map<std::string, std::vector<std::uint64_t>> words;
  std::map<std::string, std::vector<double>> reals;

  bool operator==(const Checkpoint&) const = default;
};

/// Written beside `path`, read back and verified, synced, renamed: the previous checkpoint stays
/// until then. Beside the arrays it takes a few MiB. Names of arrays are neither empty nor "."
/// and hold no '/'; no text holds a null character. Throws EnvironmentError.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint,
                      const RunInfo& run);
/// Throws InputError: absent, damaged, of a newer version (both named), no checkpoint.
Checkpoint read_checkpoint(const std::filesystem::path& path);
/// Of a checkpoint in memory, as it is stored beside it: two are equal where the states are,
/// whenever they were written.
std::uint64_t digest_of_state(const Checkpoint& checkpoint);

}  // namespace orrery::store
