// What `infer` found of rows on a tree: the probability of what was given, and of the hidden signs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "store/run_info.hpp"

namespace orrery::store {

struct PredictionHeader {
  std::uint64_t n_samples = 0;
  std::uint64_t data_digest = 0;       ///< of the samples
  std::uint64_t n_given = 0;           ///< variables that were looked at
  double crossover = 0;                ///< of the tree
  std::vector<std::string> variables;  ///< that were predicted

  bool operator==(const PredictionHeader&) const = default;
};

/// Some rows, one after the other.
struct PredictionRows {
  std::vector<double> log_evidence;  ///< nats; -infinity: impossible
  std::vector<double> probability;   ///< P(hidden sign is +1), all variables of a row; or NaN
};

/// Streams /prediction into a new file: rows arrive in order.
class PredictionWriter {
 public:
  PredictionWriter(const std::filesystem::path& path, const PredictionHeader& header);
  ~PredictionWriter();
  void append(const PredictionRows& rows);
  /// Writes /run, checks and renames; n_samples rows must have been appended.
  void finish(const RunInfo& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

PredictionHeader read_prediction_header(const std::filesystem::path& path);
/// All rows in memory.
PredictionRows read_prediction(const std::filesystem::path& path);

}  // namespace orrery::store
