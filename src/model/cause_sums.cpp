#include "model/cause_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace orrery::model {
namespace {

/// Beyond it a table of a finding's parents is not worth a plan.
constexpr std::size_t most_planned_parents = 24;

std::uint32_t n32(std::size_t n) { return static_cast<std::uint32_t>(n); }

EliminationPlan unsummable() {
  EliminationPlan plan;
  plan.work = plan.cells = std::numeric_limits<double>::infinity();
  return plan;
}

/// P(on | parents), all of them in one table: sums of nonnegative numbers, so that a small leak
/// keeps its digits.
Factor table_of(const RowFindings::Finding& finding) {
  Factor factor{finding.parents, {finding.leak}};
  for (const double failure : finding.failures) {
    const std::size_t half = factor.table.size();
    for (std::size_t i = 0; i < half; ++i) {
      const double on = factor.table[i];
      factor.table.push_back(on + (1 - on) * (1 - failure));
    }
  }
  return factor;
}

/// The tables of a finding's chain; `first_bit`: the number of its first bit, z_1. Its parents come
/// in the order of the sweep.
std::vector<Factor> chain_of(const RowFindings::Finding& finding, std::uint32_t first_bit) {
  std::vector<Factor> factors;
  const std::size_t n = finding.parents.size();
  // Of y and z_1.
  const double leak = finding.leak;
  const double off = (1 - leak) * finding.failures[0];
  factors.push_back({{finding.parents[0], first_bit},
                     {1 - leak, off, leak, leak + (1 - leak) * (1 - finding.failures[0])}});
  for (std::size_t t = 1; t + 1 < n; ++t) {
    // Of y, z_{t-1} and z_t: what is explained stays so.
    const double failure = finding.failures[t];
    const auto bit = first_bit + static_cast<std::uint32_t>(t);
    factors.push_back(
        {{finding.parents[t], bit - 1, bit}, {1, failure, 0, 0, 0, 1 - failure, 1, 1}});
  }
  // Of y and the last bit but one: the last is 1.
  const auto last = first_bit + static_cast<std::uint32_t>(n) - 2;
  factors.push_back({{finding.parents[n - 1], last}, {0, 1 - finding.failures[n - 1], 1, 1}});
  return factors;
}

}  // namespace

std::vector<Factor> restricted_tables(const RowFindings& row) {
  const CauseNetwork& causes = row.network().network().cause_network();
  std::vector<std::uint32_t> place(causes.n_causes());
  for (std::uint32_t k = 0; k < row.free().size(); ++k) place[row.free()[k]] = k;
  std::vector<Factor> factors;
  for (std::uint32_t i = 0; i < causes.n_causes(); ++i) {
    const CauseTable& table = causes.tables()[i];
    Scope scope;
    std::vector<std::size_t> bit;  // in the number of the parents' state
    std::size_t fixed = 0;
    for (std::size_t k = 0; k < table.parents.size(); ++k) {
      const std::uint32_t parent = table.parents[k];
      if (row.state(parent) == CauseState::on) fixed |= std::size_t{1} << k;
      if (row.state(parent) != CauseState::unknown) continue;
      scope.push_back(place[parent]);
      bit.push_back(std::size_t{1} << k);
    }
    std::vector<double> on{table.on[fixed]};
    std::vector<std::size_t> at{fixed};
    for (const std::size_t b : bit) {
      const std::size_t half = at.size();
      for (std::size_t c = 0; c < half; ++c) {
        at.push_back(at[c] | b);
        on.push_back(table.on[at.back()]);
      }
    }
    std::vector<double> cells;
    if (row.state(i) != CauseState::on) {
      for (const double p : on) cells.push_back(1 - p);
    }
    if (row.state(i) != CauseState::off) cells.insert(cells.end(), on.begin(), on.end());
    if (row.state(i) == CauseState::unknown) scope.push_back(place[i]);
    factors.push_back({std::move(scope), std::move(cells)});
  }
  return factors;
}

void CauseSums::plan(const RowFindings& row, std::optional<Form> form) {
  row_ = &row;
  families_.clear();
  factors_.clear();
  log_constant_ = 0;
  for (Factor& factor : restricted_tables(row)) {
    if (factor.scope.empty()) {
      log_constant_ += std::log(factor.table[0]);
    } else {
      families_.push_back(std::move(factor));
    }
  }
  form_ = form.value_or(Form::tables);
  plan_ = form_ == Form::tables ? plan_tables() : plan_chains();
  if (form || row.findings().empty()) return;
  EliminationPlan chains = plan_chains();
  if (chains.work >= plan_.work) return;
  form_ = Form::chains;
  plan_ = std::move(chains);
}

EliminationPlan CauseSums::plan_tables() const {
  std::vector<Scope> scopes;
  for (const Factor& factor : families_) scopes.push_back(factor.scope);
  for (const RowFindings::Finding& finding : row_->findings()) {
    if (finding.parents.size() > most_planned_parents) return unsummable();
    scopes.push_back(finding.parents);
  }
  const std::size_t n = row_->free().size();
  const EliminationOrder found = min_fill_order(n, scopes, EliminationPlan::max_scope);
  if (found.width > EliminationPlan::max_scope) return unsummable();
  Scope order;
  for (const Scope& clique : found.cliques) order.push_back(clique.front());
  return plan_elimination(scopes, std::move(order));
}

/// Step by step of the sweep: each finding's bit before the cause at hand goes, then each cause
/// that nothing later is linked to.
EliminationPlan CauseSums::plan_chains() {
  const std::size_t n = row_->free().size();
  Scope place(row_->network().n_causes(), n32(n)), sweep, step(n);
  for (std::uint32_t k = 0; k < n; ++k) place[row_->free()[k]] = k;
  for (const std::uint32_t cause : row_->network().sweep_order()) {
    if (place[cause] == n) continue;
    step[place[cause]] = n32(sweep.size());
    sweep.push_back(place[cause]);
  }
  Scope last_use = step;
  std::vector<Scope> scopes;
  for (const Factor& factor : families_) {
    scopes.push_back(factor.scope);
    std::uint32_t last = 0;
    for (const std::uint32_t k : factor.scope) last = std::max(last, step[k]);
    for (const std::uint32_t k : factor.scope) last_use[k] = std::max(last_use[k], last);
  }
  std::vector<Scope> ending(n);  // by step: what is eliminated then
  sort_parents(step);
  std::uint32_t bit = n32(n);
  for (const RowFindings::Finding& finding : swept_) {
    for (Factor& factor : chain_of(finding, bit)) scopes.push_back(std::move(factor.scope));
    for (std::size_t t = 1; t < finding.parents.size(); ++t) {
      ending[step[finding.parents[t]]].push_back(bit++);
    }
  }
  for (const std::uint32_t k : sweep) ending[last_use[k]].push_back(k);
  Scope order;
  for (const Scope& at : ending) order.insert(order.end(), at.begin(), at.end());
  return plan_elimination(scopes, std::move(order));
}

void CauseSums::sort_parents(std::span<const std::uint32_t> step) {
  swept_.assign(row_->findings().begin(), row_->findings().end());
  for (RowFindings::Finding& finding : swept_) {
    std::vector<std::pair<std::uint32_t, double>> parents;
    for (std::size_t t = 0; t < finding.parents.size(); ++t) {
      parents.emplace_back(finding.parents[t], finding.failures[t]);
    }
    std::ranges::sort(parents, {}, [&](const auto& parent) { return step[parent.first]; });
    for (std::size_t t = 0; t < parents.size(); ++t) {
      std::tie(finding.parents[t], finding.failures[t]) = parents[t];
    }
  }
}

void CauseSums::fill_factors() {
  if (!factors_.empty()) return;
  factors_ = families_;
  std::uint32_t bit = n32(row_->free().size());
  if (form_ == Form::tables) {
    for (const auto& finding : row_->findings()) factors_.push_back(table_of(finding));
  } else {
    for (const auto& finding : swept_) {
      for (Factor& factor : chain_of(finding, bit)) factors_.push_back(std::move(factor));
      bit += n32(finding.parents.size()) - 1;
    }
  }
}

void CauseSums::run() {
  fill_factors();
  std::vector<std::array<double, 2>> weights(plan_.order.size());
  std::ranges::copy(row_->log_weights(), weights.begin());
  sums_.run(plan_, factors_, weights);
  is_long_ = sums_.lost_digits();
  if (is_long_) long_sums_.run(plan_, factors_, weights);
  log_evidence_ =
      (is_long_ ? long_sums_.log_sum() : sums_.log_sum()) + row_->log_common() + log_constant_;
}

double CauseSums::find_best(std::span<const CauseState> fixed, std::span<std::uint8_t> values) {
  fill_factors();
  std::vector<std::array<double, 2>> weights(row_->log_weights().begin(),
                                             row_->log_weights().end());
  constexpr double never = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < fixed.size(); ++k) {
    if (fixed[k] != CauseState::unknown) weights[k][fixed[k] == CauseState::on ? 0 : 1] = never;
  }
  // In long double: products are not scaled where only a largest one is sought after.
  return long_sums_.find_largest(plan_, factors_, weights, values) + row_->log_common() +
         log_constant_;
}

std::vector<std::array<double, 2>> CauseSums::marginals() {
  auto shares = is_long_ ? long_sums_.marginals() : sums_.marginals();
  shares.resize(row_->free().size());
  return shares;
}

void CauseSums::draw(const std::function<double()>& uniform, std::span<std::uint8_t> values) {
  drawn_.assign(plan_.order.size(), 0);
  if (is_long_) {
    long_sums_.draw(uniform, drawn_);
  } else {
    sums_.draw(uniform, drawn_);
  }
  std::copy_n(drawn_.begin(), row_->free().size(), values.begin());
}

}  // namespace orrery::model
