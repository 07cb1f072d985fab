#include "families/linear/network/coupling.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/json_entry.hpp"
#include "orrery/base/error.hpp"

namespace orrery::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// "a -> b -> a", of causes that wait for others. Each waits for another that waits: going up ends
/// where it was before.
std::string cycle_among(const MatrixXd& coupling, const std::vector<Index>& waits_for,
                        const std::vector<std::string>& names) {
  const auto waits = [&](Index i) { return waits_for[static_cast<std::size_t>(i)] > 0; };
  std::vector<Index> path;
  Index next = 0;
  while (!waits(next)) ++next;
  while (std::ranges::find(path, next) == path.end()) {
    path.push_back(next);
    Index parent = 0;
    while (coupling(next, parent) == 0 || !waits(parent)) ++parent;
    next = parent;
  }
  std::string cycle = shown(names[static_cast<std::size_t>(next)]);
  for (auto cause = path.rbegin(); *cause != next; ++cause) {
    cycle += " -> " + shown(names[static_cast<std::size_t>(*cause)]);
  }
  return cycle + " -> " + shown(names[static_cast<std::size_t>(next)]);
}

}  // namespace

std::vector<Index> causal_order_of(const MatrixXd& coupling,
                                   const std::vector<std::string>& names) {
  const Index k = coupling.rows();
  std::vector<Index> waits_for(static_cast<std::size_t>(k));
  for (Index i = 0; i < k; ++i) {
    waits_for[static_cast<std::size_t>(i)] = (coupling.row(i).array() != 0).count();
  }
  std::vector<Index> order;
  constexpr Index placed = -1;
  while (static_cast<Index>(order.size()) < k) {
    const auto next = std::ranges::find(waits_for, Index{0});
    if (next == waits_for.end()) break;
    const Index i = next - waits_for.begin();
    *next = placed;
    order.push_back(i);
    for (Index j = 0; j < k; ++j) {
      if (coupling(j, i) != 0) --waits_for[static_cast<std::size_t>(j)];
    }
  }
  if (static_cast<Index>(order.size()) == k) return order;

  throw InputError(fmt::format("coupling has the cycle {}; causes must have an order",
                               cycle_among(coupling, waits_for, names)));
}

MatrixXd total_effects(const MatrixXd& coupling, const std::vector<Index>& order) {
  MatrixXd effects = MatrixXd::Identity(coupling.rows(), coupling.rows());
  for (const Index i : order) {
    for (const Index j : order) {
      if (coupling(i, j) != 0) effects.row(i) += coupling(i, j) * effects.row(j);
    }
  }
  return effects;
}

}  // namespace orrery::model
