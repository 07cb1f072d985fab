// Purpose: moments of any order of a sign tree.
// Source: Nikolakakis, Kalogerias, Sarwate 2018, Sec. 3.3 and 4.5: Theorem 2, Algorithm 2, Eq.
// (32).
//
//   paper        code                     shape   range
//   V            set                              variables that differ
//   C_T(V)       MatchedPairs::pairs      |V|/2
//   CP_T(V)      MatchedPairs::edges
//   L^(2)        small_set_distance               [0, 1]
//
// Theorem 2. Let a component's edges split its part of V, of even size. With uniform margins the
// products W_e = X_a X_b of the edges are independent with E[W_e] = mu_e (Sec. 2.2), and
// prod_V X_i = prod_e W_e^(k_e) for any pairing of V, k_e the number of pairs' paths over e, which
// is odd just where e leaves an odd number of V on either side: the edges CP_T(V). W_e^2 = 1, so
// E[prod_V X_i] = prod_{CP_T(V)} mu_e. A component with an odd number of V: negating it changes no
// probability, so the moment is 0.
//
// Departure: Algorithm 2 searches for pairs by distance; here one pass from the leaves up hands on
// what is not yet paired, at most one variable a node: what meets is a pair. That is linear, and
// the edges over which a variable is handed on are CP_T(V).
//
// Eq. (32). Let P and Q have uniform margins, d = 2 L^(2) (a pair's moments differ by at most d, as
// |E_P f - E_Q f| <= 2 TV for |f| <= 1), k = |V| / 2, A = E_P[prod_V], B = E_Q[prod_V]. For any
// pairing M of V, prod_M E_P[X_i X_j] = prod_e mu_e^(k_e) = A times even powers: it has A's sign
// (or is 0) and at most A's size. Let M be P's own pairing, so that A = prod_M E_P, and
// c = prod_M E_Q, |c| <= |B|, of B's sign. Products of k numbers in [-1, 1] that differ by at most
// d each differ by at most k d, so |A - c| <= k d; likewise |B - c'| <= k d with Q's own pairing.
//  - A, B >= 0 (or both <= 0, alike): A <= c + k d <= B + k d, and B <= A + k d: |A - B| <= k d.
//  - A > 0 > B: if k = 1 there is one pairing: |A - B| <= d. Else some pair of M has moments of
//    different signs (or c = 0 and it has one of 0) in P and Q, so its size in P, which is at least
//    A, is at most d; likewise |B| <= d; |A - B| <= 2 d <= k d.
// In all cases |A - B| <= k d = |V| L^(2). Forests: pairs across components have moment 0, and the
// same holds.
#include "model/tree_moments.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "orrery/model/tree_tables.hpp"

namespace orrery::model {
namespace {

std::vector<bool> membership(const SignTree& tree, std::span<const std::uint32_t> set) {
  std::vector<bool> in_set(tree.n_variables(), false);
  for (const std::uint32_t i : set) {
    assert(!in_set[i] && "variables of a set differ");
    in_set[i] = true;
  }
  return in_set;
}

double uniform_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  const MatchedPairs matched = match_pairs(tree, set);
  if (!matched.unpaired.empty()) return 0;
  double product = 1;
  for (const std::uint32_t e : matched.edges) product *= tree.edges()[e].moment;  // Eq. (29)
  return product;
}

/// From the leaves up: E[prod of the set's variables at i and below | X_i], a number each sign.
double general_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  const TreeTables tables = tables_of(tree);
  const std::vector<bool> in_set = membership(tree, set);
  std::vector<std::array<double, 2>> below(tree.n_variables(), {1, 1});
  double moment = 1;
  for (auto at = tables.after_parents.rbegin(); at != tables.after_parents.rend(); ++at) {
    auto [off, on] = below[*at];
    if (in_set[*at]) off = -off;
    const ConditionalTable& given = tables.given[*at];
    const std::uint32_t parent = tables.parents[*at];
    if (parent == SignTree::none) {
      moment *= given[0][0] * off + given[0][1] * on;
      continue;
    }
    for (std::size_t up = 0; up < 2; ++up) {
      below[parent][up] *= given[up][0] * off + given[up][1] * on;
    }
  }
  return moment;
}

}  // namespace

MatchedPairs match_pairs(const SignTree& tree, std::span<const std::uint32_t> set) {
  MatchedPairs matched;
  constexpr std::uint32_t none = SignTree::none;
  std::vector<std::uint32_t> waiting(tree.n_variables(), none);  // not yet paired, at a node
  for (const std::uint32_t i : set) waiting[i] = i;
  const auto& order = tree.after_parents();
  for (auto at = order.rbegin(); at != order.rend(); ++at) {
    const std::uint32_t handed_on = waiting[*at];
    if (handed_on == none) continue;
    const std::uint32_t parent = tree.parents()[*at];
    if (parent == none) {
      matched.unpaired.push_back(handed_on);
      continue;
    }
    matched.edges.push_back(tree.parent_edges()[*at]);
    if (waiting[parent] == none) {
      waiting[parent] = handed_on;
    } else {
      const auto [low, high] = std::minmax(waiting[parent], handed_on);
      matched.pairs.push_back({low, high});
      waiting[parent] = none;
    }
  }
  std::ranges::sort(matched.pairs);
  std::ranges::sort(matched.edges);
  std::ranges::sort(matched.unpaired);
  return matched;
}

double product_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  return tree.is_uniform() ? uniform_moment(tree, set) : general_moment(tree, set);
}

double noisy_product_moment(const SignTree& tree, std::span<const std::uint32_t> set) {
  return std::pow(1 - 2 * tree.crossover(), static_cast<double>(set.size())) *
         product_moment(tree, set);
}

double moment_error_bound(std::size_t set_size, double small_set_distance) {
  return std::min(2.0, static_cast<double>(set_size) * small_set_distance);
}

// |prod b - prod a| <= sum_k |b_k - a_k| prod_{j<k} |b_j| prod_{j>k} |a_j|, a the tree's moments.
double moment_error_bound(const SignTree& tree, std::span<const std::uint32_t> set,
                          std::span<const double> edge_errors) {
  const MatchedPairs matched = match_pairs(tree, set);
  if (!matched.unpaired.empty()) return 0;
  double difference = 0;  // bound of that of the products so far
  double greatest = 1;    // of the other product's size so far
  for (const std::uint32_t e : matched.edges) {
    const double size = std::abs(tree.edges()[e].moment);
    const double error = std::min(edge_errors[e], 1 + size);
    difference = difference * size + greatest * error;
    greatest *= std::min(1.0, size + error);
  }
  return difference;
}

}  // namespace orrery::model
