// A forest of binary causes: each has at most one parent (Chow and Liu 1968), learned from how
// often two causes are expected together.
//
// Cost: K^2 log K; a weighted spanning forest by Kruskal's way.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "orrery/model/cause_network.hpp"

namespace orrery::quartet {

/// P(h) = product of P(h_c | h_parent(c)).
struct Forest {
  std::vector<std::int32_t> parent;  ///< -1: none
  std::vector<std::array<double, 2>>
      on;  ///< P(on | parent off), P(on | parent on); a root: twice the same

  [[nodiscard]] std::size_t size() const noexcept { return parent.size(); }
  [[nodiscard]] std::size_t n_edges() const noexcept;
  /// No cause is its own ancestor.
  [[nodiscard]] bool is_sound() const;
  void add_root(double prior);
  void remove(std::size_t cause);  ///< Its children become roots with their marginals.
  /// Each cause after its parent.
  [[nodiscard]] std::vector<std::uint32_t> order() const;
  /// P(cause on).
  [[nodiscard]] std::vector<double> marginals() const;
  /// E[prod_c factor_c^(h_c)]; `order` is that of order().
  [[nodiscard]] double expectation(std::span<const double> factors,
                                   std::span<const std::uint32_t> order) const;
  [[nodiscard]] model::CauseNetwork network() const;
};

/// Sums over rows: `present` of each cause, `together` of each pair (c < d at pair_index), of
/// `n_rows`. An edge is kept if it gains more nats than `cost`.
Forest learn_forest(std::span<const double> present, std::span<const double> together,
                    double n_rows, double cost);

[[nodiscard]] constexpr std::size_t pair_index(std::size_t c, std::size_t d) {
  return d * (d - 1) / 2 + c;  // c < d
}

}  // namespace orrery::quartet
