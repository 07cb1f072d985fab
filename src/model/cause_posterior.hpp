// Purpose: which hidden causes of an anchored network are behind a row, and what speaks for them?
// P(cause | row, the causes
//          that are known), exactly where that can be done, else sampled with a stated error.
// Source: Halpern, Horng, Sontag 2015, Secs. 5.4, 5.5 (posteriors, last-tag prediction); Wang,
//         Sontag, Wang 2014, Sec. 4.3, for Gibbs sampling.
// Method: negative findings multiply the causes' odds; a positive finding P(x_j = 1 | y) =
//         1 - (1 - l_j) prod f^y ties its parents together: as one table of them, or as a chain of
//         "explained so far" bits along an order of the causes (src/model/cause_sums.hpp). The
//         cheaper of the two sums is taken if it costs at most `max_work`, else Gibbs chains
//         (src/model/cause_chain.hpp).
// Cost: O(edges to positive or missing findings) beside the sums, which take 2^width.
// Errors: exact results have a relative error below 1e-11. A sampled posterior lies within its
//         error with probability 0.9999 as far as the chains mix: several chains from starts far
//         apart, whose disagreement is part of the error.
// At 1,000 ranks: rows are independent; nothing is exchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/model/inference.hpp"
#include "orrery/model/learned_model.hpp"

namespace orrery::model {

/// What is known of a cause before the row is looked at.
enum class CauseState : std::uint8_t { off = 0, on = 1, unknown = 2 };

/// An anchored network as rows need it; shared by threads.
class PreparedAnchored {
 public:
  struct Parent {
    std::uint32_t cause;
    double failure;
    double log_failure;  ///< 0 if the failure is 0: that is counted apart
  };
  /// `network` must outlive it.
  explicit PreparedAnchored(const NoisyOrNetwork& network);

  [[nodiscard]] const NoisyOrNetwork& network() const noexcept { return *network_; }
  [[nodiscard]] std::size_t n_causes() const noexcept { return log_silent_.size(); }
  [[nodiscard]] std::size_t n_observed() const noexcept { return leak_.size(); }
  [[nodiscard]] std::span<const Parent> parents(std::size_t observed) const noexcept {
    return {parents_.data() + first_parent_[observed],
            first_parent_[observed + 1] - first_parent_[observed]};
  }
  [[nodiscard]] double leak(std::size_t observed) const noexcept { return leak_[observed]; }
  /// Sum of the log failures of a cause's children, without those of 0.
  [[nodiscard]] double log_silent(std::size_t cause) const noexcept { return log_silent_[cause]; }
  /// Those of 0: children that are on whenever it is.
  [[nodiscard]] std::uint32_t n_certain(std::size_t cause) const noexcept {
    return n_certain_[cause];
  }
  /// Sum of log(1 - leak) of all variables, without leaks of 1.
  [[nodiscard]] double log_quiet() const noexcept { return log_quiet_; }
  /// Variables whose leak is 1.
  [[nodiscard]] std::span<const std::uint32_t> leaking() const noexcept { return leaking_; }
  /// Causes so that few of them at a time have neighbours on both sides.
  [[nodiscard]] std::span<const std::uint32_t> sweep_order() const noexcept { return sweep_order_; }

 private:
  const NoisyOrNetwork* network_;
  std::vector<double> leak_, log_silent_;
  std::vector<std::uint32_t> n_certain_, leaking_, sweep_order_;
  std::vector<std::size_t> first_parent_;
  std::vector<Parent> parents_;
  double log_quiet_ = 0;
};

struct CausePosteriorOptions {
  enum class Method : std::uint8_t {
    automatic,  ///< exact within `max_work`, else sampled
    exact,      ///< throws InputError for a row that would take an hour or 4 GiB
    sample
  };
  Method method = Method::automatic;
  double max_work = 0x1p20;      ///< multiply-adds of a row's exact sum
  std::uint32_t n_draws = 4000;  ///< sweeps over the causes that count, of all chains
  std::uint64_t seed = 1;        ///< of the chains
  std::uint32_t top = 0;         ///< most probable explanations
};

/// How a row's numbers were found.
using PosteriorMethod = InferenceMethod;

/// One thread's scratch and what it found of the row seen last.
class CausePosterior {
 public:
  /// `network` must outlive the object.
  CausePosterior(const PreparedAnchored& network, const CausePosteriorOptions& options);
  CausePosterior(CausePosterior&&) noexcept;
  CausePosterior& operator=(CausePosterior&&) noexcept;
  ~CausePosterior();

  /// `row`: its number, which keys the draws. `values`, `missing`: bits of a row (missing may be
  /// empty); `values` is 0 where missing. `known`: one per cause, or empty: nothing is.
  void evaluate(std::uint64_t row, std::span<const std::uint64_t> values,
                std::span<const std::uint64_t> missing, std::span<const CauseState> known = {});

  [[nodiscard]] PosteriorMethod method() const noexcept;
  /// log P(row, known causes) in nats; -infinity if the row is impossible (posteriors are then
  /// NaN). Where sampled, from the chains' passages to one state (Chib 1995); NaN if none made it.
  [[nodiscard]] double log_evidence() const noexcept;
  /// Half the width of its interval; 0 where exact.
  [[nodiscard]] double log_evidence_error() const noexcept;
  /// A cause: P(cause | row, known).
  [[nodiscard]] std::span<const double> posterior() const noexcept;
  /// Half the width of its interval; 0 where exact.
  [[nodiscard]] std::span<const double> posterior_error() const noexcept;
  /// 1 - posterior, with its digits where it is small.
  [[nodiscard]] std::span<const double> absence() const noexcept;
  /// Independent draws that the least certain cause's chain is worth; 0: exact.
  [[nodiscard]] double effective_draws() const noexcept;
  /// The most probable first; at most `top`. Their causes include the known ones.
  [[nodiscard]] std::span<const Explanation> explanations() const noexcept;

  /// Why the row is impossible.
  struct Contradiction {
    enum class Kind : std::uint8_t {
      nothing_causes,  ///< `observed` is positive, and nothing that may be on can cause it
      always_leaks,    ///< `observed` is negative, and its leak is 1
      known_cause,     ///< `observed` is negative, and `cause` is known and never fails to cause it
      causes_together,  ///< no state of the causes allows all findings at once
      none_found        ///< none that the chains came by does
    };
    Kind kind = Kind::nothing_causes;
    std::uint32_t observed = 0;
    std::uint32_t cause = 0;
  };
  [[nodiscard]] const std::optional<Contradiction>& contradiction() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// "row 3: 'rash' is present, but nothing can cause it (...)".
std::string describe(const CausePosterior::Contradiction& why, const NoisyOrNetwork& network);

// Which findings of a row speak for a cause, and which against it.

/// log(P(cause | row) / P(not cause | row)) minus the same if nobody had looked at the finding, in
/// nats. Weights add up to the change from the prior only where findings share no causes: two that
/// say the same weigh little each.
struct FindingWeight {
  std::uint32_t observed = 0;
  bool positive = false;
  double weight = 0;
};

struct CauseEvidence {
  double prior_log_odds = 0;
  double log_odds = 0;                  ///< given the row; within +-700
  std::vector<FindingWeight> findings;  ///< the most for the cause first, the most against it last
};

/// Of the row's positive findings and the cause's negative ones; those that weigh nothing (less
/// than 1e-9) are left out. One evaluation each; `inference` keeps the last one's result. The row
/// must be possible.
CauseEvidence weigh_findings(const NoisyOrNetwork& network, RowInference& inference,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause);

/// The same of causes that depend on one another: of all findings, as those of its neighbours speak
/// for a cause too. Where rows are sampled, weights are no more exact than posteriors.
CauseEvidence weigh_findings(const NoisyOrNetwork& network, CausePosterior& posterior,
                             std::uint64_t row, std::span<const std::uint64_t> values,
                             std::span<const std::uint64_t> missing, std::size_t cause);

}  // namespace orrery::model
