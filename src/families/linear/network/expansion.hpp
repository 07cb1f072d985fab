// The assumptions of linear networks, checked on a given one (Anandkumar et al. 2013, Sec. 2.2).
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orrery::model {

/// Which cause has an edge to which variable: loadings other than 0.
struct Bipartite {
  std::size_t n_observed = 0;
  std::vector<std::vector<std::uint32_t>> children;  ///< of each cause, rising
};
Bipartite bipartite_of(const Eigen::MatrixXd& loadings);

/// Condition 3 (Definition 2.3): |N(S)| >= |S| + d_max for every set S of two causes or more.
struct Expansion {
  bool holds = true;
  std::size_t largest_degree = 0;  ///< d_max
  /// A set for which |N(S)| - |S| is least (of several: the one the search meets first, a function
  /// of the graph alone), empty with fewer than two causes; the violating set if it does not hold.
  std::vector<std::uint32_t> set;
  std::vector<std::uint32_t> neighbours;  ///< N(S), rising
};
/// Exact for any number of causes: for every two causes that S must hold, a minimum cut finds the S
/// with the least |N(S)| - |S| (a closure problem, Picard 1976). Cost: k (k-1) / 2 flows at worst.
Expansion check_expansion(const Bipartite& graph);

/// Condition 2: three disjoint sets of variables in each of which A has full column rank.
struct RankCondition {
  bool holds = true;
  /// Of the rows of the three blocks (all rows are dealt out); empty if it does not hold.
  std::array<std::vector<std::uint32_t>, 3> blocks;
  double least_singular_value = 0;  ///< over the blocks, of A's rows there
  /// If no graph like this one can have it (Hall): a set S with |N(S)| < 3 |S|; else empty.
  std::vector<std::uint32_t> set;
  std::vector<std::uint32_t> neighbours;
};
/// First by the graph: each cause needs three variables of its own, a flow says whether. Then by
/// the numbers.
RankCondition check_rank(const Eigen::MatrixXd& loadings);

/// Condition 4 (Definition 2.4): |M v|_0 > |N(supp v)| - |supp v| for any v with two entries or
/// more that are not 0.
struct Genericity {
  bool holds = true;               ///< as far as it was looked
  std::size_t largest_set = 0;     ///< all supports of up to this many causes were looked at
  std::vector<std::uint32_t> set;  ///< a support that violates it; empty if none was found
  Eigen::VectorXd direction;       ///< the v, k entries; empty if none was found
};
/// Exhaustive over supports by rising size, as long as `most_systems` small linear systems allow.
Genericity check_genericity(const Eigen::MatrixXd& loadings,
                            std::uint64_t most_systems = 2'000'000);

}  // namespace orrery::model
