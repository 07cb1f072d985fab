// A row of an anchored network, reduced to what is unknown: the causes that may be either, their
// odds by the findings that concern one of them, and the findings that tie several together.
//
// A cause that never fails to cause an absent finding is off; known causes that are on add to the
// leak of what they cause.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/cause_posterior.hpp"

namespace orrery::model {

class RowFindings {
 public:
  /// A positive finding of several free causes.
  struct Finding {
    std::uint32_t observed = 0;
    double leak = 0;                     ///< P(on) by its leak and the causes known to be on
    std::vector<std::uint32_t> parents;  ///< places in free(), rising
    std::vector<double> failures;
  };

  explicit RowFindings(const PreparedAnchored& network) : network_(&network) {}
  void read(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing,
            std::span<const CauseState> known);

  [[nodiscard]] const PreparedAnchored& network() const noexcept { return *network_; }
  /// Set: no state allows the row, whatever else there is; the rest is then not filled.
  [[nodiscard]] const std::optional<CausePosterior::Contradiction>& contradiction() const noexcept {
    return contradiction_;
  }
  /// Causes that may be either; rising.
  [[nodiscard]] std::span<const std::uint32_t> free() const noexcept { return free_; }
  /// Of a cause.
  [[nodiscard]] CauseState state(std::size_t cause) const noexcept { return state_[cause]; }
  /// By place in free(): log weights of off and on by the findings, without the causes' network;
  /// the larger is 0.
  [[nodiscard]] std::span<const std::array<double, 2>> log_weights() const noexcept {
    return log_weights_;
  }
  /// What all states' logarithms have in common beside that.
  [[nodiscard]] double log_common() const noexcept { return log_common_; }
  [[nodiscard]] std::span<const Finding> findings() const noexcept { return findings_; }

 private:
  void weigh_absent(std::span<const std::uint64_t> values, std::span<const std::uint64_t> missing);
  void settle_states(std::span<const CauseState> known, std::span<const std::uint64_t> values,
                     std::span<const std::uint64_t> missing);
  void weigh_present(std::uint32_t observed);

  const PreparedAnchored* network_;
  std::optional<CausePosterior::Contradiction> contradiction_;
  std::vector<CauseState> state_;
  std::vector<double> log_silent_;        // a cause: of being on, by the absent findings
  std::vector<std::uint32_t> n_certain_;  // absent findings that it never fails to cause
  std::vector<std::uint32_t> free_, place_;
  std::vector<std::array<double, 2>> log_weights_;
  std::vector<Finding> findings_;
  double log_common_ = 0;
};

}  // namespace orrery::model
