#include "families/noisy_or/page/cause_edges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/cause_elimination.hpp"

namespace orrery::noisy_or {
namespace {

using model::CauseElimination;
using model::CauseNetwork;
using model::CauseTable;

double correlation(const CauseElimination& elimination, std::uint32_t a, std::uint32_t b,
                   const std::vector<model::CauseWeight>& none) {
  const std::array<std::uint32_t, 2> pair{std::min(a, b), std::max(a, b)};
  const std::vector<double> p = elimination.table(pair, none);
  const double first = p[1] + p[3];
  const double second = p[2] + p[3];
  const double scale = std::sqrt(first * (1 - first) * second * (1 - second));
  return scale > 0 ? (p[3] - first * second) / scale : std::numeric_limits<double>::quiet_NaN();
}

double effect(const CauseTable& table, std::size_t parent) {
  double sum = 0;
  for (std::size_t state = 0; state < table.on.size(); ++state) {
    sum += ((state >> parent) & 1U) != 0 ? table.on[state] : -table.on[state];
  }
  return sum / (static_cast<double>(table.on.size()) / 2);
}

}  // namespace

CauseEdges cause_edges(const CauseNetwork& network) {
  CauseEdges found;
  const CauseElimination elimination(network);
  found.exact = elimination.is_feasible();
  const std::vector<model::CauseWeight> none(network.n_causes(), {1, 1});
  for (std::uint32_t child = 0; child < network.n_causes(); ++child) {
    const CauseTable& table = network.tables()[child];
    for (std::size_t i = 0; i < table.parents.size(); ++i) {
      const std::uint32_t parent = table.parents[i];
      found.edges.push_back(
          {parent, child,
           found.exact ? correlation(elimination, parent, child, none) : effect(table, i)});
    }
  }
  std::ranges::sort(found.edges, [](const CauseEdge& a, const CauseEdge& b) {
    return a.parent != b.parent ? a.parent < b.parent : a.child < b.child;
  });
  return found;
}

}  // namespace orrery::noisy_or
