// The most violated cluster of rank k as an integer program, by COIN-OR's CBC:
//   min sum_i c_i - sum x_{i,W} z_{i,W}   c_i in {0, 1}: i is in the cluster
//   z_{i,W} <= c_i,  z_{i,W} <= sum_{j in T} c_j for every T of |W| - k + 1 members of W (the
//   cluster has k parents of W if and only if it meets each such T),  sum_i c_i >= k + 1,
// z free in [0, 1]: its weight is positive, so that it takes the least of these, a whole number.
// The violation is k less the value.
#include <CbcModel.hpp>
#include <OsiClpSolverInterface.hpp>

#include "families/noisy_or/anchored/structure/cluster_cuts.hpp"
#include "families/noisy_or/anchored/subsets.hpp"

namespace orrery::anchored {
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
