// What `infer` does with rows: what it asks of a network, of independent causes or of an anchored
// one, and the rows shared by ranks and threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "family/matched_rows.hpp"
#include "model/cause_posterior.hpp"
#include "orrery/model/inference.hpp"
#include "orrery/model/learned_model.hpp"
#include "orrery/model/network.hpp"
#include "parallel/team.hpp"
#include "store/posterior.hpp"
#include "store/store.hpp"

namespace orrery::noisy_or {

// Rows of a file.

/// What was found of a row; see model::RowInference.
struct RowAnswer {
  double log_evidence = 0, log_evidence_error = 0;
  model::InferenceMethod method = model::InferenceMethod::exact;
  double effective_samples = 0;
  std::span<const double> posterior, posterior_error;
  std::span<const model::Explanation> explanations;
};

/// Why a row is impossible, as numbers that travel between ranks; the family knows the kinds.
struct RowContradiction {
  std::uint32_t kind = 0;
  std::uint32_t observed = 0;
  std::uint32_t cause = 0;
};

/// One thread's scratch.
class RowWorker {
 public:
  RowWorker() = default;
  RowWorker(const RowWorker&) = delete;
  RowWorker& operator=(const RowWorker&) = delete;
  virtual ~RowWorker() = default;

  /// `row` keys the draws.
  virtual void evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                        std::span<const std::uint64_t> missing) = 0;
  /// Of the row seen last; until the next.
  [[nodiscard]] virtual RowAnswer answer() const = 0;
  [[nodiscard]] virtual std::optional<RowContradiction> contradiction() const = 0;
  /// Which findings speak for the cause.
  virtual model::CauseEvidence weigh(std::uint64_t row, std::span<const std::uint64_t> values,
                                     std::span<const std::uint64_t> missing, std::size_t cause) = 0;
};

/// A model, as threads share it.
class RowFamily {
 public:
  RowFamily() = default;
  RowFamily(const RowFamily&) = delete;
  RowFamily& operator=(const RowFamily&) = delete;
  virtual ~RowFamily() = default;

  /// Names, and what is so in general.
  [[nodiscard]] virtual const model::NoisyOrNetwork& network() const = 0;
  /// `top`: explanations.
  [[nodiscard]] virtual std::unique_ptr<RowWorker> worker(std::uint32_t top) const = 0;
  /// "'rash' is present, but nothing can cause it (...)".
  [[nodiscard]] virtual std::string describe(const RowContradiction& why) const = 0;
};

/// Of independent causes. `network` must outlive it.
std::unique_ptr<RowFamily> independent_rows(const model::NoisyOrNetwork& network,
                                            const model::InferenceOptions& options);

/// Of an anchored network: causes that depend on one another. `network` must outlive it.
std::unique_ptr<RowFamily> anchored_rows(const model::NoisyOrNetwork& network,
                                         const model::InferenceOptions& options);

/// The columns of the data by name, unions of several among them. Columns that the model has not
/// are warned of. Throws InputError naming those that the data lack.
family::MatchedRows match_anchored(const model::NoisyOrNetwork& network,
                                   const std::vector<std::string>& columns,
                                   const std::string& data_source, const std::string& model_source);

/// A row that the model calls impossible.
struct ImpossibleRow {
  std::uint64_t row;
  RowContradiction why;
};

/// Adds the row seen last. Listed: posteriors of at least `min_posterior`, by cause.
void append_row(const RowAnswer& answer, double min_posterior, std::uint32_t top,
                store::PosteriorRows& rows);

/// Of the first `most_rows` rows. Calls take(rows, impossible) at root for some thousand of them at
/// a time, in order. The same rows
/// for any number of ranks and threads. Memory: a block of the file and the rows at hand. Throws
/// learning::Stopped, see KeptBatches. Collective.
using TakeRows = std::function<void(const store::PosteriorRows& rows,
                                    const std::vector<ImpossibleRow>& impossible)>;
void infer_rows(const parallel::Team& team, int threads, const RowFamily& family, std::uint32_t top,
                double min_posterior, const store::SampleReader& reader,
                const family::MatchedRows& matched, std::uint64_t most_rows,
                family::KeptBatches& batches, const TakeRows& take);

}  // namespace orrery::noisy_or
