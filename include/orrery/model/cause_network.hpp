// A Bayesian network of binary causes: how hidden causes depend on one another (Halpern, Horng,
// Sontag 2015, Sec. 4.1: P(Y), G(Y)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orrery::model {

/// P(cause | its parents).
struct CauseTable {
  std::vector<std::uint32_t> parents;  ///< rising
  /// P(cause = 1 | parents): 2^parents values; bit i of the number is the value of parents[i].
  std::vector<double> on{0.5};
  bool operator==(const CauseTable&) const = default;
};

class CauseNetwork {
 public:
  static constexpr std::size_t max_parents = 16;

  CauseNetwork() = default;
  /// Throws InputError naming the cause: a cycle (all of it), a parent out of range, twice or the
  /// cause itself, more than max_parents, a table of a wrong size, a probability not in [0, 1].
  explicit CauseNetwork(std::vector<CauseTable> tables);
  /// No edges; P(cause = 1) of each.
  static CauseNetwork independent(std::span<const double> on);

  [[nodiscard]] std::size_t n_causes() const noexcept { return tables_.size(); }
  [[nodiscard]] std::size_t n_edges() const noexcept;
  [[nodiscard]] const std::vector<CauseTable>& tables() const noexcept { return tables_; }
  /// Rising.
  [[nodiscard]] const std::vector<std::uint32_t>& children(std::size_t cause) const {
    return children_[cause];
  }
  /// Parents, children, and other parents of children; rising.
  [[nodiscard]] std::vector<std::uint32_t> markov_blanket(std::size_t cause) const;
  /// Each cause after its parents; the lowest possible number first.
  [[nodiscard]] const std::vector<std::uint32_t>& order() const noexcept { return order_; }
  [[nodiscard]] bool is_independent() const noexcept { return n_edges() == 0; }
  /// At most one parent each: a Chow-Liu tree with directions, or a forest.
  [[nodiscard]] bool is_forest() const noexcept;
  /// P(cause = 1 | values of its parents), the values of all causes given.
  [[nodiscard]] double on(std::size_t cause, std::span<const std::uint8_t> values) const noexcept;
  /// -infinity for what cannot be.
  [[nodiscard]] double log_probability(std::span<const std::uint8_t> values) const;

  bool operator==(const CauseNetwork& other) const { return tables_ == other.tables_; }

 private:
  std::vector<CauseTable> tables_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<std::uint32_t> order_;
};

}  // namespace orrery::model
