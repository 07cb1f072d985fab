// What `infer` asks of a model with hidden causes, whatever family it is of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "model/finding_weights.hpp"
#include "orrery/model/inference.hpp"
#include "orrery/model/network.hpp"

namespace orrery::noisy_or {

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

}  // namespace orrery::noisy_or
