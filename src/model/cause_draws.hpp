// States of the causes drawn from their posterior given a row: what Monte-Carlo EM sums over.
//
// Where the row's sum is cheap (cause_posterior.hpp) draws are independent and exact; elsewhere
// they are successive sweeps of a Gibbs chain (Wang, Sontag, Wang 2014, Sec. 4.3) that may go on
// from where another call left it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "model/cause_posterior.hpp"

namespace orrery::model {

struct CauseDrawOptions {
  double exact_work = 0x1p15;  ///< multiply-adds of a row's exact sum; 0: chains alone
  std::uint32_t burn_in = 60;  ///< sweeps of a chain that begins, before its first draw
  std::uint64_t seed = 1;
};

/// One thread's scratch.
class CauseDraws {
 public:
  /// `network` must outlive the object.
  CauseDraws(const PreparedAnchored& network, const CauseDrawOptions& options);
  CauseDraws(CauseDraws&&) noexcept;
  CauseDraws& operator=(CauseDraws&&) noexcept;
  ~CauseDraws();

  /// Draws are keyed by (seed, round, row). `values`, `missing`, `known` as CausePosterior has
  /// them. `state`: of all causes, 0 or 1, where a chain goes on; empty: it begins.
  /// False if the row is impossible, or no chain comes by a state that is possible; why is told by
  /// contradiction().
  [[nodiscard]] bool read(std::uint64_t row, std::uint64_t round,
                          std::span<const std::uint64_t> values,
                          std::span<const std::uint64_t> missing, std::span<const CauseState> known,
                          std::span<const std::uint8_t> state);
  /// The next state of all causes, 0 or 1 each.
  void draw(std::span<std::uint8_t> state);

  [[nodiscard]] bool is_exact() const noexcept;
  /// log P(row, known), nats, where draws are exact; else NaN.
  [[nodiscard]] double log_evidence() const noexcept;
  [[nodiscard]] const std::optional<CausePosterior::Contradiction>& contradiction() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery::model
