// Minimum-cost assignment of n rows to m >= n columns; and partners by name.
//
// Source: Kuhn 1955; potentials and shortest augmenting paths as in Jonker & Volgenant 1987.
// Cost:   O(n^2 m) time, O(m) memory beside the costs.
//
// One row a time joins the assignment, along the cheapest alternating path that ends in a free
// column (Dijkstra on reduced costs, which the potentials keep non-negative). A cost that is not
// finite forbids its pair: sums are ordered by the number of forbidden pairs first and by the
// finite rest second. These pairs form an ordered group, which is all that the method asks of its
// numbers.
#include "base/assign.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

namespace orrery {
namespace {

struct Weight {
  std::int64_t forbidden = 0;
  double finite = 0;

  Weight& operator+=(const Weight& other) {
    forbidden += other.forbidden;
    finite += other.finite;
    return *this;
  }
  Weight& operator-=(const Weight& other) {
    forbidden -= other.forbidden;
    finite -= other.finite;
    return *this;
  }
  bool operator<(const Weight& other) const {
    return forbidden != other.forbidden ? forbidden < other.forbidden : finite < other.finite;
  }
};

Weight weight_of(double cost) { return std::isfinite(cost) ? Weight{0, cost} : Weight{1, 0}; }

class Assignment {
 public:
  Assignment(const std::vector<double>& cost, std::size_t n, std::size_t m)
      : cost_(cost),
        n_columns_(m),
        row_potential_(n),
        column_potential_(m + 1),
        owner_(m + 1, nobody),
        slack_(m + 1),
        previous_(m + 1),
        in_tree_(m + 1) {}

  void add_row(std::size_t row) {
    // Column n_columns_ does not exist: it holds the new row at the root of the search tree.
    const std::size_t root = n_columns_;
    slack_.assign(n_columns_ + 1, Weight{std::numeric_limits<std::int64_t>::max() / 2, 0});
    in_tree_.assign(n_columns_ + 1, false);
    owner_[root] = row;
    std::size_t column = root;
    while (owner_[column] != nobody) {
      in_tree_[column] = true;
      column = grow(column);
    }
    while (column != root) {  // flips the path: each column takes the row of the one before it
      owner_[column] = owner_[previous_[column]];
      column = previous_[column];
    }
    owner_[root] = nobody;
  }

  [[nodiscard]] std::vector<std::size_t> column_of_row() const {
    std::vector<std::size_t> result(row_potential_.size());
    for (std::size_t c = 0; c < n_columns_; ++c) {
      if (owner_[c] != nobody) result[owner_[c]] = c;
    }
    return result;
  }

 private:
  static constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

  /// Relaxes the columns outside the tree from the row that owns `from`, then shifts the potentials
  /// so that the nearest of them becomes tight. Returns it: ties go to the lowest index.
  std::size_t grow(std::size_t from) {
    const std::size_t row = owner_[from];
    std::size_t nearest = nobody;
    for (std::size_t c = 0; c < n_columns_; ++c) {
      if (in_tree_[c]) continue;
      Weight reduced = weight_of(cost_[row * n_columns_ + c]);
      reduced -= row_potential_[row];
      reduced -= column_potential_[c];
      if (reduced < slack_[c]) {
        slack_[c] = reduced;
        previous_[c] = from;
      }
      if (nearest == nobody || slack_[c] < slack_[nearest]) nearest = c;
    }
    const Weight shift = slack_[nearest];
    for (std::size_t c = 0; c <= n_columns_; ++c) {
      if (in_tree_[c]) {
        row_potential_[owner_[c]] += shift;
        column_potential_[c] -= shift;
      } else {
        slack_[c] -= shift;
      }
    }
    return nearest;
  }

  const std::vector<double>& cost_;
  std::size_t n_columns_;
  std::vector<Weight> row_potential_;
  std::vector<Weight> column_potential_;
  std::vector<std::size_t> owner_;  // the row that a column is assigned to
  std::vector<Weight> slack_;       // least reduced cost from the tree to a column outside it
  std::vector<std::size_t> previous_;
  std::vector<bool> in_tree_;
};

}  // namespace

std::vector<std::size_t> assign(const std::vector<double>& cost, std::size_t n, std::size_t m) {
  assert(n <= m && cost.size() == n * m);
  Assignment assignment(cost, n, m);
  for (std::size_t row = 0; row < n; ++row) assignment.add_row(row);
  return assignment.column_of_row();
}

std::vector<std::int64_t> assign_partners(const std::vector<double>& cost, std::size_t n,
                                          std::size_t m) {
  assert(cost.size() == n * m);
  std::vector<std::int64_t> partner(n, -1);
  if (n <= m) {
    const std::vector<std::size_t> column = assign(cost, n, m);
    for (std::size_t row = 0; row < n; ++row) partner[row] = static_cast<std::int64_t>(column[row]);
    return partner;
  }
  std::vector<double> transposed(cost.size());
  for (std::size_t i = 0; i < cost.size(); ++i) transposed[(i % m) * n + i / m] = cost[i];
  const std::vector<std::size_t> row = assign(transposed, m, n);
  for (std::size_t c = 0; c < m; ++c) partner[row[c]] = static_cast<std::int64_t>(c);
  return partner;
}

namespace {

std::vector<std::size_t> in_order(std::size_t n) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

/// Place of each name, ascending by name; a repeated name follows its like.
std::vector<std::size_t> by_name(const std::vector<std::string>& names) {
  std::vector<std::size_t> order = in_order(names.size());
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::string_view(names[i]); });
  return order;
}

}  // namespace

std::vector<std::size_t> places_of_same_names(const std::vector<std::string>& from,
                                              const std::vector<std::string>& to) {
  assert(from.size() == to.size());
  const std::vector<std::size_t> of_from = by_name(from);
  const std::vector<std::size_t> of_to = by_name(to);
  std::vector<std::size_t> places(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) {
    const std::string& name = from[of_from[k]];
    const bool repeated = k > 0 && name == from[of_from[k - 1]];
    if (repeated || name != to[of_to[k]]) return in_order(from.size());
    places[of_from[k]] = of_to[k];
  }
  return places;
}

}  // namespace orrery
