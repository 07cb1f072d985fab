// Clusters that a fractional network violates (Jaakkola, Sontag, Globerson, Meila 2010; of higher
// rank: Cussens 2011). Of a set C of causes the first k in an order of the network have fewer than
// k parents in C. With x_{i,W} the share of the family (i, W), rank k from 1,
//   sum over i in C, |W n C| >= k, of x_{i,W}  <=  |C| - k,
// and the excess over |C| - k is the violation. Rank 1 alone makes whole solutions networks; higher
// ranks bring the bound down. Cycles and growth find most; a small integer program (Cussens,
// Bartlett 2013) finds the most violated cluster of a rank, or shows that there is none.
//
// Cost: cycles O(n^3); growth O(n) starts a rank, of O(n^2) families each or more; the program has
// a variable a cause and a share. A whole network with a cycle is always found by its cycles.
#pragma once

#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

/// The shares of families in a solution of a linear program; those of a cause sum to 1.
struct FractionalNetwork {
  struct Share {
    std::uint32_t family;  ///< number in the cause's list
    double weight;         ///< (0, 1]
  };
  std::vector<std::vector<Share>> shares;
  std::vector<double> arcs;  ///< n x n: [parent * n + child], the weight of the families with it

  /// Of shares; weights below 1e-9 may be left out.
  FractionalNetwork(const FamilyLists& families, std::vector<std::vector<Share>> of);
  [[nodiscard]] std::size_t n_causes() const noexcept { return shares.size(); }
  [[nodiscard]] double arc(std::size_t parent, std::size_t child) const {
    return arcs[parent * n_causes() + child];
  }
  [[nodiscard]] bool is_whole() const;
};

struct Cluster {
  std::vector<std::uint32_t> causes;  ///< rising
  std::uint32_t rank = 1;
  double violation = 0;
  bool operator<(const Cluster& other) const {
    return std::tuple(-violation, rank, causes) <
           std::tuple(-other.violation, other.rank, other.causes);
  }
};

/// Less is taken for rounding.
constexpr double least_violation = 1e-4;

double violation_of(const FamilyLists& families, const FractionalNetwork& network,
                    std::span<const std::uint32_t> cluster, std::uint32_t rank);

/// The most violated first, each once, at most 2 n; may miss some.
std::vector<Cluster> find_clusters(const FamilyLists& families, const FractionalNetwork& network);

/// Of one rank, by the integer program: none if there is none (or none within CBC's limit).
std::vector<Cluster> find_clusters_exactly(const FamilyLists& families,
                                           const FractionalNetwork& network, std::uint32_t rank);

}  // namespace orrery::anchored
