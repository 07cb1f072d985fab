#include "model/cause_explanations.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace orrery::model {
namespace {

/// Those that are on, known ones among them.
std::vector<std::uint32_t> present_in(const RowFindings& row,
                                      std::span<const std::uint8_t> values) {
  std::vector<std::uint32_t> present;
  for (std::uint32_t i = 0; i < row.network().n_causes(); ++i) {
    if (row.state(i) == CauseState::on) present.push_back(i);
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (values[k] != 0) present.push_back(row.free()[k]);
  }
  std::ranges::sort(present);
  return present;
}

/// States that agree with `fixed`, and the best of them.
struct Part {
  double log_joint = 0;
  std::vector<std::uint8_t> values;
  std::vector<CauseState> fixed;
  /// The less probable part comes later; of equals the one with the larger numbers.
  bool operator<(const Part& other) const {
    return log_joint != other.log_joint ? log_joint < other.log_joint
                                        : EarlierState()(other.values, values);
  }
};

}  // namespace

std::optional<std::vector<Explanation>> best_states(const RowFindings& row, std::size_t n,
                                                    double log_evidence, double max_work) {
  CauseSums sums;
  sums.plan(row, CauseSums::Form::tables);
  const std::size_t n_free = row.free().size();
  const double n_searches = n <= 1 ? 1 : static_cast<double>(n * n_free);
  if (!(n_searches * sums.work() <= max_work)) return std::nullopt;
  std::priority_queue<Part> parts;
  const auto search = [&](std::vector<CauseState> fixed) {
    Part part{0, std::vector<std::uint8_t>(n_free), std::move(fixed)};
    part.log_joint = sums.find_best(part.fixed, part.values);
    if (!std::isinf(part.log_joint)) parts.push(std::move(part));
  };
  search(std::vector<CauseState>(n_free, CauseState::unknown));
  std::vector<Explanation> found;
  while (found.size() < n && !parts.empty()) {
    const Part best = parts.top();
    parts.pop();
    found.push_back({best.log_joint - log_evidence, present_in(row, best.values), true});
    if (found.size() == n) break;
    // The others of this part: those that first differ from its best at cause k, for each k.
    std::vector<CauseState> fixed = best.fixed;
    for (std::size_t k = 0; k < n_free; ++k) {
      if (fixed[k] != CauseState::unknown) continue;
      fixed[k] = best.values[k] != 0 ? CauseState::off : CauseState::on;
      search(fixed);
      fixed[k] = best.values[k] != 0 ? CauseState::on : CauseState::off;
    }
  }
  return found;
}

void MetStates::add(const CauseChain& chain) {
  std::vector<std::uint8_t> state(chain.values().begin(), chain.values().end());
  if (states_.size() < most) states_.try_emplace(std::move(state), chain.log_joint());
}

void MetStates::meet(CauseChain& chain) {
  const std::vector<std::uint8_t> here(chain.values().begin(), chain.values().end());
  if (states_.contains(here)) return;
  add(chain);
  chain.climb();
  add(chain);
  chain.move_to(here);
}

std::vector<MetStates::States::const_iterator> MetStates::sorted() const {
  std::vector<States::const_iterator> order;
  for (auto it = states_.begin(); it != states_.end(); ++it) order.push_back(it);
  std::ranges::stable_sort(order,
                           [](const auto& a, const auto& b) { return a->second > b->second; });
  return order;
}

const std::vector<std::uint8_t>& MetStates::best() const { return sorted().front()->first; }
double MetStates::best_log_joint() const { return sorted().front()->second; }

std::vector<Explanation> MetStates::explain(const RowFindings& row, std::size_t n,
                                            double log_evidence, bool exact) const {
  const auto order = sorted();
  double met = 0;
  for (const auto& state : order) met += std::exp(state->second - log_evidence);
  std::vector<Explanation> found;
  for (std::size_t i = 0; i < std::min(n, order.size()); ++i) {
    const double log_probability = order[i]->second - log_evidence;
    // A state that was not met has at most what those met leave.
    const bool proven = exact && std::exp(log_probability) > std::max(0.0, 1 - met) + 1e-9;
    found.push_back({log_probability, present_in(row, order[i]->first), proven});
  }
  return found;
}

}  // namespace orrery::model
