#include "families/noisy_or/anchored/structure/cluster_cuts.hpp"

#include <CbcModel.hpp>
#include <OsiClpSolverInterface.hpp>
#include <limits>
#include <map>
#include <set>

#include "families/noisy_or/anchored/subsets.hpp"

namespace orrery::anchored {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Lengths 1 - weight of arcs: a cycle shorter than 1 is a violated cluster.
double length(const FractionalNetwork& network, std::size_t parent, std::size_t child) {
  const double weight = network.arc(parent, child);
  if (!(weight > 0)) return never;
  return std::max(0.0, 1 - weight);
}

/// The causes of the shortest cycle through `start` if it is shorter than 1, else none: Dijkstra.
std::vector<std::uint32_t> shortest_cycle(const FractionalNetwork& network, std::uint32_t start) {
  const std::size_t n = network.n_causes();
  std::vector<double> distance(n, never);
  std::vector<std::uint32_t> from(n, start);
  std::vector<bool> done(n, false);
  for (std::uint32_t i = 0; i < n; ++i) distance[i] = length(network, start, i);
  while (true) {
    std::uint32_t next = start;
    double nearest = 1 - least_violation;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!done[i] && distance[i] < nearest) {
        next = i;
        nearest = distance[i];
      }
    }
    if (nearest >= 1 - least_violation) return {};
    if (next == start) break;
    done[next] = true;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double through = nearest + length(network, next, i);
      if (through < distance[i]) {
        distance[i] = through;
        from[i] = next;
      }
    }
  }
  std::vector<std::uint32_t> cycle{start};
  for (std::uint32_t at = from[start]; at != start; at = from[at]) cycle.push_back(at);
  std::ranges::sort(cycle);
  return cycle;
}

using Found = std::set<std::pair<std::uint32_t, std::vector<std::uint32_t>>>;  // rank, causes

/// Whoever raises the violation most joins, as long as someone can be worth it.
void grow(const FamilyLists& families, const FractionalNetwork& network,
          std::vector<std::uint32_t> cluster, std::uint32_t rank, Found& found) {
  const auto n = static_cast<std::uint32_t>(network.n_causes());
  double violation = violation_of(families, network, cluster, rank);
  while (true) {
    if (violation > least_violation) found.emplace(rank, cluster);
    std::uint32_t best = n;
    double best_violation = violation - .5;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (std::ranges::binary_search(cluster, i)) continue;
      const double larger = violation_of(families, network, with_member(cluster, i), rank);
      if (larger > best_violation) {
        best = i;
        best_violation = larger;
      }
    }
    if (best == n) return;
    cluster = with_member(cluster, best);
    violation = best_violation;
  }
}

/// Sets of rank + 1 causes with the most weight of one having the others as parents, at most n.
std::vector<std::vector<std::uint32_t>> heaviest_sets(const FamilyLists& families,
                                                      const FractionalNetwork& network,
                                                      std::uint32_t rank) {
  std::map<std::vector<std::uint32_t>, double> weights;
  for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
    for (const auto& share : network.shares[i]) {
      for_each_subset(families[i][share.family].parents(), rank,
                      [&](std::span<const std::uint32_t> parents) {
                        weights[with_member(parents, i)] += share.weight;
                      });
    }
  }
  std::vector<std::pair<double, std::vector<std::uint32_t>>> heaviest;
  heaviest.reserve(weights.size());
  for (const auto& [set, weight] : weights) heaviest.emplace_back(-weight, set);
  std::ranges::sort(heaviest);
  heaviest.resize(std::min(heaviest.size(), network.n_causes()));
  std::vector<std::vector<std::uint32_t>> sets;
  sets.reserve(heaviest.size());
  for (auto& [weight, set] : heaviest) sets.push_back(std::move(set));
  return sets;
}

}  // namespace

FractionalNetwork::FractionalNetwork(const FamilyLists& families,
                                     std::vector<std::vector<Share>> of)
    : shares(std::move(of)), arcs(shares.size() * shares.size(), 0) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    for (const Share& share : shares[i]) {
      for (const std::uint32_t parent : families[i][share.family].parents()) {
        arcs[parent * shares.size() + i] += share.weight;
      }
    }
  }
}

bool FractionalNetwork::is_whole() const {
  return std::ranges::all_of(shares, [](const std::vector<Share>& of) {
    return std::ranges::any_of(of, [](const Share& s) { return s.weight > 1 - 1e-3; });
  });
}

double violation_of(const FamilyLists& families, const FractionalNetwork& network,
                    std::span<const std::uint32_t> cluster, std::uint32_t rank) {
  double violation = static_cast<double>(rank) - static_cast<double>(cluster.size());
  for (const std::uint32_t i : cluster) {
    for (const auto& share : network.shares[i]) {
      if (families[i][share.family].n_parents_in(cluster) >= rank) violation += share.weight;
    }
  }
  return violation;
}

std::vector<Cluster> find_clusters(const FamilyLists& families, const FractionalNetwork& network) {
  const std::size_t n = network.n_causes();
  Found found;
  for (std::uint32_t start = 0; start < n; ++start) {
    const std::vector<std::uint32_t> cycle = shortest_cycle(network, start);
    if (!cycle.empty()) found.emplace(1, cycle);
  }
  for (std::uint32_t rank = 1; rank <= Family::max_parents; ++rank) {
    for (const auto& start : heaviest_sets(families, network, rank)) {
      grow(families, network, start, rank, found);
    }
  }
  std::vector<Cluster> clusters;
  for (const auto& [rank, causes] : found) {
    clusters.push_back({causes, rank, violation_of(families, network, causes, rank)});
  }
  std::sort(clusters.begin(), clusters.end());
  clusters.resize(std::min(clusters.size(), 2 * n));
  return clusters;
}

// The most violated cluster of rank k as an integer program, by COIN-OR's CBC:
//   min sum_i c_i - sum x_{i,W} z_{i,W}   c_i in {0, 1}: i is in the cluster
//   z_{i,W} <= c_i,  z_{i,W} <= sum_{j in T} c_j for every T of |W| - k + 1 members of W (the
//   cluster has k parents of W if and only if it meets each such T),  sum_i c_i >= k + 1,
// z free in [0, 1]: its weight is positive, so that it takes the least of these, a whole number.
// The violation is k less the value.

namespace {

constexpr int most_cluster_nodes = 20'000;
constexpr int kept_clusters = 10;

void add_columns(OsiClpSolverInterface& solver, const FractionalNetwork& network) {
  const CoinPackedVector none;
  for (std::size_t i = 0; i < network.n_causes(); ++i) solver.addCol(none, 0, 1, 1);
  for (const auto& shares : network.shares) {
    for (const auto& share : shares) solver.addCol(none, 0, 1, -share.weight);
  }
  for (std::size_t i = 0; i < network.n_causes(); ++i) solver.setInteger(static_cast<int>(i));
}

void add_rows(OsiClpSolverInterface& solver, const FamilyLists& families,
              const FractionalNetwork& network, std::uint32_t rank) {
  int z = static_cast<int>(network.n_causes());
  CoinPackedVector members;
  for (int i = 0; i < z; ++i) members.insert(i, 1);
  solver.addRow(members, rank + 1, COIN_DBL_MAX);
  for (std::size_t i = 0; i < network.n_causes(); ++i) {
    for (const auto& share : network.shares[i]) {
      CoinPackedVector own;
      own.insert(z, 1);
      own.insert(static_cast<int>(i), -1);
      solver.addRow(own, -COIN_DBL_MAX, 0);
      const std::span<const std::uint32_t> parents = families[i][share.family].parents();
      if (parents.size() < rank) solver.setColUpper(z, 0);
      const std::size_t size = parents.size() < rank ? parents.size() : parents.size() - rank + 1;
      for_each_subset(parents, size, [&](std::span<const std::uint32_t> some) {
        CoinPackedVector meets;
        meets.insert(z, 1);
        for (const std::uint32_t parent : some) meets.insert(static_cast<int>(parent), -1);
        solver.addRow(meets, -COIN_DBL_MAX, 0);
      });
      ++z;
    }
  }
}

}  // namespace

std::vector<Cluster> find_clusters_exactly(const FamilyLists& families,
                                           const FractionalNetwork& network, std::uint32_t rank) {
  OsiClpSolverInterface solver;
  solver.messageHandler()->setLogLevel(0);
  add_columns(solver, network);
  add_rows(solver, families, network, rank);
  CbcModel model(solver);
  model.setLogLevel(0);
  model.solver()->messageHandler()->setLogLevel(0);
  model.setMaximumNodes(most_cluster_nodes);
  model.setMaximumSavedSolutions(kept_clusters);
  model.setCutoff(rank - least_violation);
  model.branchAndBound();
  std::vector<Cluster> clusters;
  for (int s = 0; s < model.numberSavedSolutions(); ++s) {
    const double* values = model.savedSolution(s);
    Cluster cluster{{}, rank, 0};
    for (std::uint32_t i = 0; i < network.n_causes(); ++i) {
      if (values[i] > .5) cluster.causes.push_back(i);
    }
    cluster.violation = violation_of(families, network, cluster.causes, cluster.rank);
    if (cluster.violation > least_violation / 2) clusters.push_back(std::move(cluster));
  }
  std::sort(clusters.begin(), clusters.end());
  return clusters;
}

}  // namespace orrery::anchored
