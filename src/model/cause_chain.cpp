#include "model/cause_chain.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/cause_sums.hpp"
#include "model/numbers.hpp"

namespace orrery::model {
namespace {

/// Nats that what cannot be costs in the end; e^-1e6 is 0 beside anything.
constexpr double final_penalty = 1e6;
constexpr double first_penalty = 3;
/// Quotients by failures below this would not keep their digits.
constexpr double least_failure = 1e-6;
constexpr double least_quiet = 1e-200;

}  // namespace

void CauseChain::read(const RowFindings& row) {
  row_ = &row;
  const std::size_t n = row.free().size();
  weights_.assign(row.log_weights().begin(), row.log_weights().end());
  links_.assign(n, {});
  places_.assign(n, {});
  parents_.assign(n, {});
  families_.clear();
  findings_.clear();
  all_impossible_ = false;
  log_constant_ = row.log_common();
  for (const RowFindings::Finding& finding : row.findings()) {
    for (std::size_t t = 0; t < finding.parents.size(); ++t) {
      links_[finding.parents[t]].push_back(
          {static_cast<std::uint32_t>(findings_.size()), finding.failures[t]});
    }
    findings_.push_back({finding.leak, 1, 0});
  }
  const std::vector<Factor> tables = restricted_tables(row);
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    const Factor& table = tables[i];
    if (table.scope.empty()) {
      if (table.table[0] == 0) all_impossible_ = true;
      log_constant_ += std::log(table.table[0]);
      continue;
    }
    const auto family = static_cast<std::uint32_t>(families_.size());
    for (std::uint32_t k = 0; k < table.scope.size(); ++k) {
      places_[table.scope[k]].push_back({family, std::uint32_t{1} << k});
    }
    if (row.state(i) == CauseState::unknown) {
      parents_[table.scope.back()].assign(table.scope.begin(), table.scope.end() - 1);
    }
    Family& held = families_.emplace_back();
    for (const double p : table.table) held.log_table.push_back(std::log(p));
  }
}

void CauseChain::start(std::span<const std::uint8_t> values) {
  values_.assign(values.begin(), values.end());
  on_.assign(values_.size(), 0);
  n_sweeps_ = 0;
  penalty_ = final_penalty;
  for (Family& family : families_) family.cell = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] == 0) continue;
    for (const Place& place : places_[i]) families_[place.family].cell |= place.bit;
  }
  refresh();
}

void CauseChain::refresh() {
  for (Finding& finding : findings_) {
    finding.quiet = 1 - finding.leak;
    finding.n_on = 0;
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] == 0) continue;
    for (const Link& link : links_[i]) {
      findings_[link.finding].quiet *= link.failure;
      ++findings_[link.finding].n_on;
    }
  }
}

void CauseChain::move_to(std::span<const std::uint8_t> values) {
  for (std::size_t i = 0; i < values_.size(); ++i) set(i, values[i] != 0);
  refresh();
}

bool CauseChain::settle(std::size_t n_sweeps, RowRandom& random) {
  const std::size_t growing = n_sweeps / 2;
  for (std::size_t s = 0; s < n_sweeps; ++s) {
    const double share = s < growing ? static_cast<double>(s) / static_cast<double>(growing) : 1;
    penalty_ = first_penalty * std::pow(final_penalty / first_penalty, share);
    sweep(random);
  }
  penalty_ = final_penalty;
  refresh();
  return is_possible();
}

bool CauseChain::is_possible() const {
  if (all_impossible_) return false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (std::isinf(weights_[i][values_[i]])) return false;
  }
  for (const Family& family : families_) {
    if (std::isinf(family.log_table[family.cell])) return false;
  }
  return std::ranges::none_of(
      findings_, [](const Finding& finding) { return finding.leak == 0 && finding.n_on == 0; });
}

void CauseChain::sweep(RowRandom& random) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const std::vector<std::uint32_t>& parents = parents_[i];
    if (parents.empty()) {
      draw_alone(i, random);
    } else {
      draw_with(i, parents[n_sweeps_ % parents.size()], random);
    }
  }
  ++n_sweeps_;
}

void CauseChain::draw_alone(std::size_t cause, RowRandom& random) {
  on_[cause] = logistic(log_odds(cause));
  set(cause, random.bernoulli(on_[cause]));
}

/// Of the four states of a cause and a parent, with the others as they are; weights relative to
/// both off.
void CauseChain::draw_with(std::size_t cause, std::size_t parent, RowRandom& random) {
  set(parent, false);
  const double cause_alone = log_odds(cause);
  set(cause, false);
  const double parent_alone = log_odds(parent);
  set(parent, true);
  const double both = parent_alone + log_odds(cause);
  const double largest = std::max({0.0, cause_alone, parent_alone, both});
  const std::array<double, 4> weights{std::exp(-largest), std::exp(cause_alone - largest),
                                      std::exp(parent_alone - largest), std::exp(both - largest)};
  const double sum = weights[0] + weights[1] + weights[2] + weights[3];
  on_[cause] = (weights[1] + weights[3]) / sum;
  on_[parent] = (weights[2] + weights[3]) / sum;
  const double at = random.uniform() * sum;
  std::size_t state = 0;
  for (double below = weights[0]; state < 3 && at >= below; below += weights[state]) ++state;
  set(cause, (state & 1U) != 0);
  set(parent, (state & 2U) != 0);
}

double CauseChain::log_odds(std::size_t cause) {
  double sum = floored(weights_[cause][1]) - floored(weights_[cause][0]);
  for (const Place& place : places_[cause]) {
    const Family& family = families_[place.family];
    sum += floored(family.log_table[family.cell | place.bit]) -
           floored(family.log_table[family.cell & ~place.bit]);
  }
  return sum + log_odds_of_findings(cause);
}

double CauseChain::log_odds_of_findings(std::size_t cause) {
  double sum = 0;
  double ratio = 1;
  for (const Link& link : links_[cause]) {
    const Finding& finding = findings_[link.finding];
    const bool alone = finding.n_on == values_[cause];
    // From the leak itself where nothing else is on: 1 - (1 - leak) would lose its digits.
    const double quiet = alone ? 1 - finding.leak : quiet_without(finding, link, cause);
    const double off = alone ? finding.leak : 1 - quiet;
    const double on = off + quiet * (1 - link.failure);
    if (off == 0) {
      sum += penalty_ + std::log(on);
      continue;
    }
    ratio *= on / off;
    if (ratio > 1e200) {
      sum += std::log(ratio);
      ratio = 1;
    }
  }
  return sum + std::log(ratio);
}

/// P(the finding is off) by its leak and the causes that are on beside this one.
double CauseChain::quiet_without(const Finding& finding, const Link& link, std::size_t cause) {
  if (values_[cause] == 0) return finding.quiet;
  if (link.failure >= least_failure && finding.quiet >= least_quiet) {
    return finding.quiet / link.failure;
  }
  const RowFindings::Finding& whole = row_->findings()[link.finding];
  double quiet = 1 - finding.leak;
  for (std::size_t t = 0; t < whole.parents.size(); ++t) {
    if (whole.parents[t] != cause && values_[whole.parents[t]] != 0) quiet *= whole.failures[t];
  }
  return quiet;
}

void CauseChain::set(std::size_t cause, bool on) {
  if ((values_[cause] != 0) == on) return;
  for (const Link& link : links_[cause]) {
    Finding& finding = findings_[link.finding];
    if (on) {
      finding.quiet *= link.failure;
      ++finding.n_on;
    } else {
      finding.quiet = quiet_without(finding, link, cause);
      --finding.n_on;
    }
  }
  for (const Place& place : places_[cause]) families_[place.family].cell ^= place.bit;
  values_[cause] = on ? 1 : 0;
}

double CauseChain::log_joint() const {
  double sum = log_constant_;
  for (std::size_t i = 0; i < values_.size(); ++i) sum += weights_[i][values_[i]];
  for (const Family& family : families_) sum += family.log_table[family.cell];
  for (const Finding& finding : findings_) {
    sum += std::log(finding.n_on == 0 ? finding.leak : 1 - finding.quiet);
  }
  return sum;
}

double CauseChain::log_transition(std::span<const std::uint8_t> target) {
  double sum = 0;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double odds = log_odds(i);
    // log P(on) or log P(off), with their digits.
    sum -= std::log1p(std::exp(target[i] != 0 ? -odds : odds));
    set(i, target[i] != 0);
  }
  return sum;
}

void CauseChain::climb() {
  // Each change raises the probability, so that no state comes twice; the limit is for rounding.
  bool changed = true;
  for (std::size_t pass = 0; changed && pass < 10 * values_.size(); ++pass) {
    changed = false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const bool on = log_odds(i) > 0;
      if (on == (values_[i] != 0)) continue;
      set(i, on);
      changed = true;
    }
  }
}

}  // namespace orrery::model
