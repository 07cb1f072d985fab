// The graph of the causes by tests of independence, each cause with at most K neighbours (Halpern,
// Horng, Sontag 2015, Sec. 4.1; Pearl, Verma 1991; Spirtes, Glymour, Scheines 2001: PC).
//
// 1. Skeleton. Level by level, l = 0 ... K: an edge goes if its causes are independent given some l
//    neighbours of one of them, the neighbours being those before the level (Colombo, Maathuis
//    2014): the order of the causes does not matter. Of the sets that separate them, that with the
//    weakest dependence is kept (Ramsey 2016), ties by order of the tests.
// 2. Where a cause has more than K neighbours its weakest edges go: edges are taken strongest
//    first, each if both of its causes still have room.
// 3. v-structures a -> c <- b where a and b are apart and c is not in the set that separates them;
//    those of the strongest edges first, one that would turn an arrow is left out. Then Meek's
//    rules, then a network with these arrows (PartialGraph below).
//
// An edge's strength is the weakest of its tests: the statistic over its critical value.
// Cost: n^2 C(n, l) tests at a level at worst; with few neighbours n^2 after the first levels.
// Pairs are units: at 1,000 ranks the later levels have fewer pairs left than there are ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "families/noisy_or/anchored/structure/families.hpp"
#include "families/noisy_or/anchored/structure/sampling_noise.hpp"
#include "learning/stages.hpp"
#include "orrery/model/subset_tables.hpp"

namespace orrery::anchored {

// Graphs in which some edges have a direction and others have not: what independence alone says of
// a network of causes, and what all members of a Markov class share (Verma, Pearl 1990: skeleton
// and v-structures).
//
// - orient_further: Meek 1995, rules 1 to 4.
// - extend: Dor, Tarsi 1992. Again and again a cause that can be last, without an arrow out of it
//   and with each of its undirected neighbours joined to all its other neighbours, is made last.
//   Where several can be last the highest number is: arrows lead from low to high numbers where the
//   class leaves it open.
// Cost: O(n^4) at worst, far less in sparse graphs.

class PartialGraph {
 public:
  explicit PartialGraph(std::size_t n) : n_(n), arrow_(n * n, false) {}
  /// The Markov class of a network: its skeleton, its v-structures, and what follows from them.
  static PartialGraph class_of(const ParentLists& parents);

  [[nodiscard]] std::size_t n_causes() const noexcept { return n_; }
  /// An undirected edge, from nothing.
  void connect(std::size_t a, std::size_t b);
  void disconnect(std::size_t a, std::size_t b);
  /// Makes the edge a - b, in whatever state, a -> b.
  void direct(std::size_t a, std::size_t b);
  [[nodiscard]] bool are_adjacent(std::size_t a, std::size_t b) const {
    return has(a, b) || has(b, a);
  }
  [[nodiscard]] bool is_undirected(std::size_t a, std::size_t b) const {
    return has(a, b) && has(b, a);
  }
  /// a -> b.
  [[nodiscard]] bool leads(std::size_t a, std::size_t b) const { return has(a, b) && !has(b, a); }
  /// Rising.
  [[nodiscard]] std::vector<std::uint32_t> neighbours(std::size_t a) const;

  /// Directions that follow without a new v-structure or a cycle.
  void orient_further();

  struct Extension {
    ParentLists parents;
    /// Without a new v-structure and with every arrow as it was; otherwise whoever breaks least has
    /// been made last.
    bool is_consistent = true;
  };
  [[nodiscard]] Extension extend() const;

  bool operator==(const PartialGraph&) const = default;

 private:
  [[nodiscard]] bool has(std::size_t a, std::size_t b) const { return arrow_[a * n_ + b]; }
  [[nodiscard]] bool follows(std::size_t a, std::size_t b) const;

  std::size_t n_;
  std::vector<bool> arrow_;  // a -> b or a - b
};

/// The member of a network's Markov class that extend() gives: one network for each class.
ParentLists standard_member(const ParentLists& parents);

// The search.

struct IndependenceSearch {
  ParentLists parents;
  std::size_t n_edges_over = 0;  ///< left out by step 2
  std::size_t n_conflicts = 0;   ///< v-structures left out
  bool is_consistent = true;     ///< the network has these arrows and no other v-structures
};

/// Moments of order max_degree + 2 at least (less where there are fewer causes). Collective.
IndependenceSearch search_by_independence(const learning::Workers& workers,
                                          const model::SubsetTables& moments,
                                          std::size_t max_degree, const SamplingNoise& noise,
                                          double alpha);

}  // namespace orrery::anchored
