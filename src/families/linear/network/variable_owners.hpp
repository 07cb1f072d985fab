// Variables dealt out among causes: the flow behind the checks of a bipartite graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "families/linear/network/expansion.hpp"

namespace orrery::model {

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

}  // namespace orrery::model
