// The network of the causes while it grows, learned from how often two and three causes are
// expected together.
//
//   forest           each cause has at most one parent: Chow and Liu (1968)
//   second parents   by a greedy search from that forest on; each must pay its parameters
//
// Cost: a forest takes K^2 log K; the search K^2 an edge that it changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/cause_elimination.hpp"
#include "orrery/model/cause_network.hpp"

namespace orrery::quartet {

/// P(h) = product of P(h_c | its parents), at most two each.
struct CauseGraph {
  std::vector<model::CauseTable> tables;

  [[nodiscard]] std::size_t size() const noexcept { return tables.size(); }
  [[nodiscard]] std::size_t n_edges() const noexcept;
  /// Probabilities beyond those of independent causes.
  [[nodiscard]] std::size_t n_dependences() const noexcept;
  /// No cause is its own ancestor, or has more than two parents.
  [[nodiscard]] bool is_sound() const;
  void add_root(double prior) { tables.push_back({{}, {prior}}); }
  /// Its children keep their distribution given their other parents.
  void remove(std::size_t cause);
  /// P(cause on).
  [[nodiscard]] std::vector<double> marginals() const;
  [[nodiscard]] model::CauseNetwork network() const { return model::CauseNetwork(tables); }
};

/// Sums over all states of the causes.
class CauseGraphSums {
 public:
  explicit CauseGraphSums(const CauseGraph& graph);
  /// E[prod_c factor_c^(h_c)]. Cost: K, in a forest.
  [[nodiscard]] double expectation(std::span<const double> factors) const;

 private:
  [[nodiscard]] double expectation_in_forest(std::span<const double> factors) const;

  model::CauseNetwork network_;
  std::optional<model::CauseElimination> elimination_;  // unless it is a forest
};

/// Sums over rows of what is expected of causes, of pairs (at pair_index), and of three (at
/// triple_index; empty where second parents are not asked for).
struct CauseCounts {
  double n_rows;
  std::span<const double> present, together, triples;
};

/// What an edge must gain, nats.
struct EdgePrice {
  double parameter = 0;  ///< for each probability that it adds
  /// Beside that, of a cause's first parent, which is one of many. With a price for the choice of
  /// the second one too, no second parents are ever begun with: edges reinforce each other.
  double choice = 0;
};

/// The best forest; with counts of three causes, what a search from it on comes to.
CauseGraph learn_graph(const CauseCounts& counts, const EdgePrice& price);
/// Its probabilities anew.
void refit(const CauseCounts& counts, CauseGraph& graph);

[[nodiscard]] constexpr std::size_t pair_index(std::size_t c, std::size_t d) {
  return d * (d - 1) / 2 + c;  // c < d
}
[[nodiscard]] constexpr std::size_t triple_index(std::size_t c, std::size_t d, std::size_t e) {
  return e * (e - 1) * (e - 2) / 6 + pair_index(c, d);  // c < d < e
}

}  // namespace orrery::quartet
