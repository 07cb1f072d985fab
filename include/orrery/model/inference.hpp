// Purpose: which hidden causes are behind a row? Its evidence P(row), P(cause | row) and its most
//          probable explanations, exactly where that can be done, else with a stated error.
// Method: negative findings multiply the causes' odds, a cause with one positive finding is a leak
//         of that finding; what is left falls into groups of positive findings that causes connect.
//         Each group is summed by Quickscore (2^findings), by enumeration (2^causes), or, beyond
//         what either may cost, by bounded importance sampling (src/model/bounded_sampling.hpp).
// Cost: O(edges to positive or missing findings) beside the groups. No allocation once warm.
// Errors: exact results have a relative error below 1e-11; sampled ones lie within the error given
//         with probability 0.9999 each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/model/network.hpp"

namespace orrery::model {

/// A network as rows need it; shared by threads.
class InferenceNetwork {
 public:
  struct Parent {
    std::uint32_t cause;
    double failure;
    double log_failure;  ///< 0 if the failure is 0: that is counted apart
  };
  /// Log weights of a cause, of being absent and of being present with every finding negative.
  struct CauseWeights {
    double log_absent = 0;
    double log_present = 0;       ///< without the failures of 0
    std::uint32_t n_certain = 0;  ///< those: children that are on whenever it is

    /// log(P(absent) + P(present, findings)).
    [[nodiscard]] double log_sum() const noexcept;
    [[nodiscard]] double log_present_now() const noexcept;
  };

  explicit InferenceNetwork(const NoisyOrNetwork& network);

  [[nodiscard]] std::size_t n_causes() const noexcept { return causes_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return leak_.size(); }
  [[nodiscard]] std::span<const Parent> parents(std::size_t observed) const noexcept {
    return {parents_.data() + first_parent_[observed],
            first_parent_[observed + 1] - first_parent_[observed]};
  }
  [[nodiscard]] double leak(std::size_t observed) const noexcept { return leak_[observed]; }
  /// If every variable is negative.
  [[nodiscard]] const CauseWeights& silent(std::size_t cause) const noexcept {
    return causes_[cause];
  }
  /// P(cause | every variable is negative).
  [[nodiscard]] std::span<const double> silent_posterior() const noexcept {
    return silent_posterior_;
  }
  [[nodiscard]] std::span<const double> silent_absence() const noexcept { return silent_absence_; }
  /// log P(every variable is negative) without the factors that are 0.
  [[nodiscard]] double log_silent() const noexcept { return log_silent_; }
  /// Variables whose leak is 1, causes that cannot but be on and have a certain child: a row in
  /// which all of these are negative is impossible.
  [[nodiscard]] std::span<const std::uint32_t> leaking() const noexcept { return leaking_; }
  [[nodiscard]] std::span<const std::uint32_t> contradicting() const noexcept {
    return contradicting_;
  }

 private:
  std::vector<double> leak_;
  std::vector<std::size_t> first_parent_;
  std::vector<Parent> parents_;
  std::vector<CauseWeights> causes_;
  std::vector<double> silent_posterior_, silent_absence_;
  std::vector<std::uint32_t> leaking_, contradicting_;
  double log_silent_ = 0;
};

struct InferenceOptions {
  enum class Method : std::uint8_t {
    automatic,  ///< exact within `max_work`, else sampled
    exact,      ///< throws InputError for a row that would take an hour or 4 GiB
    sample      ///< every group that has more than one positive finding, for comparison
  };
  Method method = Method::automatic;
  double max_work = 0x1p25;        ///< multiply-adds of a group's exact sum
  std::uint32_t n_samples = 4000;  ///< draws of a group
  std::uint64_t seed = 1;
  std::uint32_t top = 0;  ///< most probable explanations
};

/// How a row's numbers were found.
enum class InferenceMethod : std::uint32_t { exact = 0, sampled = 1, impossible = 2 };

/// A state of all causes.
struct Explanation {
  double log_probability = 0;  ///< of the state given the row; nats
  std::vector<std::uint32_t> present;
  /// No other state that is not listed before it is more probable.
  bool proven = true;
};

/// One thread's scratch and what it found of the row seen last.
class RowInference {
 public:
  /// `network` must outlive the object.
  RowInference(const InferenceNetwork& network, const InferenceOptions& options);
  RowInference(RowInference&&) noexcept;
  RowInference& operator=(RowInference&&) noexcept;
  ~RowInference();

  /// `row`: its number, which keys the draws. `values`, `missing`: bits of a row (missing may be
  /// empty); `values` is 0 where missing.
  void evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing);

  /// log P(row) in nats; -infinity if the row is impossible (posteriors are then NaN).
  [[nodiscard]] double log_evidence() const noexcept;
  /// Half the width of its interval.
  [[nodiscard]] double log_evidence_error() const noexcept;
  [[nodiscard]] InferenceMethod method() const noexcept;
  /// Of the group with the fewest; 0: exact.
  [[nodiscard]] double effective_samples() const noexcept;
  /// A cause: P(cause | row).
  [[nodiscard]] std::span<const double> posterior() const noexcept;
  [[nodiscard]] std::span<const double> posterior_error() const noexcept;
  /// 1 - posterior, with its digits where it is small: for odds. A cause of one positive finding
  /// has it from that difference.
  [[nodiscard]] std::span<const double> absence() const noexcept;
  /// The most probable first; at most `top`.
  [[nodiscard]] std::span<const Explanation> explanations() const noexcept;

  /// Why the row is impossible.
  struct Contradiction {
    std::uint32_t observed = 0;
    bool positive = false;  ///< the finding is there, but nothing can cause it
    /// Of a negative finding: the cause that is always present and never fails; else the leak is 1.
    std::optional<std::uint32_t> cause;
  };
  [[nodiscard]] const std::optional<Contradiction>& contradiction() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::model
