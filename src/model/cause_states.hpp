// Single states of a row's causes, where posteriors are sums over all of them: the most probable
// states, and states drawn at random.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "model/cause_chain.hpp"
#include "model/cause_posterior.hpp"
#include "model/cause_sums.hpp"
#include "orrery/model/inference.hpp"

namespace orrery::model {

// The most probable states of a row's causes.
//
// Where a positive finding can be a table of its parents: the largest product by elimination, then
// the next ones by fixing what the last had (Lawler 1972): proven. Elsewhere the best of states
// that were drawn, each raised by changes of single causes; proven only where those found leave
// less mass than the state has.

/// By elimination, the most probable first; nullopt if that takes more than `max_work`
/// multiply-adds.
std::optional<std::vector<Explanation>> best_states(const RowFindings& row, std::size_t n,
                                                    double log_evidence, double max_work);

/// A total order of states of the same causes.
struct EarlierState {
  bool operator()(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) const {
    const auto differ = std::ranges::mismatch(a, b);
    return differ.in1 != a.end() && *differ.in1 < *differ.in2;
  }
};

/// States met, and their log P(state, row).
class MetStates {
 public:
  static constexpr std::size_t most = 4096;

  void clear() { states_.clear(); }
  /// The state at hand of the chain, and what climbing leads to; the chain stays where it is.
  void meet(CauseChain& chain);
  [[nodiscard]] bool empty() const noexcept { return states_.empty(); }
  [[nodiscard]] const std::vector<std::uint8_t>& best() const;
  [[nodiscard]] double best_log_joint() const;
  /// The best n; `exact`: the evidence is, so that what is left of it can prove them.
  [[nodiscard]] std::vector<Explanation> explain(const RowFindings& row, std::size_t n,
                                                 double log_evidence, bool exact) const;

 private:
  void add(const CauseChain& chain);
  using States = std::map<std::vector<std::uint8_t>, double, EarlierState>;
  [[nodiscard]] std::vector<States::const_iterator> sorted() const;

  States states_;  // of the free causes
};

// States of the causes drawn from their posterior given a row: what Monte-Carlo EM sums over.
//
// Where the row's sum is cheap (cause_posterior.hpp) draws are independent and exact; elsewhere
// they are successive sweeps of a Gibbs chain (Wang, Sontag, Wang 2014, Sec. 4.3) that may go on
// from where another call left it.

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
