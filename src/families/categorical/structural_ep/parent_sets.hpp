// The values that a structure variable G_i can take: which causes are the parents of X_i.
//
// With one parent a value k is the cause k. With up to two, each pair of causes is a value as well:
// its "product cause" U_k, whose state stands for both (section 4.4, Figure 3). Rows of the
// parameters theta_ij are shared between values, as in Eqs. (13)-(16): U_k = j uses row j whatever
// k is. Sets of one parent and of two have rows of their own, which the paper leaves open: were
// they shared, a pair would find its rows learned by one of its causes, be as good as that cause
// alone, and take turns with it for ever.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "orrery/data/categorical_table.hpp"

namespace orrery::structural_ep {

/// Most states of a cause, and of a product cause.
inline constexpr std::size_t max_cardinality = 8;
inline constexpr std::size_t max_states = max_cardinality * max_cardinality;

struct ParentSet {
  std::vector<std::uint32_t> causes;  ///< rising
  std::size_t n_states = 0;           ///< J^|causes|; the first cause's state changes fastest
  std::size_t first_state = 0;        ///< of the states of all sets, one set after the other
  std::size_t first_row = 0;          ///< of theta_i's rows: 0, or J for pairs

  [[nodiscard]] std::size_t end_state() const noexcept { return first_state + n_states; }
};

/// Shapes of all that is learned of D variables and K causes of J states.
struct Shape {
  std::size_t n_causes = 0;     ///< K
  std::size_t cardinality = 2;  ///< J
  std::size_t max_parents = 1;  ///< P, 1 or 2
  std::vector<ParentSet> sets;  ///< K singles, then pairs (0, 1), (0, 2), ..., (1, 2), ...
  std::size_t n_states = 0;     ///< of all sets
  std::size_t n_rows = 0;       ///< of theta_i: J, and J^2 more with two parents
  std::vector<std::size_t> n_categories;  ///< L_i, D of them
  std::vector<std::size_t> first_count;   ///< D + 1: theta_i's entries, n_rows x L_i by rows

  [[nodiscard]] std::size_t n_observed() const noexcept { return n_categories.size(); }
  [[nodiscard]] std::size_t n_sets() const noexcept { return sets.size(); }
  [[nodiscard]] std::size_t n_counts() const noexcept { return first_count.back(); }
};

/// `max_parents` is 1, or 2 with two causes or more.
[[nodiscard]] Shape make_shape(std::size_t n_causes, std::size_t cardinality,
                               std::size_t max_parents, std::vector<std::size_t> n_categories);

/// Of a network of that many causes for a table; a single cause is the only parent of a variable.
[[nodiscard]] Shape shape_of(const data::CategoricalTable& table, std::size_t n_causes,
                             std::size_t cardinality, std::size_t max_parents);

/// State of the `a`-th cause of a set in the set's state `state`; `cardinality` is 2 or more.
[[nodiscard]] inline std::size_t state_of(std::size_t state, std::size_t a,
                                          std::size_t cardinality) noexcept {
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): it does not see what the options allow
  return a == 0 ? state % cardinality : state / cardinality;
}

}  // namespace orrery::structural_ep
