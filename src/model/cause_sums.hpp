// Exact sums over the states of the free causes of a row, in one of two forms:
//
//   tables  a positive finding as one table of its parents, in a min-fill order: 2^parents at least
//   chains  z_t = z_{t-1} or a success of its t-th parent, z_0 by its leak, the last z = 1: tables
//           of three variables, in the network's sweep order. Takes 2^(causes with neighbours on
//           both sides + findings with parents on both sides), however many parents there are
//           (the temporal form of causal independence: Heckerman 1993).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/factor_elimination.hpp"
#include "model/row_findings.hpp"

namespace orrery::model {

class CauseSums {
 public:
  enum class Form : std::uint8_t { tables, chains };

  /// Finds what the sums of this row would take: the cheaper form's, or the one given. The row must
  /// not be contradicted, and stay as it is.
  void plan(const RowFindings& row, std::optional<Form> form = std::nullopt);
  /// Multiply-adds; infinity: neither form can be summed.
  [[nodiscard]] double work() const noexcept { return plan_.work; }
  /// Numbers held.
  [[nodiscard]] double cells() const noexcept { return plan_.cells; }

  /// Sums what was planned.
  void run();
  /// log P(row), with what all states have in common.
  [[nodiscard]] double log_evidence() const noexcept { return log_evidence_; }
  /// P(off | row), P(on | row) by place among the free causes.
  [[nodiscard]] std::vector<std::array<double, 2>> marginals();
  /// A state of the free causes by place, drawn from their posterior.
  void draw(const std::function<double()>& uniform, std::span<std::uint8_t> values);

  /// Of the form `tables` alone, once planned: the most probable state of the free causes by place
  /// among those that `fixed` (the same; CauseState) allows. log P(state, row); -infinity: none.
  double find_best(std::span<const CauseState> fixed, std::span<std::uint8_t> values);

 private:
  void fill_factors();
  EliminationPlan plan_tables() const;
  EliminationPlan plan_chains();
  void sort_parents(std::span<const std::uint32_t> step);

  const RowFindings* row_ = nullptr;
  std::vector<Factor> families_;             // tables of the causes' network that have a scope
  double log_constant_ = 0;                  // those that have none
  std::vector<RowFindings::Finding> swept_;  // findings, their parents in the sweep's order
  Form form_ = Form::tables;
  EliminationPlan plan_;
  std::vector<Factor> factors_;  // empty: not filled yet
  FactorElimination<double> sums_;
  FactorElimination<long double> long_sums_;
  bool is_long_ = false;
  double log_evidence_ = 0;
  std::vector<std::uint8_t> drawn_;  // with the bits of chains
};

/// P(cause | parents) where some are known: tables of the free ones by place, a cause each, free or
/// not; one whose scope is empty is a constant.
std::vector<Factor> restricted_tables(const RowFindings& row);

}  // namespace orrery::model
