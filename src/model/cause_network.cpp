// Purpose: checks a Bayesian network of causes, and finds an order of them.
// Cost: O(n log n + edges); O(1 + parents) a probability.
#include "orrery/model/cause_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <string>
#include <utility>

#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

void require_parents(const std::vector<CauseTable>& tables, std::size_t cause) {
  const std::vector<std::uint32_t>& parents = tables[cause].parents;
  const auto refuse = [cause](const std::string& what) {
    throw InputError(fmt::format("cause_tables[{}].parents: {}", cause, what));
  };
  if (parents.size() > CauseNetwork::max_parents) {
    refuse(fmt::format("{} parents; at most {} are possible", parents.size(),
                       CauseNetwork::max_parents));
  }
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] >= tables.size()) {
      refuse(fmt::format("{}, but there are {} causes; indices start at 0", parents[i],
                         tables.size()));
    }
    if (parents[i] == cause) refuse(fmt::format("{} is the cause itself; take it out", cause));
    if (i > 0 && parents[i - 1] >= parents[i]) {
      refuse(fmt::format("{} after {}; each parent must stand once, by rising number", parents[i],
                         parents[i - 1]));
    }
  }
}

void require_table(const CauseTable& table, std::size_t cause) {
  const std::size_t needed = std::size_t{1} << table.parents.size();
  if (table.on.size() != needed) {
    throw InputError(fmt::format(
        "cause_tables[{}].on has {} values; {} parents need {}, one for each of their states",
        cause, table.on.size(), table.parents.size(), needed));
  }
  for (std::size_t state = 0; state < needed; ++state) {
    if (table.on[state] >= 0 && table.on[state] <= 1) continue;  // NaN is refused too
    throw InputError(fmt::format("cause_tables[{}].on[{}] = {}; a probability in [0, 1] is needed",
                                 cause, state, table.on[state]));
  }
}

/// "0 -> 2 -> 0", of causes that wait for a parent. Each of them has a parent that waits too: going
/// up ends where it was before.
std::string cycle_among(const std::vector<CauseTable>& tables,
                        const std::vector<std::size_t>& waits_for) {
  const auto waits = [&](std::uint32_t cause) { return waits_for[cause] > 0; };
  std::vector<bool> seen(tables.size(), false);
  std::vector<std::uint32_t> path;
  auto next = static_cast<std::uint32_t>(
      std::ranges::find_if(waits_for, [](std::size_t count) { return count > 0; }) -
      waits_for.begin());
  while (!seen[next]) {
    seen[next] = true;
    path.push_back(next);
    next = *std::ranges::find_if(tables[next].parents, waits);
  }
  std::string cycle = std::to_string(next);
  for (auto cause = path.rbegin(); *cause != next; ++cause) cycle += fmt::format(" -> {}", *cause);
  return cycle + fmt::format(" -> {}", next);
}

/// The lowest number among those whose parents are placed comes next.
std::vector<std::uint32_t> causal_order(const std::vector<CauseTable>& tables,
                                        const std::vector<std::vector<std::uint32_t>>& children) {
  std::vector<std::size_t> waits_for(tables.size());
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (std::uint32_t i = 0; i < tables.size(); ++i) {
    waits_for[i] = tables[i].parents.size();
    if (waits_for[i] == 0) ready.push(i);
  }
  std::vector<std::uint32_t> order;
  order.reserve(tables.size());
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::uint32_t child : children[order.back()]) {
      if (--waits_for[child] == 0) ready.push(child);
    }
  }
  if (order.size() < tables.size()) {
    throw InputError(
        fmt::format("cause_tables: the parents make the cycle {} (each a parent of the next); "
                    "take one of these out",
                    cycle_among(tables, waits_for)));
  }
  return order;
}

}  // namespace

CauseNetwork::CauseNetwork(std::vector<CauseTable> tables)
    : tables_(std::move(tables)), children_(tables_.size()) {
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    require_parents(tables_, i);
    require_table(tables_[i], i);
    for (const std::uint32_t parent : tables_[i].parents) children_[parent].push_back(i);
  }
  order_ = causal_order(tables_, children_);
}

CauseNetwork CauseNetwork::independent(std::span<const double> on) {
  std::vector<CauseTable> tables;
  tables.reserve(on.size());
  for (const double probability : on) tables.push_back({{}, {probability}});
  return CauseNetwork(std::move(tables));
}

std::size_t CauseNetwork::n_edges() const noexcept {
  std::size_t n = 0;
  for (const CauseTable& table : tables_) n += table.parents.size();
  return n;
}

std::vector<std::uint32_t> CauseNetwork::markov_blanket(std::size_t cause) const {
  std::vector<std::uint32_t> blanket = tables_[cause].parents;
  for (const std::uint32_t child : children_[cause]) {
    blanket.push_back(child);
    const std::vector<std::uint32_t>& others = tables_[child].parents;
    blanket.insert(blanket.end(), others.begin(), others.end());
  }
  std::ranges::sort(blanket);
  blanket.erase(std::unique(blanket.begin(), blanket.end()), blanket.end());
  std::erase(blanket, static_cast<std::uint32_t>(cause));
  return blanket;
}

bool CauseNetwork::is_forest() const noexcept {
  return std::ranges::all_of(tables_,
                             [](const CauseTable& table) { return table.parents.size() <= 1; });
}

double CauseNetwork::on(std::size_t cause, std::span<const std::uint8_t> values) const noexcept {
  const CauseTable& table = tables_[cause];
  std::size_t state = 0;
  for (std::size_t i = 0; i < table.parents.size(); ++i) {
    state |= static_cast<std::size_t>(values[table.parents[i]] != 0) << i;
  }
  return table.on[state];
}

double CauseNetwork::log_probability(std::span<const std::uint8_t> values) const {
  double sum = 0;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const double p = on(i, values);
    sum += values[i] != 0 ? std::log(p) : std::log1p(-p);
  }
  return sum;
}

}  // namespace orrery::model
