// Variable elimination: the order in which variables are summed out, and the tree of tables that
// the sums over the states of a network of causes go through in that order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/cause_elimination.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::model {

// In which order variables (causes, and what rows say of them) are summed out, and what each sum
// couples.

/// The variables that a table is of, each once.
using Scope = std::vector<std::uint32_t>;

struct EliminationOrder {
  /// The variable that goes, and those that its sum couples, which go later, in the order in which
  /// they go. One a variable, in the order of elimination; fewer if `width` is more than was asked
  /// for.
  std::vector<Scope> cliques;
  std::size_t width = 0;  ///< members of the largest clique
};

/// Of tables of `scopes` (none empty; variables below n): each step sums out the variable that adds
/// the fewest edges (min-fill), the lowest number among equals. Ends at the first clique of more
/// than `max_width` members: no table of it could be held.
EliminationOrder min_fill_order(std::size_t n, std::span<const Scope> scopes,
                                std::size_t max_width);
/// Of the families of a network: each cause and its parents.
EliminationOrder min_fill_order(const CauseNetwork& network, std::size_t max_width);

// The tables that eliminate the causes of a network, and a pass through them: up, from each to the
// one that takes its sum, and down, which gives every cause's probability.

/// A cause that is summed out with those that its sum couples. Bit i of a cell's number is member
/// i; member 0 is the cause.
struct Clique {
  static constexpr std::size_t none = ~std::size_t{0};

  std::vector<std::uint32_t> members;
  std::size_t first = 0;      ///< its first cell among all
  std::size_t parent = none;  ///< the clique that takes the sum: of member 1
  // Cell x of the parent's table takes cell low[x % 1024] + high[x / 1024] of the sum. Two short
  // lists: a list of every cell would be as large as the tables.
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;

  [[nodiscard]] std::size_t n_cells() const noexcept { return std::size_t{1} << members.size(); }
  [[nodiscard]] std::size_t message_cell(std::size_t parent_cell) const noexcept {
    return low[parent_cell % 1024] + high[parent_cell / 1024];
  }
};

class CliqueTree {
 public:
  CliqueTree(const CauseNetwork& network, const EliminationOrder& order);

  [[nodiscard]] std::size_t n_causes() const noexcept { return cliques_.size(); }
  /// Each before its parent.
  [[nodiscard]] const std::vector<Clique>& cliques() const noexcept { return cliques_; }
  /// All tables, of nothing but the network's probabilities.
  [[nodiscard]] std::span<const double> cells() const noexcept { return cells_; }
  /// Cells of the largest table.
  [[nodiscard]] std::size_t largest() const noexcept { return largest_; }

 private:
  void multiply_family(const CauseNetwork& network, std::uint32_t cause, const Clique& clique);

  std::vector<Clique> cliques_;
  std::vector<double> cells_;
  std::size_t largest_ = 0;
};

/// mantissa 2^exponent: products of thousands of small numbers leave the range of a double.
struct ScaledSum {
  double mantissa = 1;
  std::int64_t exponent = 0;
  void multiply(double factor) noexcept;
  [[nodiscard]] double value() const noexcept;
};

/// Room for one pass at a time; a thread's own.
class CliquePass {
 public:
  /// `tree` must outlive it.
  explicit CliquePass(const CliqueTree& tree);
  /// E[prod_i weights[i][y_i]].
  ScaledSum up(std::span<const CauseWeight> weights) noexcept;
  /// After a pass up whose sum is not 0: P(y_i = 1), weighed, of each.
  void down(std::span<double> on) noexcept;

 private:
  void send(std::size_t number, ScaledSum& sum) noexcept;
  void receive(std::size_t number) noexcept;
  [[nodiscard]] std::span<double> table(const Clique& clique) noexcept {
    return {cells_.data() + clique.first, clique.n_cells()};
  }

  const CliqueTree& tree_;
  std::vector<double> cells_;
  std::vector<double> message_;
};

}  // namespace orrery::model
