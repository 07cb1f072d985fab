// The assumptions of linear networks, checked on a given one (Anandkumar et al. 2013, Sec. 2.2),
// and the flow that they are checked by.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace orrery::model {

/// Which cause has an edge to which variable: loadings other than 0.
struct Bipartite {
  std::size_t n_observed = 0;
  std::vector<std::vector<std::uint32_t>> children;  ///< of each cause, rising
};
Bipartite bipartite_of(const Eigen::MatrixXd& loadings);

// ---- variables dealt out among causes: the flow behind the checks of a bipartite graph

/// Each variable belongs to one cause with an edge to it, or to none: a flow from the causes over
/// the edges to the variables, whose capacity is 1. A cause is given variables by augmenting paths,
/// along which others change theirs; none ever has fewer after. Once a cause cannot be given more,
/// it never can, whatever is given to others: the flow is then largest.
class VariableOwners {
 public:
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  /// The graph must outlive it.
  explicit VariableOwners(const Bipartite& graph);

  /// Gives the cause up to `n` variables more. Cost: an edge once for each of them.
  void give(std::uint32_t cause, std::size_t n);

  [[nodiscard]] std::size_t n_owned(std::uint32_t cause) const { return n_owned_[cause]; }
  [[nodiscard]] std::size_t n_owned() const noexcept { return n_owned_in_all_; }
  /// Variables of the cause that are no one's yet.
  [[nodiscard]] std::size_t n_free(std::uint32_t cause) const;
  /// Of each cause, rising.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> owned() const;
  /// The causes that `from` lead to, themselves too, over variables to the owners of these; rising.
  /// Where no variable on the way is free, the causes own all their neighbours.
  [[nodiscard]] std::vector<std::uint32_t> reach(const std::vector<std::uint32_t>& from) const;

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] bool give_one(std::uint32_t cause);
  void hand_over(std::uint32_t variable, std::uint32_t cause);

  const Bipartite* graph_;
  std::vector<std::uint32_t> owner_;  // of each variable
  std::vector<std::size_t> n_owned_;  // of each cause
  std::size_t n_owned_in_all_ = 0;
  // A search. What has another number than the search's was not found in it.
  std::uint64_t search_ = 0;
  std::vector<std::uint64_t> found_in_;    // of each variable
  std::vector<std::uint32_t> finder_;      // of each variable, the cause that found it
  std::vector<std::uint64_t> reached_in_;  // of each cause
  std::vector<std::uint32_t> by_way_of_;   // of each cause, the variable that led to it
  std::vector<std::uint32_t> queue_;
};

/// Variables with an edge from any of the causes, rising.
std::vector<std::uint32_t> neighbours_of(const Bipartite& graph,
                                         const std::vector<std::uint32_t>& causes);

// ---- the conditions

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

// ---- and the sufficient ones for ALGORITHM 1's linear programs

/// (i) or (ii) of Theorem 3.2, for all variables: a ratio of two norms that must be more than 1 for
/// every vector.
struct ProgramCondition {
  std::size_t n_failing = 0;  ///< variables for which a vector was found that violates it
  double least_ratio = std::numeric_limits<double>::infinity();
  std::uint32_t variable = 0;  ///< whose ratio is least
  bool exhaustive = true;      ///< all vectors that could be the worst were looked at
};
/// Theorem 3.2: with these the n programs find the columns of A. Far more than Theorem 3.1 needs.
struct ProgramConditions {
  bool holds = true;            ///< as far as it was looked
  std::size_t n_variables = 0;  ///< with an edge
  double least_gap = 1;         ///< gamma_i: 1 - second largest / largest loading of a variable
  std::uint32_t gap_variable = 0;
  std::vector<std::uint32_t> never_largest;  ///< causes that are the largest of no variable
  ProgramCondition first;                    ///< (i): causes that the variable has not
  ProgramCondition second;                   ///< (ii): causes that the variable has
};
/// `most_kernels` small linear systems for each condition of a variable.
ProgramConditions check_programs(const Eigen::MatrixXd& loadings,
                                 std::uint64_t most_kernels = 3'000);

}  // namespace orrery::model
