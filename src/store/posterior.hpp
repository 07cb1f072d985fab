// What `infer` found of rows: evidence, posteriors of the causes that are likely enough to be
// listed, most probable explanations; on a tree, the probabilities of the hidden signs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "store/run.hpp"

namespace orrery::store {

struct PosteriorHeader {
  std::uint64_t n_samples = 0;
  std::uint64_t data_digest = 0;    ///< of the samples
  double min_posterior = 0;         ///< causes that are less likely are not listed
  std::uint32_t top = 0;            ///< explanations per row
  std::vector<std::string> causes;  ///< names

  bool operator==(const PosteriorHeader&) const = default;
};

/// Some rows, one after the other.
struct PosteriorRows {
  // A row.
  std::vector<double> log_evidence;
  std::vector<double> log_evidence_error;
  std::vector<std::uint32_t> method;  ///< 0 exact, 1 sampled, 2 impossible
  std::vector<double> effective_samples;
  std::vector<std::uint64_t> n_listed;
  // A listed cause.
  std::vector<std::uint32_t> cause;
  std::vector<double> probability;
  std::vector<double> error;
  // An explanation, `top` a row.
  std::vector<double> log_probability;  ///< NaN: the row has fewer
  std::vector<std::uint32_t> proven;
  std::vector<std::uint64_t> n_present;
  // A present cause of an explanation.
  std::vector<std::uint32_t> present;

  [[nodiscard]] std::size_t size() const noexcept { return method.size(); }
  /// Adds the other's rows at the end.
  void append(const PosteriorRows& rows);
  bool operator==(const PosteriorRows&) const = default;
};
/// Calls visit(vector) for everything in it, in one order.
template <class Rows, class Visit>
requires std::same_as<std::remove_const_t<Rows>, PosteriorRows>
void for_each_list(Rows& rows, const Visit& visit) {
  visit(rows.log_evidence);
  visit(rows.log_evidence_error);
  visit(rows.method);
  visit(rows.effective_samples);
  visit(rows.n_listed);
  visit(rows.cause);
  visit(rows.probability);
  visit(rows.error);
  visit(rows.log_probability);
  visit(rows.proven);
  visit(rows.n_present);
  visit(rows.present);
}
/// True if the lists are of so many rows.
[[nodiscard]] bool is_of_rows(const PosteriorRows& rows, std::size_t n_rows);

/// Streams /posterior into a new file: rows arrive in order.
class PosteriorWriter {
 public:
  PosteriorWriter(const std::filesystem::path& path, const PosteriorHeader& header);
  ~PosteriorWriter();
  void append(const PosteriorRows& rows);
  /// Writes /run, checks and renames; n_samples rows must have been appended.
  void finish(const RunInfo& run);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

PosteriorHeader read_posterior_header(const std::filesystem::path& path);
/// All rows in memory.
PosteriorRows read_posterior(const std::filesystem::path& path);

// What `infer` found of rows on a tree: the probability of what was given, and of the hidden signs.

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
