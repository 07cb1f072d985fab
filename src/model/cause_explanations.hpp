// The most probable states of a row's causes.
//
// Where a positive finding can be a table of its parents: the largest product by elimination, then
// the next ones by fixing what the last had (Lawler 1972): proven. Elsewhere the best of states
// that were drawn, each raised by changes of single causes; proven only where those found leave
// less mass than the state has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "model/cause_chain.hpp"
#include "model/cause_sums.hpp"
#include "orrery/model/inference.hpp"

namespace orrery::model {

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

}  // namespace orrery::model
