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
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "families/noisy_or/anchored/structure/families.hpp"

namespace orrery::anchored {

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

}  // namespace orrery::anchored
